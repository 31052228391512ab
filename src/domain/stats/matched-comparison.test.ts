import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Cell,
  type Comparison,
  compareWithinCells,
  LEAST_PAIRS,
  type OutcomeSums,
  poolComparisons,
  tellable,
} from './matched-comparison.ts';

const sums = (...outcomes: number[]): OutcomeSums => ({
  n: outcomes.length,
  sum: outcomes.reduce((sum, one) => sum + one, 0),
  squares: outcomes.reduce((sum, one) => sum + one ** 2, 0),
});
const cell = (treated: number[], control: number[]): Cell => ({
  treated: sums(...treated),
  control: sums(...control),
});

test('the worked example of docs/formulas.md', () => {
  const cells = [cell([0.1, 0.2], [0, 0.1, 0.2]), cell([0], [0.1]), cell([0.4], [])];
  // 2 × (0.15 − 0.1) + 1 × (0 − 0.1) = 0; variance (0.005 + 0.02) ÷ 3, weights 4 × (1/2 + 1/3) + 1 × 2.
  assert.deepEqual(compareWithinCells(cells), { pairs: 3, difference: 0, standard_error: 0.0703 });
});

const cases: [name: string, cells: Cell[], expected: Comparison][] = [
  ['nothing', [], { pairs: 0, difference: null, standard_error: null }],
  ['one group alone', [cell([0.1, 0.2], [])], { pairs: 0, difference: null, standard_error: null }],
  ['one case each', [cell([0.3], [0.1])], { pairs: 1, difference: 0.2, standard_error: null }],
  ['equal outcomes', [cell([0.1, 0.1], [0.1, 0.1])], { pairs: 2, difference: 0, standard_error: 0 }],
  // The treated are met in the better cell more often, which is no effect of the treatment.
  [
    'a better cell',
    [cell([0.5, 0.5, 0.5], [0.5]), cell([0], [0, 0, 0])],
    { pairs: 2, difference: 0, standard_error: 0 },
  ],
];
for (const [name, cells, expected] of cases)
  test(`compared: ${name}`, () => assert.deepEqual(compareWithinCells(cells), expected));

test('under twenty pairs nothing is told but their number', () => {
  for (const pairs of [0, 1, LEAST_PAIRS - 1])
    assert.deepEqual(tellable({ pairs, difference: 0.2, standard_error: 0.1 }), {
      pairs,
      difference: null,
      standard_error: null,
    });
  const enough = { pairs: LEAST_PAIRS, difference: 0.2, standard_error: 0.1 };
  assert.deepEqual(tellable(enough), enough);
});

test('pooled comparisons count by their pairs', () => {
  assert.deepEqual(
    poolComparisons([
      { pairs: 30, difference: 0.1, standard_error: 0.03 },
      { pairs: 10, difference: -0.1, standard_error: 0.09 },
      { pairs: 1, difference: 5, standard_error: null },
    ]),
    { pairs: 40, difference: 0.05, standard_error: 0.0318 },
  );
  assert.deepEqual(poolComparisons([]), { pairs: 0, difference: null, standard_error: null });
});

test('what changes both groups alike changes nothing; what is added to one is the difference', () => {
  const outcomes = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(outcomes, outcomes), { minLength: 1, maxLength: 5 }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      (groups, shift) => {
        const moved = (values: number[]) => values.map((value) => value + shift);
        const plain = compareWithinCells(groups.map(([one, other]) => cell(one, other)));
        const both = compareWithinCells(groups.map(([one, other]) => cell(moved(one), moved(other))));
        const one = compareWithinCells(groups.map(([treated, control]) => cell(moved(treated), control)));
        const back = compareWithinCells(groups.toReversed().map(([one, other]) => cell(one, other)));
        const near = (a: number | null, b: number | null) =>
          a === null || b === null ? a === b : Math.abs(a - b) < 2e-4;
        assert.equal(
          plain.pairs,
          groups.reduce((sum, [a, b]) => sum + Math.min(a.length, b.length), 0),
        );
        assert.ok(near(both.difference, plain.difference) && near(back.difference, plain.difference));
        assert.ok(near(one.difference, plain.difference === null ? null : plain.difference + shift));
        for (const other of [both, one, back]) assert.ok(near(other.standard_error, plain.standard_error));
        assert.ok(plain.standard_error === null || plain.standard_error >= 0);
      },
    ),
  );
});
