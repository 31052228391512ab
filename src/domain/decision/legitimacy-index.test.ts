import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { voiceFaults } from '../text/voice.ts';
import { iso } from '../time/slot.ts';
import { localZone, singapore } from '../time/zones.fixture.ts';
import { dominantFactor, type LegitimacyFactors, legitimacyFactors } from './legitimacy.ts';
import {
  indexFactors,
  indexReading,
  type MomentMeans,
  morningBefore,
  nextIndexAt,
  wakingDayBefore,
} from './legitimacy-index.ts';

const { localClock } = singapore;

const at = Date.parse('2026-11-11T08:30:00+08:00');
const day: MomentMeans = {
  calm_probability: 0.6,
  movement_friction: 0.2,
  signal_saturation: 0.1,
  worth: 0.46,
  spare_capacity: 0.5,
  fatigue: 0.2,
};
const morning: MomentMeans = {
  calm_probability: 0.8,
  movement_friction: 0.3,
  signal_saturation: 0,
  worth: 0.5,
  spare_capacity: 0.3,
  fatigue: 0.1,
};

test('the worked example of docs/formulas.md', () => {
  const factors = indexFactors(day, morning);
  assert.deepEqual(factors, {
    environmental_alignment: 0.725,
    fatigue: 0.15,
    saturation: 0.05,
    merchant_pressure: 0.2,
    expected_value: 0.576,
  });
  assert.deepEqual(indexReading('tiongbahru', '2026-11-11', factors), {
    pocket_id: 'tiongbahru',
    reading_date: '2026-11-11',
    score: 61.1,
    band: 'borderline',
    reason: 'neither for nor against; expected_value costs most (19 points): part of what a line can bring.',
  });
});

test('without data of the day before, the morning counts alone', () => {
  assert.deepEqual(indexFactors(null, morning), indexFactors(morning, morning));
});

test('which moments count, by Singapore time', () => {
  const clocks = ({ after, until }: { after: number; until: number }) => [
    localClock(after),
    localClock(until),
  ];
  assert.deepEqual(clocks(morningBefore(at)), ['07:30', '08:30']);
  assert.deepEqual(clocks(wakingDayBefore(at, singapore)), ['08:30', '21:30']);
  assert.equal(iso(wakingDayBefore(at, singapore).after), '2026-11-10T00:30:00.000Z');
});

test('when the next is composed', () => {
  const table: [now: string, next: string][] = [
    ['2026-11-11T00:00', '2026-11-11T08:30'],
    ['2026-11-11T08:29', '2026-11-11T08:30'],
    ['2026-11-11T08:30', '2026-11-12T08:30'],
    ['2026-12-31T23:59', '2027-01-01T08:30'],
  ];
  for (const [now, next] of table)
    assert.equal(nextIndexAt(Date.parse(`${now}:00+08:00`), singapore), Date.parse(`${next}:00+08:00`), now);
});

test('the reason of a day on which nothing costs a point, one point, or more', () => {
  const none: LegitimacyFactors = {
    ...{ environmental_alignment: 1, expected_value: 1 },
    ...{ fatigue: 0, saturation: 0, merchant_pressure: 0 },
  };
  const table: [factors: Partial<LegitimacyFactors>, said: string][] = [
    [{}, 'environmental_alignment costs most, but less than a point.'],
    [{ expected_value: 0.98 }, 'expected_value costs most, but less than a point.'],
    [{ expected_value: 0.9785 }, 'expected_value costs most, but less than a point.'],
    [{ expected_value: 0.97 }, 'expected_value costs most (1 point): nearly all that a line can bring.'],
    [{ expected_value: 0.95 }, 'expected_value costs most (2 points): nearly all that a line can bring.'],
  ];
  for (const [factors, said] of table)
    for (const date of ['2026-12-01', '2026-12-02', '2026-12-03']) {
      const { reason } = indexReading('siglap', date, { ...none, ...factors });
      assert.equal(reason.slice(reason.indexOf('; ') + 2), said);
      assert.deepEqual(voiceFaults(reason, 'emit'), []);
    }
});

const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
const anyFactors = fc.record(
  Object.fromEntries(legitimacyFactors.map((factor) => [factor, share])),
) as fc.Arbitrary<LegitimacyFactors>;

test('for any factors, the reason names the dominant one and passes the voice rules, and the band follows the score', () => {
  fc.assert(
    fc.property(anyFactors, fc.integer({ min: 1, max: 31 }), (factors, date) => {
      const { score, band, reason } = indexReading(
        'siglap',
        `2026-12-${String(date).padStart(2, '0')}`,
        factors,
      );
      assert.deepEqual(voiceFaults(reason, 'emit'), [], reason);
      assert.ok(reason.includes(`${dominantFactor(factors)} costs most`));
      assert.equal(band, score >= 70 ? 'legitimate' : score >= 40 ? 'borderline' : 'remain_silent');
    }),
  );
});

test('a day worse in every way never has the higher score', () => {
  fc.assert(
    fc.property(
      fc.record({
        ...{ calm: share, friction: share, saturation: share },
        ...{ worth: share, spare_capacity: share, fatigue: share },
      }),
      (m) => {
        const means: MomentMeans = {
          calm_probability: m.calm,
          movement_friction: m.friction,
          signal_saturation: m.saturation,
          worth: m.worth,
          spare_capacity: m.spare_capacity,
          fatigue: m.fatigue,
        };
        const worse: MomentMeans = {
          calm_probability: m.calm / 2,
          movement_friction: (1 + m.friction) / 2,
          signal_saturation: (1 + m.saturation) / 2,
          worth: m.worth / 2,
          spare_capacity: (1 + m.spare_capacity) / 2,
          fatigue: (1 + m.fatigue) / 2,
        };
        const score = (means: MomentMeans) =>
          indexReading('siglap', '2026-11-11', indexFactors(means, morning)).score;
        assert.ok(score(worse) <= score(means));
      },
    ),
  );
});

test('the index is due at 08:30 of the local clock, also when clocks change', () => {
  const berlin = localZone('Europe/Berlin');
  const next = (utc: string) =>
    new Date(nextIndexAt(Date.parse(`${utc}Z`), berlin)).toISOString().slice(0, 16);
  assert.equal(next('2026-03-28T08:00'), '2026-03-29T06:30');
  assert.equal(next('2026-03-29T06:30'), '2026-03-30T06:30');
  assert.equal(next('2026-10-24T07:00'), '2026-10-25T07:30');
  const { after, until } = wakingDayBefore(Date.parse('2026-10-25T07:30:00Z'), berlin);
  assert.deepEqual([berlin.localClock(after), berlin.localClock(until)], ['08:30', '21:30']);
});
