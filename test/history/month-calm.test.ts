// A simulated month: the calm probability is one, and the next window follows from when lines began.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calmTurn } from '../../src/domain/atmosphere/calm-text.ts';
import { isCalmState, type PrimaryState } from '../../src/domain/atmosphere/primary-state.ts';
import { cityCalendar, isRestDay } from '../../src/domain/city/rest-day.ts';
import { isSleepHour } from '../../src/domain/decision/moment.ts';
import { type MqsBand, mqsBands } from '../../src/domain/decision/moment-quality.ts';
import { nextPossibleWindow, WINDOW_RECORD } from '../../src/domain/decision/signal-status.ts';
import { round } from '../../src/domain/stats/unit-scale.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getPocketSilence } from '../../src/operations/decision/get-pocket-silence.ts';
import { monthService } from '../support/services/month.ts';
import { callTool, NOON } from '../support/services/service.ts';

const { url, store, service, clock } = await monthService();
const { pockets } = service.registry;
const calendar = cityCalendar(service.registry);

interface Row {
  pocket_id: string;
  slot: number;
  calm: number;
  primary_state: PrimaryState;
  calm_probability: number | null;
  calm_level: number;
  calm_change: number;
  band: MqsBand;
}
const rows = await store.all<Row>(
  `select r.pocket_id, r.slot, r.calm, r.primary_state, m.calm_probability, m.calm_level, m.calm_change, m.band
   from atmosphere_readings r left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id`,
);
const readingAt = new Map(rows.map((row) => [`${row.pocket_id} ${row.slot}`, row]));
const later = ({ pocket_id, slot }: Row, slots: number) =>
  readingAt.get(`${pocket_id} ${slot + slots * SLOT}`);
/** Readings with a moment. */
const moments = rows.filter(
  (row): row is Row & { calm_probability: number } => row.calm_probability !== null,
);

/** Moments whose next two readings are known, with whether both were in a calm state. */
const judged = moments.flatMap((row) => {
  const next = [later(row, 1), later(row, 2)];
  return next.every((one) => one !== undefined)
    ? [{ row, calm: next.every((one) => isCalmState(one.primary_state)) ? 1 : 0 }]
    : [];
});
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the calm probability', () => {
  test('is as often right as it says, in every tenth and in every pocket', () => {
    assert.ok(judged.length > 50_000);
    const groups = [
      ...Map.groupBy(judged, ({ row }) => `tenth ${Math.min(9, Math.floor(10 * row.calm_probability))}`),
      ...Map.groupBy(judged, ({ row }) => row.pocket_id),
    ];
    assert.equal(groups.length, 10 + pockets.length);
    for (const [name, group] of groups) {
      const [stated, observed] = [
        mean(group.map(({ row }) => row.calm_probability)),
        mean(group.map(({ calm }) => calm)),
      ];
      assert.ok(group.length > 500, `${name}: ${group.length}`);
      const figures = `${name}: stated ${stated}, observed ${observed}, n ${group.length}`;
      assert.ok(Math.abs(stated - observed) < (name.startsWith('tenth') ? 0.06 : 0.03), figures);
    }
  });

  test('is far better than the level taken for a probability, and than the state alone', () => {
    const brier = (stated: (row: Row & { calm_probability: number }) => number) =>
      mean(judged.map(({ row, calm }) => (stated(row) - calm) ** 2));
    const own = brier((row) => row.calm_probability);
    assert.ok(own < 0.06, `${own}`);
    assert.ok(own < 0.65 * brier((row) => 1 / (1 + Math.exp(-9 * (row.calm - 0.5)))));
    assert.ok(own < 0.85 * brier((row) => (isCalmState(row.primary_state) ? 1 : 0)));
  });

  test('agrees with the state but for a few moments, of which the text says what has turned', () => {
    const turned = moments.filter((row) => isCalmState(row.primary_state) !== row.calm_probability >= 0.5);
    assert.ok(turned.length > 0 && turned.length < 0.04 * moments.length, `${turned.length}`);
    for (const row of moments)
      assert.equal(calmTurn(row) !== null, isCalmState(row.primary_state) !== row.calm_probability >= 0.5);
  });

  test('is stored with three decimals, beside the level of its reading and the change of half an hour', () => {
    for (const row of moments) {
      assert.equal(round(row.calm_probability), row.calm_probability);
      assert.equal(row.calm_level, row.calm);
      const before = later(row, -2) ?? later(row, -1) ?? row;
      assert.equal(row.calm_change, round(row.calm - before.calm));
    }
  });

  test('leaves moments of every quality, and lines in most pockets on few of them', async () => {
    const byBand = Map.groupBy(moments, ({ band }) => band);
    const share = (band: MqsBand) => (byBand.get(band)?.length ?? 0) / moments.length;
    assert.ok(share('silent') > 0.5 && share('silent') < 0.7, `${share('silent')}`);
    for (const band of mqsBands)
      if (band !== 'silent') assert.ok(share(band) > 0.02 && share(band) < 0.2, `${band} ${share(band)}`);
    const spoken = await store.all<{ n: number }>('select count(*) as n from packages group by pocket_id');
    assert.ok(spoken.length >= pockets.length - 3, `${spoken.length}`);
    const lines = spoken.reduce((sum, { n }) => sum + n, 0) / moments.length;
    assert.ok(lines > 0.002 && lines < 0.2, `${lines}`);
  });
});

const tool = async <T>(name: string, args: object): Promise<{ answer: T; text: string }> => {
  const { structuredContent, content } = await callTool(url, name, args);
  return { answer: structuredContent as T, text: content[0]?.text ?? '' };
};

/** Times of the last two days, by day and by night, on and between the half hours at which stories are written. */
const times = [0, 2.25, 5.5, 9.75, 13, 17.25, 22.5, 30, 38.75, 44].map((hours) => NOON - hours * HOUR);

describe('the next possible window', () => {
  const HALF = 2 * SLOT;
  test('is the first half hour with enough lines in the record, or null where there is none', async () => {
    const lines = await store.all<{ pocket_id: string; slot: number; expires_at: number }>(
      'select pocket_id, slot, expires_at from packages',
    );
    const since = Math.min(...rows.map(({ slot }) => slot));
    for (const time of times.filter((_, i) => i % 2 === 0)) {
      clock.now = time + MINUTE;
      const now = clock.now;
      for (const { id: pocket_id } of pockets) {
        const { answer, text } = await tool<AnswerOf<typeof getPocketSilence>>('get_pocket_silence', {
          pocket_id,
        });
        if (!('next_possible_window' in answer)) continue;
        const own = lines.filter((line) => line.pocket_id === pocket_id);
        const past = own.filter(({ slot }) => slot <= now);
        const live = Math.max(now, ...past.slice(-1).map(({ expires_at }) => expires_at));
        // Written anew, day by day, from the rows alone.
        let expected: number | null = null;
        for (let at = Math.ceil(live / HALF) * HALF; at < now + DAY && expected === null; at += HALF) {
          const days: { rest: boolean; spoke: boolean }[] = [];
          for (let half = at - DAY; half >= since && half >= now - 30 * DAY; half -= DAY) {
            if (half + HALF > now) continue;
            const spoke = past.some(({ slot }) => slot >= half && slot < half + HALF);
            days.push({ rest: isRestDay(half, calendar), spoke });
          }
          const like = days.filter(({ rest }) => rest === isRestDay(at, calendar));
          const counted = like.length >= 10 ? like : days;
          const spoken = counted.filter(({ spoke }) => spoke).length;
          if (spoken >= 3 && spoken / counted.length >= 0.1) expected = at;
        }
        const next = answer.next_possible_window === null ? null : Date.parse(answer.next_possible_window);
        assert.equal(next, expected, `${pocket_id} at ${new Date(now).toISOString()}`);
        assert.ok(text.includes(answer.next_possible_window_reason), text);
        if (next === null) continue;
        assert.ok(!isSleepHour(singapore.hourOfDay(next)));
      }
    }
    clock.now = NOON;
  });

  test('is kept as often as its shares say, within ten points, by day, evening and night', async () => {
    const lines = await store.all<{ pocket_id: string; slot: number; expires_at: number }>(
      'select pocket_id, slot, expires_at from packages order by slot',
    );
    const since = Math.min(...rows.map(({ slot }) => slot));
    const given: { now: number; share: number; kept: number }[] = [];
    for (const own of Map.groupBy(lines, ({ pocket_id }) => pocket_id).values())
      for (let now = since + 14 * DAY + MINUTE; now < NOON; now += 7 * SLOT) {
        const past = own.filter(({ slot }) => slot <= now && slot > now - WINDOW_RECORD);
        const live_until = past.findLast(({ expires_at }) => expires_at > now)?.expires_at ?? null;
        const began = past.map(({ slot }) => slot);
        const { at, share } = nextPossibleWindow({ now, live_until, began, since, calendar });
        if (at === null || share === null || at + HALF > NOON) continue;
        const kept = own.some(({ slot }) => slot >= at && slot < at + HALF) ? 1 : 0;
        given.push({ now, share, kept });
      }
    const parts = Map.groupBy(given, ({ now }) => Math.floor(singapore.hourOfDay(now) / 8));
    for (const [name, group] of [['all', given] as const, ...parts]) {
      const [stated, observed] = [mean(group.map(({ share }) => share)), mean(group.map(({ kept }) => kept))];
      assert.ok(group.length > 100, `${name}: ${group.length}`);
      assert.ok(Math.abs(stated - observed) <= 0.1, `${name}: stated ${stated}, observed ${observed}`);
    }
  });
});
