import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reading } from '../../../test/support/rows/example-moment.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  type PocketHistory,
  type SpellNorms,
  updateHistory,
  updateSpellNorms,
  usualSpellMinutes,
} from './pocket-history.ts';
import type { PrimaryState } from './primary-state.ts';

const nine = Date.parse('2026-11-11T09:00:00+08:00');
const at = (slots: number, primary_state: PrimaryState = 'calm-productive') => ({
  ...reading,
  slot: nine + slots * SLOT,
  primary_state,
});
/** The history after one reading a slot, of these states; null is a gap. */
function historyOf(states: readonly (PrimaryState | null)[]) {
  let memory: PocketHistory | undefined;
  let spells: SpellNorms = {};
  states.forEach((state, slot) => {
    if (state === null) return;
    const next = updateHistory(memory, at(slot, state));
    spells = updateSpellNorms(spells, memory, next, singapore) ?? spells;
    memory = next;
  });
  assert.ok(memory);
  return { memory, spells };
}

const calm = (slots: number) => Array<PrimaryState>(slots).fill('calm-productive');
const busy: PrimaryState = 'busy-productive';

test('the worked example of docs/formulas.md', () => {
  // Calm for 60, 90 and 120 minutes, each ended by a busy quarter hour; then calm again.
  const { spells } = historyOf([...calm(4), busy, ...calm(6), busy, ...calm(8), busy]);
  assert.equal(
    usualSpellMinutes(spells, { state: 'calm-productive', since: nine }, singapore),
    null,
    'they began in different parts of the day',
  );
  const morning = historyOf([...calm(2), busy, ...calm(3), busy, ...calm(4), busy]);
  assert.equal(usualSpellMinutes(morning.spells, { state: 'calm-productive', since: nine }, singapore), 45);
});

describe('the history', () => {
  test('holds two hours of calm, a day of spoken slots, the end of a live line, an hour of MQS', () => {
    const slot = nine + 100 * SLOT;
    const memory: PocketHistory = {
      recent: [slot - 2 * HOUR, slot - 2 * HOUR + SLOT, slot - SLOT].map((slot) => ({ slot, calm: 0.5 })),
      spoken: [slot - DAY, slot - DAY + SLOT],
      live_until: slot + 1,
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
      spell: { state: 'calm-productive', since: nine },
      qualities: [],
    });
  });
});

describe('a spell', () => {
  const since = (states: (PrimaryState | null)[]) => (historyOf(states).memory.spell.since - nine) / SLOT;
  test('continues while the state does, and begins with another', () => {
    assert.equal(since(calm(4)), 0);
    assert.equal(since([...calm(4), busy]), 4);
    assert.equal(since([...calm(4), busy, ...calm(2)]), 5);
  });

  test('begins again after a gap', () => {
    assert.equal(since([...calm(4), null, ...calm(2)]), 5);
  });

  test('that ended in a gap is not counted', () => {
    assert.deepEqual(historyOf([...calm(4), null, busy]).spells, {});
    assert.deepEqual(historyOf(calm(9)).spells, {}, 'nor is one that has not ended');
    assert.deepEqual(Object.keys(historyOf([...calm(4), busy]).spells), ['calm-productive 3']);
  });
});

test('the usual length is null before three spells have ended', () => {
  const spell = { state: 'calm-productive', since: nine } as const;
  const two = [...calm(1), busy, ...calm(1), busy];
  assert.equal(usualSpellMinutes(historyOf(two).spells, spell, singapore), null);
  assert.equal(usualSpellMinutes(historyOf([...two, ...calm(1), busy]).spells, spell, singapore), 15);
  assert.equal(
    usualSpellMinutes(historyOf(two).spells, { ...spell, since: nine + 3 * HOUR }, singapore),
    null,
    'and in another part of the day',
  );
});
