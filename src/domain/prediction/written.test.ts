import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSealedBeforeOutcome, type Written, whenWritten, writtenSentence } from './written.ts';

// The forecast of docs/formulas.md, "Sealed forecasts".
const forecast = { sealed_at: '2026-11-11T04:00:00.000Z', reveal_at: '2026-11-11T05:00:00.000Z' };
const silence = { sealed_at: '2026-11-11T04:00:00.000Z', window_end: '2026-11-11T05:00:00.000Z' };
const submission = { prediction_window_end: '2026-11-11T05:00:00.000Z' };
const reveal = { revealed_at: '2026-11-11T05:00:00.000Z' };
const at = (clock: string): Written => ({ written_at: `2026-11-11T${clock}Z` });
const later: Written = { written_at: '2026-11-15T20:00:00.000Z', backfilled: true };
const history = 'as history of the simulated city';

test('an entry is sealed before its outcome when a live clock wrote it earlier', () => {
  const cases: [name: string, payload: object, written: Written, before: boolean | null, words: string][] = [
    ['a live forecast', forecast, at('04:00:02.125'), true, 'before its outcome'],
    ['a forecast that was late', forecast, at('05:00:00.000'), false, 'after its outcome'],
    ['a forecast of the history', forecast, later, false, history],
    ['one that is still open', forecast, { ...at('04:00:00.000'), backfilled: true }, false, history],
    ['a live silence', silence, at('04:00:02.125'), true, 'before its outcome'],
    ['a silence of the history', silence, later, false, history],
    ['a submission', submission, at('04:59:59.999'), true, 'before its outcome'],
    ['a reveal', reveal, at('05:00:02.125'), null, 'an outcome'],
    ['a change of the key', { type: 'key' }, at('05:00:02.125'), null, 'a change of the key'],
    ['a reveal of the history', reveal, later, null, `an outcome, ${history}`],
  ];
  for (const [name, payload, written, before, words] of cases) {
    assert.equal(isSealedBeforeOutcome({ ...payload, ...written }), before, name);
    assert.equal(whenWritten({ ...payload, ...written }), words, name);
  }
});

test('the sentence leads with what was sealed before its outcome', () => {
  const told = (sealed_before_outcome: number, written_afterwards: number, day: string | null = null) =>
    writtenSentence({ sealed_before_outcome, written_afterwards }, day);
  assert.equal(told(0, 0), 'nothing has been sealed yet.');
  assert.equal(told(1, 0), '1 entry was sealed before its outcome, none afterwards.');
  assert.equal(told(1234, 0), '1,234 entries were sealed before their outcome, none afterwards.');
  assert.equal(
    told(0, 8721, '2026-11-15'),
    `no entry has been sealed before its outcome yet; 8,721 were written afterwards, ${history}, on 2026-11-15.`,
  );
  assert.equal(
    told(54, 394901, '2026-11-15'),
    `54 entries were sealed before their outcome; 394,901 were written afterwards, ${history}, on 2026-11-15.`,
  );
});
