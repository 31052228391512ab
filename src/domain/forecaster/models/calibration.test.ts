import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allocate } from '../buffer-layout.ts';
import { addCalibrationDrift, calibrate, newCalibration, updateCalibration } from './calibration.ts';
import { logit, sigmoid } from './recursive-least-squares.ts';

const DAY = 24;
const newState = () => allocate(newCalibration).built;
const calibratedProbability = (calibration: ReturnType<typeof newState>, predicted: number) =>
  sigmoid(calibrate(calibration, logit(predicted)));

/** Each round predicts each of the probabilities once, an hour apart; `comesTrue` of a hundred of them come true. */
function train(calibration: ReturnType<typeof newState>, rounds: number, comesTrue: Record<number, number>) {
  for (let i = 0; i < rounds; i++)
    for (const [predicted, times] of Object.entries(comesTrue)) {
      addCalibrationDrift(calibration, DAY);
      // Spread evenly over the hundred, so that no part of it is all true or all false.
      updateCalibration(calibration, logit(Number(predicted)), (i * 61) % 100 < times ? 1 : 0, 1);
    }
}

test('before any outcome the predicted probability is returned unchanged', () => {
  for (const probability of [0.001, 0.02, 0.3, 0.5, 0.77, 0.999])
    assert.ok(Math.abs(calibratedProbability(newState(), probability) - probability) < 1e-12);
});

const biases: readonly (readonly [name: string, comesTrue: Record<number, number>])[] = [
  ['too high by a fifth', { 0.7: 50 }],
  ['overconfident at both ends', { 0.02: 12, 0.98: 88 }],
  ['overconfident at the ends, underconfident in between', { 0.03: 20, 0.2: 8, 0.9: 90 }],
  ['already calibrated', { 0.1: 10, 0.4: 40, 0.8: 80 }],
];
for (const [name, comesTrue] of biases)
  test(`the calibrated probability approaches the observed frequency: ${name}`, () => {
    const calibration = newState();
    train(calibration, 1000, comesTrue);
    for (const [predicted, times] of Object.entries(comesTrue)) {
      const probability = calibratedProbability(calibration, Number(predicted));
      assert.ok(
        Math.abs(probability - times / 100) < 0.035,
        `${predicted} → ${probability}, true ${times} in 100`,
      );
    }
  });

test('one day of outcomes corrects a little, a week most of the way, and a change is followed', () => {
  const calibration = newState();
  train(calibration, DAY, { 0.7: 50 });
  const oneDay = calibratedProbability(calibration, 0.7);
  train(calibration, 6 * DAY, { 0.7: 50 });
  const oneWeek = calibratedProbability(calibration, 0.7);
  assert.ok(oneDay < 0.7 && oneDay > 0.65, `${oneDay}`);
  assert.ok(oneWeek < 0.62 && oneWeek > 0.5, `${oneWeek}`);
  train(calibration, 30 * DAY, { 0.7: 90 });
  assert.ok(calibratedProbability(calibration, 0.7) > 0.85, `${calibratedProbability(calibration, 0.7)}`);
});

test('outcomes leave the correction of distant probabilities unchanged', () => {
  const calibration = newState();
  train(calibration, 500, { 0.2: 50 });
  assert.ok(Math.abs(calibratedProbability(calibration, 0.9) - 0.9) < 1e-9);
  assert.ok(calibratedProbability(calibration, 0.2) > 0.4);
});

test('any predictions and outcomes give a probability in 0..1', () => {
  const anyLogit = fc.double({ noNaN: true, min: -12, max: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(anyLogit, fc.boolean()), { maxLength: 200 }), (outcomes) => {
      const calibration = newState();
      for (const [x, cameTrue] of outcomes) {
        addCalibrationDrift(calibration, DAY);
        updateCalibration(calibration, x, cameTrue ? 1 : 0, 1);
        const probability = sigmoid(calibrate(calibration, x));
        assert.ok(probability >= 0 && probability <= 1);
      }
    }),
    { numRuns: 100, seed: 4 },
  );
});
