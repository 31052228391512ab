import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Character } from '../city/city.ts';
import { fixedScales } from '../signals/scales.ts';
import { voiceFaults } from '../text/voice.ts';
import { isoWeek } from '../time/periods.ts';
import { DAY } from '../time/slot.ts';
import { wakingParts } from '../time/waking-hours.ts';
import { singapore } from '../time/zones.fixture.ts';
import { pocketComparer } from './compare-pockets.ts';
import { comparedQualities, type PartMean } from './part-means.ts';
import { setsApart } from './sets-apart.ts';

const monday = Date.parse('2026-11-02T00:00:00+08:00');
const character = { footfall_peak: 500, office: 0.3 } as Character;
const signals: PartMean['signals'] = {
  rain_mm: 0,
  temperature_c: 28,
  humidity_pct: 80,
  pm25: 15,
  footfall: 0.4,
  transit_crowding: 0.3,
  traffic_speed_kmh: 35,
  carpark_occupancy: 0.5,
};
const part = (pocket_id: string, day: number, given: Partial<PartMean> = {}): PartMean => ({
  pocket_id,
  day: monday + day * DAY,
  weekday: ((day % 7) + 7) % 7,
  weekend: ((day % 7) + 7) % 7 >= 5,
  part: 'evening',
  readings: 20,
  calm: 0.6,
  social: 0.4,
  productive: 0.1,
  signals,
  ...given,
});
const weekName = (day: number) => isoWeek(day, singapore);
const compare = (parts: readonly PartMean[], pocket = 'here') =>
  pocketComparer(parts, monday)(pocket, { character, scales: fixedScales });

/** Four evenings of a crowded pocket and of three others. */
const crowded = [0.3, 0.32, 0.28, 0.3].flatMap((calm, day) => [
  part('here', day, { calm, signals: { ...signals, footfall: 0.9 } }),
  part('one', day, { calm: 0.6 }),
  part('two', day, { calm: 0.65 }),
  part('three', day, { calm: 0.7 }),
]);

/** A Tuesday afternoon in the rain, after four Tuesdays of about 0.61. */
const wetTuesday = [
  ...[0.6, 0.62, 0.64, 0.58].map((calm, week) =>
    part('here', 1 - 7 * (week + 1), { part: 'afternoon', calm }),
  ),
  part('here', 1, { part: 'afternoon', calm: 0.3, signals: { ...signals, rain_mm: 1.2 } }),
];

describe('the worked examples of docs/formulas.md', () => {
  test('a pocket less calm than the network', () => {
    const { differences, other_pockets } = compare(crowded);
    assert.equal(other_pockets, 3);
    assert.deepEqual(differences, [
      {
        against: 'network',
        quality: 'calm',
        day: null,
        part: 'evening',
        value: 0.3,
        reference: 0.65,
        difference: -0.35,
        standard_error: 0.008,
        pocket_spread: 0.05,
        rank: 4,
        of_pockets: 4,
        network_difference: null,
        cause: { signal: 'footfall', value: 0.9, reference: 0.4, effect: -0.337 },
      },
    ]);
  });

  test('a day less calm than usual', () => {
    const { differences, earlier_days } = compare(wetTuesday);
    assert.equal(earlier_days.length, 4);
    assert.deepEqual(differences, [
      {
        against: 'own_usual',
        quality: 'calm',
        day: 'tuesday',
        part: 'afternoon',
        value: 0.3,
        reference: 0.61,
        difference: -0.31,
        standard_error: 0.029,
        pocket_spread: null,
        rank: null,
        of_pockets: null,
        network_difference: null,
        cause: { signal: 'rain_mm', value: 1.2, reference: 0, effect: -0.103 },
      },
    ]);
  });

  test('in words', () => {
    const { sets_apart, compared_with, lead } = setsApart(
      compare([...crowded, ...wetTuesday]),
      'week',
      weekName,
      singapore,
    );
    assert.deepEqual(
      sets_apart.map(({ hours, text }) => [hours, text]),
      [
        ['14:00-18:00', 'on tuesday afternoon it was much less calm than usual, mainly through more rain.'],
        [
          '18:00-23:00',
          'in the evenings it was much less calm than the other pockets, the least calm of 4, with about twice as many people for its size.',
        ],
      ],
    );
    assert.deepEqual(
      lead,
      sets_apart.map(({ text }) => text),
    );
    assert.deepEqual(compared_with, {
      other_pockets: 3,
      earlier: ['2026-W41', '2026-W42', '2026-W43', '2026-W44'],
      note: null,
    });
  });
});

describe('a difference from the network is stated only if', () => {
  const count = (parts: readonly PartMean[]) => compare(parts).differences.length;
  const own = (change: (one: PartMean, at: number) => Partial<PartMean>) =>
    crowded.map((one, at) => (one.pocket_id === 'here' ? { ...one, ...change(one, at) } : one));

  test('it is felt', () => {
    const near = (calm: number) =>
      crowded.map((one) => ({ ...one, calm: one.pocket_id === 'here' ? calm : 0.65 }));
    assert.equal(count(near(0.6)), 1);
    assert.equal(count(near(0.601)), 0);
  });

  test('it is larger than the spread between the other pockets', () => {
    const spread = (by: number) =>
      crowded.map((one) =>
        one.pocket_id === 'one'
          ? { ...one, calm: 0.65 - by }
          : one.pocket_id === 'three'
            ? { ...one, calm: 0.65 + by }
            : one,
      );
    assert.equal(count(spread(0.34)), 1);
    assert.equal(count(spread(0.36)), 0);
  });

  test('it is larger than it varies from day to day', () => {
    assert.equal(count(own((_, at) => ({ calm: at % 8 ? 0.6 : 0 }))), 0);
  });

  test('enough days, pockets and readings were seen', () => {
    assert.equal(count(crowded.filter(({ day }) => day < monday + 3 * DAY)), 0);
    assert.equal(count(crowded.filter(({ pocket_id }) => pocket_id !== 'one')), 0);
    assert.equal(count(own(() => ({ readings: 10 }))), 1);
    assert.equal(count(own(() => ({ readings: 9 }))), 0);
  });

  test('each quality is stated once, for the hours in which it is furthest', () => {
    const midday = crowded.map((one) => ({
      ...one,
      part: 'midday' as const,
      calm: one.calm + (one.pocket_id === 'here' ? 0.1 : 0),
    }));
    const { differences } = compare([...crowded, ...midday]);
    assert.deepEqual(
      differences.map((one) => [one.quality, one.part]),
      [['calm', 'evening']],
    );
  });
});

describe('a difference from the own usual is stated only if', () => {
  const stated = (parts: readonly PartMean[]) => compare(parts).differences;

  test('the same hours were read twice before', () => {
    const weeks = (count: number) => [...wetTuesday.slice(0, count), ...wetTuesday.slice(-1)];
    assert.equal(stated(weeks(2)).length, 1);
    assert.equal(stated(weeks(1)).length, 0);
  });

  test('it is larger than these hours vary from week to week, here and in the network', () => {
    const restless = [1, 2, 3].flatMap((n) =>
      [0.1, 0.9, 0.1, 0.9, 0.5].map((calm, week) =>
        part(`pocket ${n}`, 1 - 7 * (4 - week), { part: 'afternoon', calm }),
      ),
    );
    assert.equal(stated(wetTuesday).length, 1);
    assert.equal(stated([...wetTuesday, ...restless]).length, 0);
  });

  test('whether the other pockets changed too is told', () => {
    const other = (calm: number) => [
      ...wetTuesday,
      ...wetTuesday.map((one) => ({ ...one, pocket_id: 'other', ...(one.day >= monday && { calm }) })),
    ];
    const [city] = setsApart(compare(other(0.35)), 'week', weekName, singapore).sets_apart;
    assert.equal(city?.network_difference, -0.26);
    assert.match(city?.text ?? '', /; the other pockets changed the same way\.$/);
    const [alone] = setsApart(compare(other(0.6)), 'week', weekName, singapore).sets_apart;
    assert.match(alone?.text ?? '', /; the other pockets did not change as much\.$/);
  });
});

test('nothing to compare gives nothing, and a note says so', () => {
  const { sets_apart, compared_with, lead } = setsApart(compare([]), 'month', weekName, singapore);
  assert.deepEqual(sets_apart, []);
  assert.deepEqual(lead, []);
  assert.equal(
    compared_with.note,
    'too few earlier months were read to say what is usual. fewer than 3 other pockets were read, too few to compare with.',
  );
});

test('the others of a city of several districts are those of the own one, and the note says so', () => {
  const found = pocketComparer(crowded, monday, true)('here', { character, scales: fixedScales });
  const { compared_with } = setsApart(found, 'week', weekName, singapore);
  assert.equal(compared_with.other_pockets, 3);
  assert.match(compared_with.note ?? '', /^the other pockets are those of its district\./);
});

test('for any readings, differences exceed their bounds, add up and pass the voice rules', () => {
  const level = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
  const city = fc.array(
    fc.record({
      pocket_id: fc.constantFrom('here', 'one', 'two', 'three', 'four'),
      day: fc.integer({ min: -21, max: 6 }).map((n) => monday + n * DAY),
      part: fc.constantFrom(...wakingParts),
      readings: fc.integer({ min: 1, max: 20 }),
      calm: level,
      social: level,
      productive: level,
      signals: fc.record({
        rain_mm: fc.option(level),
        temperature_c: fc.constant(30),
        humidity_pct: fc.option(fc.constant(80)),
        pm25: fc.option(fc.constant(30)),
        footfall: fc.option(level),
        transit_crowding: fc.option(level),
        traffic_speed_kmh: fc.option(fc.integer({ min: 5, max: 60 })),
        carpark_occupancy: fc.option(level),
      }),
    }),
    { maxLength: 300, size: 'max' },
  );
  fc.assert(
    fc.property(city, (rows) => {
      const parts = [
        ...new Map(rows.map((row) => [`${row.pocket_id} ${row.day} ${row.part}`, row])).values(),
      ].map((row) => {
        const weekday = singapore.weekday(row.day);
        return { ...row, weekday, weekend: weekday >= 5 };
      });
      const comparison = compare(parts);
      const { lead, sets_apart } = setsApart(comparison, 'week', weekName, singapore);
      for (const one of sets_apart) {
        const errors = one.against === 'network' ? 4 : 3;
        assert.equal(one.difference, Math.round(1000 * (one.value - one.reference)) / 1000);
        assert.ok(
          Math.abs(one.difference) >= Math.max(0.05, errors * one.standard_error, one.pocket_spread ?? 0),
        );
        assert.ok(comparedQualities.includes(one.quality));
        if (one.cause) assert.ok(one.cause.effect / one.difference >= 0.3);
      }
      for (const line of lead) assert.deepEqual(voiceFaults(line), [], line);
    }),
    { numRuns: 50 },
  );
});
