import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, SLOT } from '../time/slot.ts';
import { type KnownOutcome, type OpenWindow, type OpenWindows, stepWindows } from './open-windows.ts';

const start = 100 * HOUR;
const window = (over: Partial<OpenWindow> = {}): OpenWindow => ({
  ...{ kind: 'now', start, chances: [0.9, 0.8], shown: 60 },
  ...over,
});

/** The outcomes of a window that is drafted at `drafted`, with the readings from then on: '.' calm, 'x' not, ' ' none. */
function outcomes(one: OpenWindow, readings: string, drafted = start): KnownOutcome[] {
  let windows: OpenWindows | undefined;
  const known: KnownOutcome[] = [];
  [...readings].forEach((reading, n) => {
    if (reading === ' ') return;
    const step = stepWindows(windows, drafted + n * SLOT, reading === '.', n === 0 ? [one] : []);
    windows = step.windows;
    known.push(...step.outcomes);
  });
  return known;
}

test('a window is known when all of its readings are, at the end of each of its lengths', () => {
  const hour = { kind: 'now', start, minutes: 60, chance: 0.9, shown: true };
  assert.deepEqual(outcomes(window(), '..x..'), [{ ...hour, held: true }]);
  assert.deepEqual(outcomes(window(), '...xx'), [{ ...hour, held: false }]);
  assert.deepEqual(
    outcomes(window(), 'x....'),
    [{ ...hour, held: true }],
    'its first reading is known before',
  );
  assert.deepEqual(outcomes(window(), '....'), [], 'it has not ended');
  assert.deepEqual(outcomes(window(), '.. ..'), [], 'a reading is missing');
  assert.deepEqual(outcomes(window(), '.......'), [
    { ...hour, held: true },
    { ...hour, minutes: 90, chance: 0.8, held: true, shown: false },
  ]);
});

test('one that begins later is judged by the readings after its start', () => {
  const later = window({ kind: 'later', start: start + HOUR, chances: [0.75] });
  assert.deepEqual(
    outcomes(later, 'xxxxx....').map(({ held }) => held),
    [true],
  );
  assert.deepEqual(
    outcomes(later, '.......xx').map(({ held }) => held),
    [false],
  );
});

test('readings and windows are kept no longer than they are needed', () => {
  let windows: OpenWindows | undefined;
  for (let n = 0; n < 200; n++) {
    const slot = start + n * SLOT;
    const usual: OpenWindow = { kind: 'usual', start: slot, chances: [1, 1, 1, 1], shown: null };
    ({ windows } = stepWindows(windows, slot, true, [usual]));
  }
  assert.equal(windows?.read.length, 17);
  assert.equal(windows?.open.length, 16);
});
