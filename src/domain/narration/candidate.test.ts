import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at } from '../../../test/support/rows/example-moment.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { faultsOf, wordCount } from '../text/voice.ts';
import { SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type CandidateInput, candidateLine, composeBeats } from './candidate.ts';

const example: CandidateInput = {
  name: 'Tiong Bahru',
  zone: singapore,
  now: at,
  primary_state: 'calm-productive',
  calm: 0.8,
  stress: 0.3,
  usual_stress: 0.4,
  network_calm: 0.6,
  half_life_minutes: 36,
};

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(composeBeats(example), {
    observation: 'tiong bahru is quiet and at work',
    math: 'stress 0.10 under its usual',
    window: 'until about 15:36',
  });
  assert.equal(
    candidateLine(example),
    'tiong bahru is quiet and at work; stress 0.10 under its usual; until about 15:36.',
  );
});

test('the figure is what is good about the moment', () => {
  const math = (more: Partial<CandidateInput>) => composeBeats({ ...example, ...more }).math;
  const alone = { usual_stress: null, network_calm: null };
  const table: [more: Partial<CandidateInput>, math: string][] = [
    [{}, 'stress 0.10 under its usual'],
    [{ usual_stress: 0.34 }, 'calm 0.80 against 0.60 around'],
    [{ usual_stress: 0.2 }, 'calm 0.80 against 0.60 around'],
    [{ usual_stress: null, network_calm: 0.9 }, 'calm 0.80'],
    [{ usual_stress: 0.2, network_calm: 0.75 }, 'calm 0.80'],
    [{ ...alone, calm: 0.55 }, 'calm 0.55'],
    [{ calm: 0.5, usual_stress: 0.316, network_calm: 0.6 }, 'stress 0.02 under its usual'],
    [{ calm: 0.5, usual_stress: 0.2, network_calm: 0.46 }, 'calm 0.50 against 0.46 around'],
    [{ ...alone, calm: 0.54 }, 'calm only 0.54'],
    [{ calm: 0.3, usual_stress: 0.2, network_calm: 0.6 }, 'calm only 0.30'],
  ];
  for (const [more, expected] of table) assert.equal(math(more), expected);
});

test('the wordings of one pocket and state alternate', () => {
  const lines = Array.from({ length: 6 }, (_, n) => candidateLine({ ...example, now: at + n * SLOT }));
  assert.equal(new Set(lines.map((line) => line.split(';')[0])).size, 3);
  for (const line of lines) assert.match(line, /; until about \d\d:\d\d\.$/);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inputs = fc.record({
  zone: fc.constant(singapore),
  name: fc.constantFrom('Siglap', 'Tiong Bahru', 'Chip Bee Gardens', '荷兰村', "Jalan O'Dea"),
  now: fc.integer({ min: 0, max: 96 * 365 }).map((slots) => at + slots * SLOT),
  primary_state: fc.constantFrom(...primaryStates),
  calm: share,
  stress: share,
  usual_stress: fc.option(share),
  network_calm: fc.option(share),
  half_life_minutes: fc.integer({ min: 10, max: 240 }),
});

test('with a name of up to three words, a line has at most 18 words and passes the voice rules', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const line = candidateLine(input);
      assert.deepEqual(faultsOf(line, 'emit'), [], line);
      assert.ok(wordCount(line) <= 18);
    }),
    { numRuns: 1000 },
  );
});
