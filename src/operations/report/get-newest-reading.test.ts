import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, iso, MINUTE } from '../../domain/time/slot.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { getNewestReading } from './get-newest-reading.ts';

describeStores('GET /api/newest-reading', (makePlace) => {
  const store = storeFor(makePlace, async () => undefined);
  const ask = (now: number) => askOperation(getNewestReading, store(), now);

  test('nothing is late before the first reading', async () => {
    const { structured, text } = await ask(NOON);
    assert.deepEqual([structured.newest_reading_at, structured.readings_late], [null, false]);
    assert.equal(text, 'nothing has been observed yet.');
  });

  test('the age of the newest, and whether it is late', async () => {
    await store().transaction((tx) => writeReadings(tx, [reading({ slot: NOON, gate: null })]));
    const soon = (await ask(NOON + 9 * MINUTE)).structured;
    assert.deepEqual(soon, {
      as_of: iso(NOON + 9 * MINUTE),
      newest_reading_at: iso(NOON),
      reading_age_minutes: 9,
      readings_late: false,
    });
    const { structured, text } = await ask(NOON + 3 * HOUR);
    assert.deepEqual([structured.reading_age_minutes, structured.readings_late], [180, true]);
    assert.equal(text, 'the newest reading is 3 hours old.');
  });
});
