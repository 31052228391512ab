import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { momentsForStories } from './live-stories.ts';
import { currentMoment } from './moments.ts';

describeStores('the moments that stories are written from', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, [{ slot: NOON, gate: 'why_now' }]));

  test('are the stored ones, with every field', async () => {
    const [subject] = await momentsForStories(store(), NOON);
    const stored = await currentMoment(store(), 'tiongbahru', NOON);
    assert.ok(subject && stored);
    assert.deepEqual(subject.moment, stored.moment);
  });
});
