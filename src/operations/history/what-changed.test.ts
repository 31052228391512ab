import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { whatChanged } from './what-changed.ts';

describeStores('what_changed', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    // Today at 10:00 holland is calmer than yesterday; siglap was read yesterday only; 20:00 of yesterday has not come today.
    const at = (time: number, pocket: string, calm: number) => ({
      ...reading({ slot: time, gate: null, pocket }),
      calm,
    });
    await writeDecisions(store, [
      { pocket: 'cluny', slot: NOON - 2 * DAY, gate: null },
      { pocket: 'dempsey', slot: NOON - DAY + 8 * HOUR, gate: null },
      { pocket: 'cluny', slot: NOON - HOUR, gate: null },
    ]);
    await store.transaction((tx) =>
      writeReadings(tx, [
        at(NOON - DAY - 2 * HOUR, 'holland', 0.3),
        at(NOON - DAY - 2 * HOUR + SLOT, 'holland', 0.5),
        at(NOON - 2 * HOUR, 'holland', 0.8),
        at(NOON - DAY - 2 * HOUR, 'siglap', 0.6),
        at(NOON - DAY + 8 * HOUR, 'holland', 0.9),
        at(NOON - 9 * HOUR, 'holland', 0.99),
      ]),
    );
  });
  const ask = (given: Record<string, unknown> = {}, now = NOON + MINUTE) =>
    askOperation(whatChanged, store(), now, given);

  test('today is compared with as much of yesterday, in waking hours', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(
      [structured.from_day, structured.to_day, structured.hours],
      ['2026-11-10', '2026-11-11', { from: '07:00', to: '12:00' }],
    );
    const [holland] = structured.pockets;
    assert.equal(holland?.pocket_id, 'holland');
    assert.deepEqual(
      [holland?.before.calm_level, holland?.after.calm_level, holland?.calm_change, holland?.change],
      [0.4, 0.8, 0.4, 'calmer'],
    );
    assert.match(text, /^2026-11-10 to 2026-11-11, each from 07:00 to 12:00 'SGT':/);
    assert.match(text, /calmer: holland village \(holland; mixed, then very calm\)\./);
    assert.match(text, /lines said: 0, then 1;/);
  });

  test('every line of both days is listed, whatever its hour, newest first', async () => {
    const { structured, text } = await ask();
    const { line_count, lines } = structured;
    assert.equal(line_count, 2);
    assert.deepEqual(
      lines.map(({ at, pocket_id }) => [at, pocket_id]),
      [
        ['2026-11-11T03:00:00.000Z', 'cluny'],
        ['2026-11-10T12:00:00.000Z', 'dempsey'],
      ],
    );
    assert.deepEqual(text.split('\n').slice(-3), [
      'said at any hour of 2026-11-10 and 2026-11-11, newest first: 2',
      `2026-11-11 11:00 SGT, cluny: '${lines[0]?.line}'`,
      `2026-11-10 20:00 SGT, dempsey: '${lines[1]?.line}'`,
    ]);
    const one = await ask({ pocket_id: 'dempsey' });
    assert.deepEqual(one.structured.lines, lines.slice(1));
    assert.match(one.structured.more, /stream\?since=7d&type=narration&pocket=dempsey&limit=200$/);
    const apart = await ask({ from_day: '2026-11-09', to_day: 'today' });
    assert.deepEqual(
      apart.structured.lines.map(({ at }) => at),
      ['2026-11-11T03:00:00.000Z', '2026-11-09T04:00:00.000Z'],
    );
  });

  test('more lines than a text may hold are counted, and listed elsewhere', async () => {
    const many = Array.from({ length: 40 }, (_, n) => ({
      pocket: 'siglap',
      slot: NOON + 30 * DAY + n * SLOT,
      gate: null,
    }));
    await writeDecisions(store(), many);
    const { structured, text } = await ask({}, NOON + 31 * DAY);
    assert.deepEqual([structured.line_count, structured.lines.length], [40, 30]);
    const listed = text.match(/^2026-12-1\d .+, siglap: '/gm)?.length ?? 0;
    assert.ok(listed > 10 && listed < 40);
    assert.ok(
      text.includes(
        `newest first: 40, the last ${listed} here and all at https://pocketwatch.test/api/stream?`,
      ),
    );
    assert.ok(Buffer.byteLength(text) < 4096);
  });

  test('what was read on one of the days only has no change', async () => {
    const { pockets } = (await ask({ pocket_id: 'siglap' })).structured;
    assert.deepEqual(
      pockets.map(({ pocket_id, before, after, calm_change, change }) => [
        ...[pocket_id, before.calm_level, after.calm_level, calm_change, change],
      ]),
      [['siglap', 0.6, null, null, null]],
    );
  });

  test('two days that are over are compared whole', async () => {
    const { structured } = await ask({ from_day: '2026-11-09', to_day: 'yesterday' });
    assert.deepEqual(structured.hours, { from: '07:00', to: '23:00' });
    const holland = structured.pockets.find(({ pocket_id }) => pocket_id === 'holland');
    assert.deepEqual(holland?.after.readings, 3);
  });

  test('before the waking hours of today there is nothing to compare yet', async () => {
    const { text } = await ask({}, NOON - 8 * HOUR);
    assert.match(text, /^2026-11-11 has no waking hour yet/);
    assert.match(text, /\n2026-11-10 20:00 SGT, dempsey: '/);
  });

  test('a day that is none, is to come, or is the other one is refused', async () => {
    await assert.rejects(ask({ to_day: 'someday' }), /to_day must be today, yesterday/);
    await assert.rejects(ask({ to_day: 'tomorrow' }), /to_day must not be in the future/);
    await assert.rejects(ask({ from_day: 'today' }), /must be two days/);
  });
});
