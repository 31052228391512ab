// The verifier judges lines and silences with code of its own: here it is compared with the service's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SLOT } from '../../src/domain/time/slot.ts';
import { verdictPayload } from '../../src/domain/verdict/verdict.ts';
import { wrongVerdict } from '../../src/verify/figures/verdicts.ts';

const level = (least: number, most: number) =>
  fc.integer({ min: 1000 * least, max: 1000 * most }).map((thousandths) => thousandths / 1000);

/** Around the bounds of the rule, where two ways to compute would differ; mostly calm, seldom missing. */
const reading = fc.option(
  fc.record({ calm: level(0.5, 0.65), calm_state: fc.integer({ min: 0, max: 9 }).map((n) => n > 0) }),
  { nil: null, freq: 40 },
);

test('both find the same outcome for any readings and usual', () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(reading, { minLength: 1, maxLength: 13 }),
      fc.option(level(0.45, 0.6), { nil: null, freq: 20 }),
      fc.boolean(),
      (readings, usual_calm, spoke) => {
        const ends_at = (readings.length - 1) * SLOT;
        const verdict = verdictPayload(
          { id: 'holland-0', pocket_id: 'holland', slot: 0, ends_at, usual_calm, spoke, leaf: 0 },
          {
            calm: readings.map((one) => one?.calm ?? null),
            calm_state: readings.map((one) => one?.calm_state ?? null),
          },
        );
        outcomes.add(verdict.outcome);
        assert.equal(wrongVerdict(verdict), undefined, JSON.stringify(verdict));
      },
    ),
    { numRuns: 5000 },
  );
  assert.equal(outcomes.size, 7, [...outcomes].join());
});
