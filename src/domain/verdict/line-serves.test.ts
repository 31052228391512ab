import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Aftermath, hasServed, type LineOutcome, lineServes } from './line-serves.ts';

/** Readings as they are judged: a calm state from 0.55 on; null where nothing was read. */
const after = (...calm: (number | null)[]): Aftermath => ({
  calm,
  calm_state: calm.map((level) => (level === null ? null : level >= 0.55)),
});

const held = after(0.6, 0.5, 0.65, 0.7, 0.7);

const cases: [name: string, after: Aftermath, usual: number | null, outcome: LineOutcome][] = [
  ['the worked example of docs/formulas.md', held, 0.52, 'served'],
  ['its second case', after(0.55, 0.5, 0.55, 0.6, 0.6), 0.52, 'no_better'],
  ['its third case', after(0.8, 0.5, 0.5, 0.9), 0.52, 'did_not_hold'],
  ['just noticeably above the usual', after(0.6, 0.6, 0.6), 0.549, 'served'],
  ['a difference of just 0.05', after(0.55, 0.55, 0.55), 0.5, 'served'],
  ['a difference just under 0.05', after(0.55, 0.55, 0.55), 0.501, 'no_better'],
  ['a calm state is usual then', after(0.9, 0.9, 0.9), 0.55, 'usually_calm'],
  ['not calm when it was said', after(0.54, 0.9, 0.9), 0.3, 'not_calm'],
  ['the last two readings without calm', after(0.8, 0.8, 0.5, 0.5), 0.3, 'did_not_hold'],
  ['one, and another one later', after(0.8, 0.5, 0.8, 0.5, 0.8), 0.3, 'served'],
  ['the end itself without calm', after(0.8, 0.8, 0.5), 0.3, 'served'],
  ['the usual is not known', held, null, 'unknown_usual'],
  ['a reading is missing', after(0.8, null, 0.8), 0.3, 'unknown_readings'],
  ['nothing was read', after(null, null, null), 0.3, 'unknown_readings'],
  ['it failed before the missing reading', after(0.8, 0.5, 0.5, null), null, 'did_not_hold'],
  ['it was not calm, and the rest is missing', after(0.5, null, null), null, 'not_calm'],
  ['a missing reading between two without calm', after(0.8, 0.5, null, 0.5, 0.8), 0.3, 'unknown_readings'],
];
for (const [name, given, usual, outcome] of cases)
  test(`${outcome}: ${name}`, () => assert.equal(lineServes(given, usual), outcome));

test('what is unknown is neither served nor failed', () => {
  const verdicts = ['served', 'not_calm', 'no_better', 'unknown_usual', 'unknown_readings'] as const;
  assert.deepEqual(verdicts.map(hasServed), [true, false, false, null, null]);
});
