import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hours, pocketQuarters, start } from '../../../../test/support/rows/four-weeks.ts';
import { voiceFaults } from '../../text/voice.ts';
import { DAY } from '../../time/slot.ts';
import { singapore } from '../../time/zones.fixture.ts';
import { decisionSupport } from './decision-support.ts';

const others = (outlets: number) => ({ outlets, use: 0.4567 });

test('the worked example of docs/formulas.md', () => {
  const lines = decisionSupport(hours, pocketQuarters, others(5), singapore);
  assert.deepEqual(lines, [
    'within its hours the pocket is calmest from 13:00 to 14:00 (n = 112).',
    'within its hours most people pass from 17:00 to 18:00: 300 an hour (n = 112).',
    'other outlets of the pocket, while open, have 46\u00a0% of their room in use (n = 5).',
  ]);
  for (const line of lines) assert.deepEqual(voiceFaults(line, 'emit'), []);
});

test('no line is based on fewer than five samples', () => {
  for (const outlets of [0, 1, 2, 3, 4, 5, 6]) {
    const lines = decisionSupport(hours, [], others(outlets), singapore);
    assert.equal(lines.length, outlets >= 5 ? 1 : 0, `${outlets}`);
  }
  // Four quarter hours of an hour in one day, eight in two.
  const first = (days: number) => pocketQuarters.filter(({ slot }) => slot < start + days * DAY);
  assert.deepEqual(decisionSupport(hours, first(1), others(0), singapore), []);
  assert.equal(decisionSupport(hours, first(2), others(0), singapore).length, 2);
});

test('closed hours and missing observations are not counted', () => {
  const unseen = pocketQuarters.map((street) => ({ ...street, calm: null, footfall: null }));
  assert.deepEqual(decisionSupport(hours, unseen, others(0), singapore), []);
  const [calm] = decisionSupport(
    { opens_at: '16:00', closes_at: '18:00' },
    pocketQuarters,
    others(0),
    singapore,
  );
  assert.equal(calm, 'within its hours the pocket is calmest from 16:00 to 17:00 (n = 112).');
});
