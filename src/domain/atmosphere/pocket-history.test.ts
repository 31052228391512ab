import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reading } from '../../../test/support/example.ts';
import { DAY, HOUR, SLOT } from '../time/sgt.ts';
import { learnSpell, type PocketHistory, remember, type SpellNorms, usualSpell } from './pocket-history.ts';
import type { PrimaryState } from './primary-state.ts';

const nine = Date.parse('2026-11-11T09:00:00+08:00');
const at = (slots: number, primary_state: PrimaryState = 'calm-productive') => ({
  ...reading,
  slot: nine + slots * SLOT,
  primary_state,
});
/** What is remembered after one reading a slot, of these states. */
function live(states: readonly (PrimaryState | null)[]) {
  let memory: PocketHistory | undefined;
  let spells: SpellNorms = {};
  states.forEach((state, slot) => {
    if (state === null) return;
    const next = remember(memory, at(slot, state));
    spells = learnSpell(spells, memory, next) ?? spells;
    memory = next;
  });
  assert.ok(memory);
  return { memory, spells };
}

const calm = (slots: number) => Array<PrimaryState>(slots).fill('calm-productive');
const busy: PrimaryState = 'busy-productive';

test('the worked example of docs/formulas.md', () => {
  // Calm for 60, 90 and 120 minutes, each ended by a busy quarter hour; then calm again.
  const { spells } = live([...calm(4), busy, ...calm(6), busy, ...calm(8), busy]);
  assert.equal(
    usualSpell(spells, { state: 'calm-productive', since: nine }),
    null,
    'they began in two parts of the day',
  );
  const morning = live([...calm(2), busy, ...calm(3), busy, ...calm(4), busy]);
  assert.equal(usualSpell(morning.spells, { state: 'calm-productive', since: nine }), 45);
});

describe('what is remembered', () => {
  test('two hours of calm, a day of what was said, an hour of quality', () => {
    const slot = nine + 100 * SLOT;
    const memory: PocketHistory = {
      recent: [slot - 2 * HOUR, slot - 2 * HOUR + SLOT, slot - SLOT].map((slot) => ({ slot, calm: 0.5 })),
      spoken: [slot - DAY, slot - DAY + SLOT],
      spell: { state: 'calm-productive', since: slot - HOUR },
      qualities: [slot - HOUR - SLOT, slot - HOUR].map((slot) => ({ slot, mqs: 0.5 })),
    };
    const now = remember(memory, at(100));
    assert.deepEqual(
      now.recent.map((past) => past.slot),
      [slot - 2 * HOUR + SLOT, slot - SLOT, slot],
    );
    assert.deepEqual(now.spoken, [slot - DAY + SLOT]);
    assert.deepEqual(
      now.qualities.map((past) => past.slot),
      [slot - HOUR],
    );
    assert.equal(memory.recent.length, 3, 'what was given is left as it is');
  });

  test('nothing before the first reading', () => {
    assert.deepEqual(remember(undefined, at(0)), {
      recent: [{ slot: nine, calm: 0.8 }],
      spoken: [],
      spell: { state: 'calm-productive', since: nine },
      qualities: [],
    });
  });
});

describe('a spell', () => {
  const since = (states: (PrimaryState | null)[]) => (live(states).memory.spell.since - nine) / SLOT;
  test('goes on with its state and begins anew with another', () => {
    assert.equal(since(calm(4)), 0);
    assert.equal(since([...calm(4), busy]), 4);
    assert.equal(since([...calm(4), busy, ...calm(2)]), 5);
  });

  test('begins anew after a gap', () => {
    assert.equal(since([...calm(4), null, ...calm(2)]), 5);
  });

  test('that a gap cut short is not learned from', () => {
    assert.deepEqual(live([...calm(4), null, busy]).spells, {});
    assert.deepEqual(live(calm(9)).spells, {}, 'nor one that has not ended');
    assert.deepEqual(Object.keys(live([...calm(4), busy]).spells), ['calm-productive 3']);
  });
});

test('how long spells last is unknown before three have ended', () => {
  const spell = { state: 'calm-productive', since: nine } as const;
  const two = [...calm(1), busy, ...calm(1), busy];
  assert.equal(usualSpell(live(two).spells, spell), null);
  assert.equal(usualSpell(live([...two, ...calm(1), busy]).spells, spell), 15);
  assert.equal(
    usualSpell(live(two).spells, { ...spell, since: nine + 3 * HOUR }),
    null,
    'nor in another part of the day',
  );
});
