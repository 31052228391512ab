import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { round } from '../stats/unit-scale.ts';
import { type LearnedKind, learnedKinds, learnedScales, type PocketRanges, updateRanges } from './scales.ts';
import type { Snapshot } from './snapshot.ts';

const HOUR = 3_600_000;
const nothing: Snapshot['values'] = {
  rain_mm: null,
  temperature_c: null,
  humidity_pct: null,
  pm25: null,
  footfall: null,
  transit_crowding: null,
  traffic_speed_kmh: null,
  carpark_occupancy: null,
};
/** Three weeks of one measurement, going evenly from `low` to `high` and back. */
function learned(kind: LearnedKind, low: number, high: number): PocketRanges {
  let ranges: PocketRanges = {};
  for (let n = 0; n < 504; n += 1) {
    const value = low + ((high - low) * Math.abs((n % 100) - 50)) / 50;
    ranges = updateRanges(ranges, n * HOUR, { ...nothing, [kind]: value }) ?? ranges;
  }
  return ranges;
}

describe('learned scales', () => {
  test('what a city is used to does not weigh, in the cold and in the heat', () => {
    const helsinki = learnedScales(learned('temperature_c', -15, 15), {});
    const dubai = learnedScales(learned('temperature_c', 20, 45), {});
    assert.equal(helsinki.heat(0, 80), 0);
    assert.ok(helsinki.heat(30, 80) === 1 && helsinki.heat(-25, 80) === 1);
    assert.equal(dubai.heat(33, 40), 0);
    assert.ok(dubai.heat(5, 40) === 1);
  });

  test('a jam is slow for these roads', () => {
    const motorway = learnedScales(learned('traffic_speed_kmh', 60, 100), {});
    const lane = learnedScales(learned('traffic_speed_kmh', 10, 30), {});
    assert.ok(motorway.jam(65) > 0.7 && lane.jam(28) < 0.3);
  });

  test('without a past the stated prior is the scale', () => {
    const { heat, jam } = learnedScales({}, { temperature_c: { low: 0, high: 20 } });
    assert.deepEqual([heat(10, null), heat(20, null), heat(0, null)], [0, 1, 1]);
    assert.deepEqual([jam(45), jam(12)], [0, 1]);
  });

  test('stress begins above a fifth of the pressure of a busy hour and is 0.75 in one', () => {
    const { stress } = learnedScales({}, {});
    assert.deepEqual(
      [0.2, 0.6, 1, 1.8].map((share) => round(stress(share))),
      [0, 0.375, 0.75, 1],
    );
  });

  test('dry hours do not make rain heavy', () => {
    assert.equal(updateRanges({}, 0, { ...nothing, rain_mm: 0 }), null);
  });

  test('every pressure is within 0..1, whatever was learned', () => {
    const value = fc.double({ min: -50, max: 200, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 60 }),
        value,
        fc.constantFrom(...learnedKinds),
        (past, x, kind) => {
          let ranges: PocketRanges = {};
          for (const [n, past_value] of past.entries()) {
            ranges = updateRanges(ranges, n * HOUR, { ...nothing, [kind]: past_value }) ?? ranges;
          }
          const scales = learnedScales(ranges, {});
          const all = [scales.transit(x), scales.jam(x), scales.rain(Math.abs(x)), scales.heat(x, null)];
          for (const pressure of [...all, scales.air(x), scales.parking(x), scales.stress(x)])
            assert.ok(pressure >= 0 && pressure <= 1);
        },
      ),
    );
  });
});
