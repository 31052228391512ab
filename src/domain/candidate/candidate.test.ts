import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at } from '../../../test/support/rows/example-moment.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { bareLevelIn, voiceFaults, wordCount } from '../text/voice.ts';
import { MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type CandidateInput, candidateLine, composeBeats } from './candidate.ts';

const example: CandidateInput = {
  name: 'Tiong Bahru',
  zone: singapore,
  now: at,
  primary_state: 'calm-productive',
  calm: 0.8,
  usual_calm: 0.5,
  network_calm: 0.6,
  ends_at: at + 36 * MINUTE,
};

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(composeBeats(example), {
    observation: 'tiong bahru is quiet and at work',
    math: 'much calmer than usual',
    window: 'until about half past three',
  });
  assert.equal(
    candidateLine(example),
    'tiong bahru is quiet and at work; much calmer than usual; until about half past three.',
  );
  assert.equal(
    candidateLine({ ...example, usual_calm: 0.7, ends_at: at + 120 * MINUTE }),
    'tiong bahru is quiet and at work; calmer than a usual wednesday afternoon; until about five.',
  );
});

test('the comparison is what is good about the moment', () => {
  const short = { name: 'Siglap', primary_state: 'lively-social', ends_at: at + 60 * MINUTE } as const;
  const math = (more: Partial<CandidateInput>) => composeBeats({ ...example, ...short, ...more }).math;
  const table: [calm: number, usual: number | null, network: number | null, math: string][] = [
    [0.8, 0.65, null, 'much calmer than a usual wednesday afternoon'],
    [0.8, 0.651, 0.1, 'calmer than a usual wednesday afternoon'],
    [0.8, 0.75, 0.1, 'calmer than a usual wednesday afternoon'],
    [0.8, 0.751, 0.65, 'much calmer than the rest of the city'],
    [0.8, null, 0.75, 'calmer than the rest of the city'],
    [0.8, 0.9, 0.75, 'calmer than the rest of the city'],
    [0.8, 0.785, 0.9, 'a little calmer than a usual wednesday afternoon'],
    [0.8, 0.786, 0.765, 'a little calmer than the rest of the city'],
    [0.8, 0.9, 0.765, 'a little calmer than the rest of the city'],
    [0.8, 0.786, 0.766, 'about as calm as a usual wednesday afternoon'],
    [0.8, 0.849, 0.8, 'about as calm as a usual wednesday afternoon'],
    [0.55, 0.6, 0.6, 'calm, but less so than a usual wednesday afternoon'],
    [0.549, 0.6, 0.6, 'less calm than a usual wednesday afternoon'],
    [0.5, null, 0.549, 'about as calm as the rest of the city'],
    [0.5, null, 0.55, 'less calm than the rest of the city'],
    [0.5, null, null, 'not to be compared yet'],
  ];
  for (const [calm, usual_calm, network_calm, expected] of table)
    assert.equal(math({ calm, usual_calm, network_calm }), expected);
});

test('the wordings of one pocket and state alternate', () => {
  const lines = Array.from({ length: 6 }, (_, n) => candidateLine({ ...example, now: at + n * SLOT }));
  assert.equal(new Set(lines.map((line) => line.split(';')[0])).size, 3);
  for (const line of lines) assert.match(line, /; until about half past three\.$/);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inputs = fc.record({
  zone: fc.constant(singapore),
  name: fc.constantFrom('Siglap', 'Chip Bee Gardens', '荷兰村', "Jalan O'Dea", 'The Far End of Joo'),
  now: fc.integer({ min: 0, max: 96 * 365 }).map((slots) => at + slots * SLOT),
  primary_state: fc.constantFrom(...primaryStates),
  calm: share,
  usual_calm: fc.option(share),
  network_calm: fc.option(share),
  ends_at: fc.integer({ min: 10, max: 1440 }).map((minutes) => at + minutes * MINUTE),
});

test('with a name of up to five words, a line has at most 18 words, passes the voice rules and names no level', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const line = candidateLine(input);
      assert.deepEqual(voiceFaults(line, 'emit'), [], line);
      assert.ok(wordCount(line) <= 18);
      assert.equal(bareLevelIn(line), null);
    }),
    { numRuns: 1000 },
  );
});
