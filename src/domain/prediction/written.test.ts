import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSealedBeforeOutcome } from './written.ts';

const forecast = { sealed_at: '2026-11-11T04:00:00.000Z', reveal_at: '2026-11-11T05:00:00.000Z' };
const silence = { sealed_at: '2026-11-11T04:00:00.000Z', window_end: '2026-11-11T05:00:00.000Z' };
const submission = { prediction_window_end: '2026-11-11T05:00:00.000Z' };
const reveal = { revealed_at: '2026-11-11T05:00:00.000Z' };
const at = (clock: string) => ({ written_at: `2026-11-11T${clock}Z` });
const later = { written_at: '2026-11-15T20:00:00.000Z', backfilled: true } as const;

test('an entry is sealed before its outcome when a live clock wrote it earlier', () => {
  const cases: [
    name: string,
    payload: object,
    written: typeof later | ReturnType<typeof at>,
    boolean | null,
  ][] = [
    ['a live forecast', forecast, at('04:00:02.125'), true],
    ['a forecast that was late', forecast, at('05:00:00.000'), false],
    ['a forecast of the simulated history', forecast, later, false],
    ['a live silence', silence, at('04:00:02.125'), true],
    ['a silence of the simulated history', silence, later, false],
    ['a submission', submission, at('04:59:59.999'), true],
    ['a reveal', reveal, at('05:00:02.125'), null],
    ['a reveal of the simulated history', reveal, later, null],
  ];
  for (const [name, payload, written, expected] of cases)
    assert.equal(isSealedBeforeOutcome({ ...payload, ...written }), expected, name);
});

test('a virtual clock never seals before the outcome, however early it wrote', () => {
  assert.equal(isSealedBeforeOutcome({ ...forecast, ...at('04:00:00.000'), backfilled: true }), false);
});
