import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reading } from '../../../test/support/rows/example-moment.ts';
import { numbersAt, readTable as table } from '../stats/number-table.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  halfLifeMinutes,
  learnSpell,
  type PocketHistory,
  type SpellCounts,
  updateHistory,
} from './pocket-history.ts';
import type { PrimaryState } from './primary-state.ts';

const nine = Date.parse('2026-11-11T09:00:00+08:00');
const at = (slots: number, primary_state: PrimaryState = 'calm-productive') => ({
  ...reading,
  slot: nine + slots * SLOT,
  primary_state,
});
/** The history after one reading a slot, of these states; null is a gap. */
function buildHistory(states: readonly (PrimaryState | null)[]) {
  let memory: PocketHistory | undefined;
  let spells: SpellCounts = '';
  states.forEach((state, slot) => {
    if (state === null) return;
    const next = updateHistory(memory, at(slot, state));
    spells = learnSpell(spells, memory, next, singapore) ?? spells;
    memory = next;
  });
  assert.ok(memory);
  return { memory, spells };
}

const calm = (slots: number) => Array<PrimaryState>(slots).fill('calm-productive');
const busy: PrimaryState = 'busy-productive';

const half = (spells: SpellCounts, slot = nine, state: PrimaryState = 'calm-productive') =>
  halfLifeMinutes(spells, state, slot, singapore);

test('the worked example of docs/formulas.md', () => {
  // Calm for 30 and for 45 minutes from nine on, each ended by a busy quarter hour.
  assert.deepEqual(
    buildHistory([...calm(2), busy, ...calm(3), busy]).spells,
    table({
      'calm-productive 9': [1, 1, 1],
      'busy-productive 9': [1],
      'calm-productive 10': [1, 1],
    }),
  );
  assert.equal(half(table({ 'calm-productive 9': [10, 8, 12, 10] })), 30);
});

describe('the half-life', () => {
  const full = (counts: number[]) => half(table({ 'calm-productive 9': counts }));
  test('is the quarter hour at which about half of the readings were outlived', () => {
    const table: [counts: number[], minutes: number][] = [
      [[12], 15],
      [[6, 6], 15],
      [[0, 12], 30],
      [[5, 1, 0, 0, 6], 60],
      [[...Array(16).fill(0), 12], 240],
      [[...Array(16).fill(1), 40], 240],
    ];
    for (const [counts, minutes] of table) assert.equal(full(counts), minutes, `${counts}`);
  });

  test('is of the hour, of the whole day while that has few readings, and 45 minutes at first', () => {
    const spells = table({
      'calm-productive 9': [0, 12],
      'calm-productive 14': [11],
      'busy-productive 9': [50],
    });
    assert.equal(half(spells), 30);
    assert.equal(half(spells, nine + 5 * HOUR), 15);
    assert.equal(half(spells, nine + 8 * HOUR), 15);
    assert.equal(half(table({ 'calm-productive 9': [5, 6] })), 45);
    assert.equal(half(spells, nine, 'tense-crowded'), 45);
  });

  test('follows what has changed, in counts that stay small', () => {
    let memory: PocketHistory | undefined;
    let spells: SpellCounts = '';
    for (let day = 0; day < 400; day++)
      for (const [slots, state] of [...calm(day < 200 ? 4 : 1), busy].entries()) {
        const next = updateHistory(memory, at(96 * day + slots, state));
        spells = learnSpell(spells, memory, next, singapore) ?? spells;
        memory = next;
      }
    const counts = numbersAt(spells, 'calm-productive 9') ?? [];
    assert.ok(counts.reduce((sum, count) => sum + count, 0) <= 240);
    assert.ok(counts.every(Number.isInteger));
    assert.equal(half(spells), 15);
  });
});

describe('the history', () => {
  test('holds two hours of calm, a day of spoken slots, the end of a live line, an hour of MQS', () => {
    const slot = nine + 100 * SLOT;
    const memory: PocketHistory = {
      recent: [slot - 2 * HOUR, slot - 2 * HOUR + SLOT, slot - SLOT].map((slot) => ({ slot, calm: 0.5 })),
      spoken: [slot - DAY, slot - DAY + SLOT],
      live_until: slot + 1,
      lines: [{ from: slot - DAY, to: slot + 1 }],
      spell: { state: 'calm-productive', since: slot - HOUR },
      qualities: [slot - HOUR - SLOT, slot - HOUR].map((slot) => ({ slot, mqs: 0.5 })),
    };
    const now = updateHistory(memory, at(100));
    assert.deepEqual(
      now.recent.map((past) => past.slot),
      [slot - 2 * HOUR + SLOT, slot - SLOT, slot],
    );
    assert.deepEqual(now.spoken, [slot - DAY + SLOT]);
    assert.equal(now.live_until, slot + 1);
    assert.equal(updateHistory({ ...memory, live_until: slot }, at(100)).live_until, null);
    assert.deepEqual(
      now.qualities.map((past) => past.slot),
      [slot - HOUR],
    );
    assert.equal(memory.recent.length, 3, 'the given history is not changed');
  });

  test('of the first reading has that reading alone', () => {
    assert.deepEqual(updateHistory(undefined, at(0)), {
      recent: [{ slot: nine, calm: 0.8 }],
      spoken: [],
      live_until: null,
      lines: [],
      spell: { state: 'calm-productive', since: nine },
      qualities: [],
    });
  });
});

describe('a spell', () => {
  const since = (states: (PrimaryState | null)[]) => (buildHistory(states).memory.spell.since - nine) / SLOT;
  test('continues while the state does, and begins with another', () => {
    assert.equal(since(calm(4)), 0);
    assert.equal(since([...calm(4), busy]), 4);
    assert.equal(since([...calm(4), busy, ...calm(2)]), 5);
  });

  test('begins again after a gap', () => {
    assert.equal(since([...calm(4), null, ...calm(2)]), 5);
  });

  test('that ended in a gap is not counted', () => {
    assert.deepEqual(buildHistory([...calm(4), null, busy]).spells, '');
    assert.deepEqual(buildHistory(calm(9)).spells, '', 'nor is one that has not ended');
    assert.deepEqual(
      buildHistory([...calm(5), busy]).spells,
      table({ 'calm-productive 9': [0, 1, 1, 1, 1], 'calm-productive 10': [1] }),
    );
  });
});
