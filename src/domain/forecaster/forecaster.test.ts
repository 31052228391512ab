import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  calendarStepAt,
  calmShareScale,
  type Design,
  type Forecast,
  type Forecaster,
  learnOutcomes,
  loadStatePart,
  newForecaster,
  observe,
  predict,
  predictScenarios,
  recordSamples,
  type Sample,
  stateParts,
} from './index.ts';

const FIRST_SLOT = 1_890_000;
const HOUR = 60;

const design = (places: number, stepMinutes = 60): Design => ({
  stepMinutes,
  horizons: [1, 2, 3].map((hours) => (hours * 60) / stepMinutes),
  classes: 4,
  calmClasses: [true, true, false, false],
  exogenous: 1,
  scales: Array.from({ length: places }, () => ({
    shift: null,
    centre: 0,
    spread: 1,
    calmEdge: 0,
    classEdges: [-0.7, 0, 0.7],
  })),
});

const sample = (value: number | null, exogenous: (number | null)[] = [0]): Sample => ({
  value,
  class: value === null ? null : [-0.7, 0, 0.7].filter((edge) => value >= edge).length,
  calm: value === null ? null : value < 0,
  exogenous,
});

/** A seeded source of uniform random numbers in -0.5..0.5. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

function tick(forecaster: Forecaster, i: number, samples: readonly Sample[]): Forecast[][] {
  const { stepMinutes, horizons } = forecaster.design;
  const at = (slot: number) => calendarStepAt(FIRST_SLOT + slot, stepMinutes, 8 * HOUR, false);
  observe(forecaster, at(i), samples);
  return predict(
    forecaster,
    at(i),
    horizons.map((steps) => at(i + steps)),
  );
}

const run = (forecaster: Forecaster, values: readonly (number | null)[], from = 0): Forecast[][] =>
  values.map((value, i) => tick(forecaster, from + i, [sample(value)])[0] as Forecast[]);

/** Mean squared error of the calm probability, `steps` ahead, over the last third; and that of simple methods. */
function briers(values: readonly number[], steps: number, week = 168) {
  const made = run(newForecaster(design(1)), values);
  const sums = { forecaster: 0, persistence: 0, lastWeek: 0, even: 0 };
  const first = Math.floor((values.length * 2) / 3);
  for (let i = first; i < values.length; i++) {
    const calm = (values[i] as number) < 0 ? 1 : 0;
    const hard = (value: number) => ((value < 0 ? 1 : 0) - calm) ** 2;
    sums.forecaster += ((made[i - steps]?.[steps - 1]?.calm as number) - calm) ** 2;
    sums.persistence += hard(values[i - steps] as number);
    sums.lastWeek += hard(values[i - week] as number);
    sums.even += 0.25;
  }
  const rows = values.length - first;
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / rows])) as typeof sums;
}

const hours = (weeks: number): number[] => Array.from({ length: weeks * 168 }, (_, i) => i);

test('for any input, probabilities lie in 0..1, add up to 1 and agree with calm', () => {
  const anything = fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { nil: null });
  fc.assert(
    fc.property(fc.array(fc.tuple(anything, anything), { minLength: 1, maxLength: 80 }), (stream) => {
      const forecaster = newForecaster(design(1));
      for (const [i, [value, exogenous]] of stream.entries())
        for (const forecast of tick(forecaster, i, [sample(value, [exogenous])])[0] ?? []) {
          const { classes, calm, confidence } = forecast;
          assert.ok(Math.abs(classes.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
          assert.ok(classes.every((p) => p >= 0 && p <= 1) && calm >= 0 && calm <= 1);
          assert.ok(Math.abs((classes[0] as number) + (classes[1] as number) - calm) < 1e-9);
          assert.equal(confidence, Math.max(...classes));
        }
    }),
    { numRuns: 60, seed: 4 },
  );
});

test('the same samples give the same forecasts, and later samples do not change earlier forecasts', () => {
  const random = noise(7);
  const past = hours(3).map((i) => Math.sin(i / 4) + random());
  const one = run(newForecaster(design(1)), [...past, 1, 2, 3]);
  const other = run(newForecaster(design(1)), [...past, -9, null, 40]);
  assert.deepEqual(one.slice(0, past.length), other.slice(0, past.length));
  assert.notDeepEqual(one.at(-1), other.at(-1));
});

/** Null when the parts were saved under another design or by another version. */
function restoreForecaster(design: Design, saved: Iterable<Uint8Array>): Forecaster | null {
  const forecaster = newForecaster(design);
  let n = 0;
  for (const part of saved) if (!loadStatePart(forecaster, n++, part)) return null;
  return n === stateParts(forecaster).length ? forecaster : null;
}

test('a saved and restored forecaster continues as one that never stopped', () => {
  const random = noise(3);
  const values = hours(4).map((i) => (i % 11 === 0 ? null : Math.cos(i / 5) + random()));
  const half = values.length / 2;
  const whole = run(newForecaster(design(1)), values);
  const before = newForecaster(design(1));
  run(before, values.slice(0, half));
  const after = restoreForecaster(design(1), stateParts(before));
  assert.ok(after);
  assert.deepEqual(run(after, values.slice(half), half), whole.slice(half));
  assert.equal(restoreForecaster(design(2), stateParts(before)), null);
  assert.equal(
    restoreForecaster({ ...design(1), calmClasses: [true, false, false, false] }, stateParts(before)),
    null,
  );
});

test('without outcomes the forecast is even odds with the least confidence', () => {
  const forecaster = newForecaster({
    ...design(2),
    classes: 8,
    calmClasses: Array(8).fill(true).fill(false, 4),
  });
  const blank = sample(null);
  for (const forecast of tick(forecaster, 0, [blank, blank])[0] ?? [])
    assert.deepEqual(forecast, { classes: Array(8).fill(1 / 8), calm: 0.5, value: null, confidence: 1 / 8 });
  const random = noise(5);
  let last: Forecast[][] = [];
  for (let i = 1; i < 300; i++) last = tick(forecaster, i, [{ ...sample(random() - 2), class: 1 }, blank]);
  assert.ok((last[0]?.[0]?.confidence as number) > 0.9);
  assert.ok(
    (last[1]?.[0]?.confidence as number) < 0.35,
    'a place without samples learns only a little from others',
  );
});

test('a weekly pattern is learned: much better than persistence, better than last week', () => {
  const random = noise(11);
  const values = hours(10).map((i) => {
    const phase = (2 * Math.PI * (i % 24)) / 24;
    const weekend = i % 168 >= 120;
    return (weekend ? 0.6 : -0.2) + Math.sin(phase) * (weekend ? 0.5 : 1) + 0.4 * random();
  });
  for (const steps of [1, 2, 3]) {
    const brier = briers(values, steps);
    assert.ok(brier.forecaster < 0.6 * brier.persistence, JSON.stringify(brier));
    assert.ok(brier.forecaster < brier.lastWeek, JSON.stringify(brier));
  }
});

test('a random walk without a pattern: better than persistence', () => {
  const random = noise(23);
  let level = 0;
  const values = hours(10).map(() => {
    level = 0.98 * level + 0.5 * random();
    return level;
  });
  for (const steps of [1, 2, 3]) {
    const brier = briers(values, steps);
    assert.ok(brier.forecaster < brier.persistence, JSON.stringify(brier));
  }
});

test('an exact weekly repetition: nearly as good as last week, which is perfect', () => {
  const random = noise(29);
  const week = Array.from({ length: 168 }, () => 2 * random());
  const values = hours(9).map((i) => week[i % 168] as number);
  for (const steps of [1, 2, 3]) {
    const brier = briers(values, steps);
    assert.equal(brier.lastWeek, 0);
    assert.ok(brier.forecaster < 0.02, JSON.stringify(brier));
  }
});

test('pure noise: hardly worse than even odds', () => {
  const random = noise(31);
  const brier = briers(
    hours(12).map(() => random()),
    1,
  );
  assert.ok(brier.forecaster < 0.265, JSON.stringify(brier));
});

test('a jump of the level is followed', () => {
  const random = noise(41);
  const values = hours(12).map(
    (i) => Math.sin((2 * Math.PI * i) / 24) + (i > 9 * 168 ? 1.2 : 0) + 0.3 * random(),
  );
  const brier = briers(values, 3);
  assert.ok(brier.forecaster < 0.6 * Math.min(brier.persistence, brier.lastWeek), JSON.stringify(brier));
});

test('calm probabilities are calibrated: 0.7 comes true about 70 times in 100', () => {
  const random = noise(53);
  const forecaster = newForecaster(design(6));
  const levels = new Float64Array(6);
  const predicted = new Float64Array(10);
  const cameTrue = new Float64Array(10);
  let rows = 0;
  let pending: Forecast[][] = [];
  for (let i = 0; i < 10 * 168; i++) {
    const samples = Array.from(levels, (level, p) => {
      levels[p] = 0.8 * level + 0.8 * random();
      return sample((levels[p] as number) + 0.5 * Math.sin((2 * Math.PI * i) / 24 + p));
    });
    if (i > 5 * 168)
      for (const [p, { calm }] of samples.entries()) {
        const probability = pending[p]?.[0]?.calm as number;
        const bin = Math.min(9, Math.floor(10 * probability));
        predicted[bin] = (predicted[bin] as number) + probability;
        cameTrue[bin] = (cameTrue[bin] as number) + (calm ? 1 : 0);
        rows += 1;
      }
    pending = tick(forecaster, i, samples);
  }
  const error =
    predicted.reduce((sum, probability, bin) => sum + Math.abs(probability - (cameTrue[bin] as number)), 0) /
    rows;
  assert.ok(error < 0.025, `calibration error ${error}`);
});

test('gaps of an hour, a week or a month, and missing values, leave forecasts finite', () => {
  const forecaster = newForecaster(design(1, 15));
  const random = noise(61);
  let i = 0;
  for (const gap of [1, 5, 7 * 96, 30 * 96, 1]) {
    i += gap;
    for (let n = 0; n < 200; n++, i++) {
      const value = n % 7 === 0 ? null : Math.sin((2 * Math.PI * i) / 96) + random();
      for (const forecast of tick(forecaster, i, [sample(value, [null])])[0] ?? []) {
        assert.ok(Number.isFinite(forecast.calm) && forecast.classes.every(Number.isFinite));
      }
    }
  }
});

test('slots go forward only, and every place needs a sample', () => {
  const forecaster = newForecaster(design(1));
  tick(forecaster, 5, [sample(1)]);
  assert.throws(() => tick(forecaster, 5, [sample(1)]), /does not come after/);
  assert.throws(() => tick(forecaster, 6, []), /one sample is needed/);
});

test('where high values are the calm ones, calm is forecast as well', () => {
  const share = newForecaster({ ...design(1), scales: [calmShareScale(0.55)] });
  const random = noise(71);
  let wrong = 0;
  let expected: Forecast | undefined;
  for (let i = 0; i < 6 * 168; i++) {
    const value = 0.5 + 0.3 * Math.sin((2 * Math.PI * i) / 24) + 0.1 * random();
    const calm = value >= 0.55;
    if (i > 4 * 168) {
      wrong += ((expected?.calm as number) - (calm ? 1 : 0)) ** 2;
      assert.ok(Math.abs((expected?.value as number) - value) < 0.15);
    }
    expected = tick(share, i, [{ value, calm, class: calm ? 0 : 3 }])[0]?.[0];
  }
  assert.ok(wrong / (2 * 168) < 0.03, `${wrong / (2 * 168)}`);
});

test('the stored state of a place stays small, and does not grow as it learns', () => {
  const service = { stepMinutes: 15, horizons: [4, 8, 12], classes: 8, exogenous: 3 };
  const city = (places: number) =>
    newForecaster({ ...service, scales: Array.from({ length: places }, () => calmShareScale(0.55)) });
  const bytes = (forecaster: Forecaster) =>
    stateParts(forecaster).reduce((sum, { length }) => sum + length, 0);
  const perPlace = (bytes(city(1001)) - bytes(city(1))) / 1000;
  assert.ok(perPlace <= 33 * 1024, `${perPlace}`);

  const learning = city(3);
  const before = bytes(learning);
  const random = noise(83);
  for (let i = 0; i < 15 * 96; i++)
    tick(
      learning,
      i,
      [0, 1, 2].map((p) => {
        const value = 0.5 + 0.3 * Math.sin((2 * Math.PI * i) / 96 + p) + 0.2 * random();
        return { value, calm: value >= 0.55, class: Math.floor(8 * value), exogenous: [random(), null, 1] };
      }),
    );
  assert.equal(bytes(learning), before);
});

test('a scenario changes nothing, and one equal to the measurement gives the forecasts themselves', () => {
  const random = noise(89);
  const at = (slot: number) => calendarStepAt(FIRST_SLOT + slot, 60, 8 * HOUR, false);
  const forecaster = newForecaster(design(3));
  const stream = hours(2).map((i) => [0, 1, 2].map((p) => sample(Math.sin(i / 4 + p) + random())));
  for (const [i, samples] of stream.entries()) tick(forecaster, i, samples);
  const other = restoreForecaster(forecaster.design, stateParts(forecaster)) as Forecaster;
  const next = [sample(0.4), sample(null), sample(-1)];
  const instead = [sample(-2), sample(1), sample(null)];
  const [now, targets] = [at(stream.length), [1, 2, 3].map((steps) => at(stream.length + steps))];

  const scenarios: [same: Forecast[][], other: Forecast[][]] = [[], []];
  learnOutcomes(forecaster, now, next);
  predictScenarios(forecaster, now, targets, [next, instead], (s, p, made) =>
    scenarios[s]?.splice(p, 0, made),
  );
  recordSamples(forecaster, now, next);
  const made = predict(forecaster, now, targets);
  assert.deepEqual(scenarios[0], made);
  assert.notDeepEqual(scenarios[1], made);
  assert.deepEqual(tick(other, stream.length, next), made);
  assert.deepEqual(stateParts(other), stateParts(forecaster));
});
