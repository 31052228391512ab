import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateOf, HOUR, SLOT, slotOf } from '../time/sgt.ts';
import {
  addCounts,
  addKinds,
  countsOf,
  everySubject,
  noKinds,
  nothingCounted,
  piecesOf,
  THIRD,
} from './thirds.ts';

const at = (local: string) => Date.parse(`${local}+08:00`);

test('a window in pieces', () => {
  // After 07:10 on the first day, until 00:20 on the second.
  const pieces = piecesOf({ after: at('2026-11-10T07:10:00'), until: at('2026-11-11T00:20:00') });
  const told = pieces.map(({ from, to, whole }) => [
    new Date(from + 8 * HOUR).toISOString().slice(8, 16),
    (to - from) / SLOT,
    whole,
  ]);
  assert.deepEqual(told, [
    ['10T07:15', 3, false],
    ['10T08:00', 32, true],
    ['10T16:00', 32, true],
    ['11T00:00', 2, false],
  ]);
  assert.deepEqual(piecesOf({ after: at('2026-11-10T08:00:00'), until: at('2026-11-10T08:14:00') }), []);
});

test('whatever the window, its pieces are its slots, each within one day here and in UTC', () => {
  const time = fc.integer({ min: at('2026-01-01T00:00:00'), max: at('2027-01-01T00:00:00') });
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 20 * THIRD }), (after, length) => {
      const until = after + length;
      const pieces = piecesOf({ after, until });
      let next = slotOf(after) + SLOT;
      for (const { from, to, whole } of pieces) {
        assert.equal(from, next);
        assert.ok(to > from && to - from <= THIRD);
        assert.equal(whole, to - from === THIRD);
        assert.equal(dateOf(from), dateOf(to - 1));
        assert.equal(new Date(from).getUTCDate(), new Date(to - 1).getUTCDate());
        next = to;
      }
      if (pieces.length) assert.equal(next, slotOf(until) + SLOT);
      else assert.ok(slotOf(until) <= slotOf(after));
    }),
  );
});

test('counts add up, also where some were not asked for', () => {
  const counts = nothingCounted();
  addCounts(counts, { readings: 2, score: 5 });
  addCounts(counts, { readings: 3 });
  assert.deepEqual(counts, { ...nothingCounted(), readings: 5, score: 5 });
  assert.deepEqual(countsOf(everySubject).sort(), Object.keys(nothingCounted()).sort());
});

test('kinds add up by name', () => {
  const kinds = noKinds();
  const given = {
    gates: { resonance: [5, 1, 1, 0] },
    tiers: { experience: 2 },
    generators: { quiet_window_60m: [4, 3, 2] },
    misses: { weather_miss: 1 },
  } satisfies typeof kinds;
  addKinds(kinds, given);
  addKinds(kinds, { ...given, gates: { voice: [1, 0, 0, 0], resonance: [0, 2, 1, 1] } });
  assert.deepEqual(kinds, {
    gates: { resonance: [5, 3, 2, 1], voice: [1, 0, 0, 0] },
    tiers: { experience: 4 },
    generators: { quiet_window_60m: [8, 6, 4] },
    misses: { weather_miss: 2 },
  });
  assert.deepEqual(given.gates.resonance, [5, 1, 1, 0], 'what was added is left as it was');
});
