import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason } from '../decision/silence-reason.ts';
import { SLOT } from '../time/slot.ts';
import { decisionRuns } from './decision-runs.ts';

test('slots of the same kind and reason make one run; a gap, another reason and a line that was said part them', () => {
  const decided = (
    [
      [0, 'silence', 'tense'],
      [1, 'silence', 'tense'],
      [2, 'silence', 'why_now'],
      [4, 'silence', 'why_now'],
      [5, 'emit', null],
      [6, 'emit', null],
      [7, 'already_speaking', 'already_speaking'],
    ] as [number, string, Reason | null][]
  ).map(([n, kind, reason]) => ({ slot: n * SLOT, kind, reason }));
  assert.deepEqual(
    decisionRuns(decided).map(({ kind, reason, from, to }) => [kind, reason, from / SLOT, to / SLOT]),
    [
      ['silence', 'tense', 0, 2],
      ['silence', 'why_now', 2, 3],
      ['silence', 'why_now', 4, 5],
      ['emit', null, 5, 6],
      ['emit', null, 6, 7],
      ['already_speaking', 'already_speaking', 7, 8],
    ],
  );
});
