// A simulated month: half-lives are what their name says.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PrimaryState } from '../../../src/domain/atmosphere/primary-state.ts';
import { isSleepHour, LONGEST_HALF_LIFE } from '../../../src/domain/decision/moment.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { monthService } from '../../support/services/month.ts';

const { store } = await monthService();

interface Row {
  pocket_id: string;
  slot: number;
  primary_state: PrimaryState;
  half_life_minutes: number | null;
  expires_at: number;
}
const rows = await store.all<Row>(
  `select r.pocket_id, r.slot, r.primary_state, m.half_life_minutes, m.expires_at
   from atmosphere_readings r left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id
   order by r.pocket_id, r.slot`,
);
const LEARNING = 7 * DAY;
const begin = Math.min(...rows.map(({ slot }) => slot)) + LEARNING;

interface Judged extends Row {
  half_life_minutes: number;
  /** Whether the pocket was still in its state, without a break, when the half-life was over. */
  outlived: boolean;
  /** Whether it is the first moment of its spell. */
  first: boolean;
}

/** Every moment whose spell was seen to end. */
const judged: Judged[] = [];
for (let from = 0; from < rows.length; ) {
  const of = rows[from] as Row;
  let to = from + 1;
  const follows = (row: Row | undefined) =>
    row?.pocket_id === of.pocket_id && row.slot === of.slot + (to - from) * SLOT;
  while (follows(rows[to]) && rows[to]?.primary_state === of.primary_state) to += 1;
  const ends = follows(rows[to]) ? rows[to]?.slot : undefined;
  for (const row of rows.slice(from, to)) {
    const { half_life_minutes, expires_at, slot } = row;
    if (ends !== undefined && half_life_minutes !== null && slot >= begin)
      judged.push({ ...row, half_life_minutes, outlived: ends > expires_at, first: row === of });
  }
  from = to;
}

const share = (moments: readonly Judged[]) =>
  moments.filter(({ outlived }) => outlived).length / moments.length;
const waking = judged.filter(({ slot }) => !isSleepHour(singapore.hourOfDay(slot)));

/** Fails unless the share that outlived its half-life is within the bounds. */
function within(name: string, moments: readonly Judged[], low: number, high: number): void {
  const found = share(moments);
  assert.ok(moments.length > 200, `${name}: ${moments.length}`);
  assert.ok(found >= low && found <= high, `${name}: ${found} of ${moments.length}`);
}

describe('half-lives are outlived by 45 to 55 % of spells', () => {
  test('over the month, in waking hours, and counted once for each spell', () => {
    within('all', judged, 0.45, 0.55);
    within('waking', waking, 0.45, 0.55);
    within(
      'first moments',
      waking.filter(({ first }) => first),
      0.45,
      0.55,
    );
  });

  test('whether they are cut off at the longest or not', () => {
    const told = judged.filter(({ half_life_minutes }) => half_life_minutes < LONGEST_HALF_LIFE);
    within('not cut off', told, 0.45, 0.55);
  });

  test('about so in every state, part of the waking day and pocket', () => {
    const groups = [
      ...Map.groupBy(waking, ({ primary_state }) => primary_state),
      ...Map.groupBy(waking, ({ slot }) => `part ${Math.floor(singapore.hourOfDay(slot) / 4)}`),
      ...Map.groupBy(waking, ({ pocket_id }) => pocket_id),
    ];
    assert.ok(groups.length > 20);
    for (const [name, group] of groups) within(name, group, 0.38, 0.62);
  });

  test('and lie in the bounds', () => {
    for (const { half_life_minutes } of judged)
      assert.ok(half_life_minutes >= 10 && half_life_minutes <= 240);
  });
});
