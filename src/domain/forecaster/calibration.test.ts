import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allocate } from './buffer-layout.ts';
import { calibrated, learnCalibration, newCalibration, wander } from './calibration.ts';
import { logit, sigmoid } from './recursive.ts';

const DAY = 24;
const fresh = () => allocate(newCalibration).built;
const after = (calibration: ReturnType<typeof fresh>, chance: number) =>
  sigmoid(calibrated(calibration, logit(chance)));

/** Hour by hour, each of the chances is said once a round; `comesTrue` of a hundred of them are right. */
function hear(calibration: ReturnType<typeof fresh>, rounds: number, comesTrue: Record<number, number>) {
  for (let i = 0; i < rounds; i++)
    for (const [said, times] of Object.entries(comesTrue)) {
      wander(calibration, DAY);
      // Evenly spread over the hundred, so that no stretch of it is lucky.
      learnCalibration(calibration, logit(Number(said)), (i * 61) % 100 < times ? 1 : 0, 1);
    }
}

test('who has heard nothing repeats what was said', () => {
  for (const chance of [0.001, 0.02, 0.3, 0.5, 0.77, 0.999])
    assert.ok(Math.abs(after(fresh(), chance) - chance) < 1e-12);
});

const leanings: readonly (readonly [name: string, comesTrue: Record<number, number>])[] = [
  ['too high by a fifth', { 0.7: 50 }],
  ['too sure at both ends', { 0.02: 12, 0.98: 88 }],
  ['too sure when sure, too timid in between', { 0.03: 20, 0.2: 8, 0.9: 90 }],
  ['right all along', { 0.1: 10, 0.4: 40, 0.8: 80 }],
];
for (const [name, comesTrue] of leanings)
  test(`what is said comes to be what comes true: ${name}`, () => {
    const calibration = fresh();
    hear(calibration, 1000, comesTrue);
    for (const [said, times] of Object.entries(comesTrue)) {
      const chance = after(calibration, Number(said));
      assert.ok(Math.abs(chance - times / 100) < 0.035, `${said} → ${chance}, true ${times} in 100`);
    }
  });

test('one day moves it a little, a week much of the way, and what changes is followed', () => {
  const calibration = fresh();
  hear(calibration, DAY, { 0.7: 50 });
  const oneDay = after(calibration, 0.7);
  hear(calibration, 6 * DAY, { 0.7: 50 });
  const oneWeek = after(calibration, 0.7);
  assert.ok(oneDay < 0.7 && oneDay > 0.65, `${oneDay}`);
  assert.ok(oneWeek < 0.62 && oneWeek > 0.5, `${oneWeek}`);
  hear(calibration, 30 * DAY, { 0.7: 90 });
  assert.ok(after(calibration, 0.7) > 0.85, `${after(calibration, 0.7)}`);
});

test('far from what was heard nothing is touched', () => {
  const calibration = fresh();
  hear(calibration, 500, { 0.2: 50 });
  assert.ok(Math.abs(after(calibration, 0.9) - 0.9) < 1e-9);
  assert.ok(after(calibration, 0.2) > 0.4);
});

test('whatever is said and comes, the answer is a chance', () => {
  const said = fc.double({ noNaN: true, min: -12, max: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(said, fc.boolean()), { maxLength: 200 }), (heard) => {
      const calibration = fresh();
      for (const [x, came] of heard) {
        wander(calibration, DAY);
        learnCalibration(calibration, x, came ? 1 : 0, 1);
        const chance = sigmoid(calibrated(calibration, x));
        assert.ok(chance >= 0 && chance <= 1);
      }
    }),
    { numRuns: 100, seed: 4 },
  );
});
