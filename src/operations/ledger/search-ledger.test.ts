import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { Refused } from '../core/define.ts';
import { searchLedger } from './search-ledger.ts';

const pockets = ['tiongbahru', 'dempsey'];

describeStores('GET /api/ledger/search', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeForecasts(
      store,
      [4, 3, 2, 1, 0].flatMap((before) =>
        pockets.map((pocket) => ({
          slot: NOON - before * SLOT,
          pocket,
          ...(before > 2 && { score: 0.75 }),
        })),
      ),
    ),
  );
  const search = async (given = {}) => (await askOperation(searchLedger, store(), NOON, given)).structured;
  const clocks = (entries: { id: string }[]) => entries.map(({ id }) => id.slice(0, -22).replace(/^.*T/, ''));

  test('pages of any length list every entry once, newest first', async () => {
    const { entries: all, next } = await search();
    assert.deepEqual([all.length, next], [10, null]);
    for (const limit of [1, 3, 10]) {
      const paged: string[] = [];
      let before: string | null | undefined;
      do {
        const page = await search({ limit, ...(before && { before }) });
        assert.ok(page.entries.length > 0 && page.entries.length <= limit);
        paged.push(...page.entries.map(({ id }) => id));
        before = page.next;
      } while (before !== null);
      assert.deepEqual(
        paged,
        all.map(({ id }) => id),
      );
    }
  });

  test('a pocket and local times narrow the list', async () => {
    const own = await search({ pocket_id: 'dempsey' });
    assert.ok(own.entries.every(({ id }) => id.startsWith('dempsey-')) && own.entries.length === 5);
    // Noon in Singapore is 04:00 UTC.
    const hour = await search({ pocket_id: 'dempsey', from: '2026-11-11T11:15', to: '2026-11-11T11:45' });
    assert.deepEqual(clocks(hour.entries), ['0330Z', '0315Z']);
    assert.deepEqual([hour.from, hour.to], ['2026-11-11T03:15:00.000Z', '2026-11-11T03:45:00.000Z']);
    assert.equal((await search({ from: '2026-11-11', to: '2026-11-11' })).entries.length, 10);
    assert.deepEqual((await search({ to: '2026-11-10' })).entries, []);
  });

  test('every type can be searched; one without such entries gives none', async () => {
    const reveals = await search({ type: 'reveal', pocket_id: 'tiongbahru' });
    assert.deepEqual(
      reveals.entries.map(({ type, id }) => [type, id.slice(0, 26)]),
      [
        ['reveal', 'tiongbahru-20261111T0315Z.'],
        ['reveal', 'tiongbahru-20261111T0300Z.'],
      ],
    );
    for (const type of ['line', 'silence', 'verdict'])
      assert.deepEqual((await search({ type, pocket_id: 'dempsey' })).entries, []);
    assert.deepEqual((await search({ type: 'submission', pocket_id: 'dempsey' })).entries, []);
  });

  test('a time that does not exist is refused, and a made-up position gives a page', async () => {
    await assert.rejects(search({ from: '2026-02-30' }), Refused);
    await assert.rejects(search({ to: '2026-02-3x' }), Refused);
    assert.deepEqual((await search({ before: '0.0' })).entries, []);
    assert.equal((await search({ before: '99999999999999.999999999' })).entries.length, 10);
  });
});
