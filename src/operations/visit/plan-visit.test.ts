import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeUsual } from '../../../test/support/rows/usual-hours.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE } from '../../domain/time/slot.ts';
import { NotFound, Refused } from '../core/define.ts';
import { listCalmWindows } from './list-calm-windows.ts';
import { planVisit } from './plan-visit.ts';

// Wednesday, 12:00. Saturday is three days later.
const SATURDAY = NOON + 3 * DAY;

describeStores('plan_visit', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      {
        pocket: 'holland',
        slot: NOON,
        gate: 'why_now',
        moment: {
          ...{ calm_level: 0.4, calm_probability: 0.2, primary_state: 'busy-productive' },
          ...{ window_ends_at: null, window_held_share: null },
        },
      },
      { pocket: 'siglap', slot: NOON, gate: 'resonance', moment: { calm_level: 0.8, calm_probability: 0.9 } },
    ]);
    await writeForecasts(store, [
      { pocket: 'holland', slot: NOON, horizon: 60, calm: 0.45 },
      { pocket: 'holland', slot: NOON, horizon: 120, calm: 0.82 },
      { pocket: 'holland', slot: NOON, horizon: 180, calm: 0.7 },
    ]);
    await writeUsual(store, NOON, { holland: 0.5, siglap: 0.78 });
    for (const hour of [-2, -1])
      await writeUsual(store, SATURDAY + hour * HOUR, { holland: 0.9, siglap: 0.3 });
    await writeUsual(store, SATURDAY + 3 * HOUR, { siglap: 0.9 });
  });
  const ask = (given: Record<string, unknown> = {}) => askOperation(planVisit, store(), NOON + MINUTE, given);
  const splitLines = (text: string) => text.replaceAll('\u00a0', ' ').split('\n');

  test('now: the figures of /api/windows, told in its text', async () => {
    const { structured, text } = await ask();
    const windows = (await askOperation(listCalmWindows, store(), NOON + MINUTE)).structured;
    for (const { pocket_id, expected, window, next_window } of structured.pockets) {
      const row = windows.pockets.find((one) => one.pocket_id === pocket_id);
      assert.deepEqual(
        { expected, window, next_window },
        { expected: row?.expected, window: row?.window, next_window: row?.next_window },
      );
    }
    const [head, first, second] = splitLines(text);
    assert.equal(head, 'now; the first 5 of 18 pockets:');
    assert.match(
      first ?? '',
      /^siglap \(siglap\): very likely calm \(90 %\).*; calm and productive; about as usual/,
    );
    assert.match(
      second ?? '',
      /^holland village \(holland\): unlikely calm \(20 %\); likely calm from 14:00 to at least 15:00/,
    );
    assert.match(text, /https:\/\/pocketwatch\.test\/api\/windows$/);
  });

  test('a day and an hour by name are answered from the usual, with its n', async () => {
    const { structured, text } = await ask({ day: 'saturday', hour: 10 });
    assert.equal(structured.at, '2026-11-14T02:00:00.000Z');
    assert.match(splitLines(text)[0] ?? '', /^on saturday at 10:00;/);
    assert.match(
      splitLines(text)[1] ?? '',
      /^holland village \(holland\): almost always calm \(100 % of 8 readings\)/,
    );
  });

  test('a day without an hour: its calm windows, the pocket with the most calm time first', async () => {
    const { structured, text } = await ask({ day: 'saturday' });
    assert.equal(structured.day, '2026-11-14');
    const [holland] = structured.pockets;
    assert.equal(holland?.pocket_id, 'holland');
    assert.deepEqual(
      holland?.windows.map(({ starts_at, ends_at, basis }) => [starts_at, ends_at, basis]),
      [['2026-11-14T02:00:00.000Z', '2026-11-14T04:00:00.000Z', 'usual']],
    );
    assert.match(splitLines(text)[0] ?? '', /^on saturday; /);
    assert.match(splitLines(text)[1] ?? '', /holland village \(holland\): usually calm 10:00 to 12:00$/);
  });

  test('near a listed place the nearest come first; a place that is not watched is told so', async () => {
    const near = await ask({ near: 'Orchard', limit: 3 });
    const far = near.structured.pockets.map(({ distance_m }) => distance_m ?? 0);
    assert.deepEqual(
      far,
      far.toSorted((a, b) => a - b),
    );
    assert.match(near.text, /near orchard \(station\)/);
    assert.match((await ask({ place: 'Orchard' })).text, /^orchard itself is not watched/);
    assert.match((await ask({ place: 'zzqq' })).text, /^no pocket or listed place is called 'zzqq'; /);
    await assert.rejects(ask({ near: 'zzqq' }), new NotFound('unknown place: zzqq'));
  });

  test('a purpose is an intent by slug, title or words; an unknown one lists all', async () => {
    for (const words of ['work-friendly', 'Work friendly', 'work'])
      assert.equal((await ask({ purpose: words })).structured.purpose, 'work-friendly', words);
    assert.equal((await ask({ purpose: 'brunch' })).structured.purpose, 'family-brunch');
    await assert.rejects(
      ask({ purpose: 'scuba' }),
      /unknown purpose: scuba; there are quiet-now, rain-friendly, /,
    );
  });

  test('days beyond a week, or no days, are refused with what is accepted', async () => {
    await assert.rejects(ask({ day: 'someday' }), Refused);
    await assert.rejects(ask({ day: '2026-12-24' }), /day must be from 2026-11-11 to 2026-11-17/);
    await assert.rejects(ask({ day: 'yesterday' }), /day must be from/);
  });
});
