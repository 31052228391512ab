import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { zeroSums } from '../stats/rollup.ts';
import { voiceFaults } from '../text/voice.ts';
import {
  cellSums,
  cellsText,
  decisionCells,
  failedOutcomes,
  linesJudged,
  silencesJudged,
} from './decision-cells.ts';
import { hasServed, lineOutcomes } from './line-serves.ts';
import type { DecisionCells } from './verdict.ts';

const none: DecisionCells = decisionCells(zeroSums(cellSums));

test('the worked example of docs/formulas.md', () => {
  const cells = decisionCells({
    ...{ lines_served: 288, lines_failed: 56, lines_unjudged: 3 },
    ...{ vindicated: 42_661, missed: 1185, unjudged: 9 },
  });
  assert.deepEqual(cells, {
    spoke_served: 288,
    spoke_failed: 56,
    silent_right: 42_661,
    silent_wrong: 1185,
    inconclusive: 12,
  });
  assert.deepEqual(linesJudged(cells), { n: 344, right: 288, share: 0.837 });
  assert.deepEqual(silencesJudged(cells), { n: 43_846, right: 42_661, share: 0.973 });
});

describe('in words', () => {
  const cases: [given: Partial<DecisionCells>, text: string][] = [
    [{}, 'no line was judged, no silence was judged'],
    [{ inconclusive: 2 }, 'no line was judged, no silence was judged; 2 could not be judged'],
    [
      { spoke_served: 288, spoke_failed: 56, silent_right: 42_661, silent_wrong: 1185 },
      'of 344 lines judged 288 served (83.7\u00a0%), of 43,846 silences 42,661 were right (97.3\u00a0%)',
    ],
    [
      { spoke_failed: 1, silent_right: 1, inconclusive: 1 },
      'of 1 line judged 0 served (0.0\u00a0%), of 1 silence 1 was right (100.0\u00a0%); 1 could not be judged',
    ],
    [{ silent_wrong: 2 }, 'no line was judged, of 2 silences 0 were right (0.0\u00a0%)'],
  ];
  for (const [given, text] of cases)
    test(text, () => {
      assert.equal(cellsText({ ...none, ...given }), text);
      assert.deepEqual(voiceFaults(text), []);
    });
});

test('without a verdict there is no share', () => {
  assert.deepEqual(linesJudged(none), { n: 0, right: 0, share: null });
  assert.deepEqual(silencesJudged({ ...none, inconclusive: 5 }), { n: 0, right: 0, share: null });
});

test('a line fails in every way that is neither served nor unknown', () => {
  assert.deepEqual(
    [...failedOutcomes],
    lineOutcomes.filter((outcome) => hasServed(outcome) === false),
  );
});
