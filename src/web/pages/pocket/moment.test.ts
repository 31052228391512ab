import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { singapore } from '../../../domain/time/zones.fixture.ts';
import type { Site } from '../../parts/page.ts';
import { measuredWords, momentPart } from './moment.ts';
import type { PocketAnswers } from './question.ts';

const site = { zone: singapore } as Site;

const hour = {
  at: '2026-11-11T03:00:00.000Z',
  rain_mm: 0,
  temperature_c: 28.6,
  traffic_speed_kmh: 31.4,
  people: 1240.4,
  crowd: null,
};
const unread = { rain_mm: null, temperature_c: null, traffic_speed_kmh: null, people: null, crowd: null };

const moment = {
  pocket_id: 'holland',
  primary_state: 'calm-social',
  calm_level: 0.614,
  calm_probability: 0.731,
  calm_change: 0.01,
  half_life_minutes: 151,
  expires_at: '2026-11-11T06:31:00.000Z',
  movement_friction: 0.2,
  fragility: 0.3,
  signal_saturation: 0.1,
};

const part = (given: object = {}) =>
  momentPart(site, {
    moment: { ...moment, ...given } as PocketAnswers['moment'],
    story: {
      story: {
        ...{ why_now: 'a', why_this_merchant: 'b', why_users_care: 'c', why_pocket_benefits: 'd' },
        composed_at: '2026-11-11T04:00:00.000Z',
        expires_at: '2026-11-11T06:31:00.000Z',
      },
    } as PocketAnswers['story'],
    signals: {
      measured: ['rain_mm', 'temperature_c', 'traffic_speed_kmh', 'people'],
      hours: [hour, { ...unread, at: '2026-11-11T04:00:00.000Z' }],
    } as unknown as PocketAnswers['signals'],
    day: { readings: [{ captured_at: '2026-11-11T04:00:00.000Z' }] } as PocketAnswers['day'],
  }).markup;

describe('the section "Now"', () => {
  test('says the state in words and keeps figures behind details', () => {
    const [shown = '', details = ''] = part().split('<details>');
    assert.match(shown, /Calm and social/);
    assert.doesNotMatch(shown.replaceAll(/<[^>]*>/g, ''), /\d\.\d/);
    for (const figure of ['0.614', '0.731', '0.20', '0.30'])
      assert.ok(details.includes(`<dd>${figure} `), figure);
  });

  test('gives the half-life as that, in hours above 90 minutes, and never an end', () => {
    const markup = part();
    assert.match(markup, /Half of such states lasted longer than<\/a><\/dt><dd>about 2 hours 30 minutes /);
    assert.doesNotMatch(markup, /until|14:31/);
  });

  test('says what has turned', () => {
    assert.doesNotMatch(part(), /but barely/);
    assert.match(part({ calm_probability: 0.4 }), /<p>Calm now, but barely\.<\/p>/);
  });

  test('tells what was measured in the newest hour that has a value', () => {
    assert.match(
      part(),
      /Measured in the hour from 11:00: no rain, 29 °C, 1,240 people an hour, traffic at 31 km\/h\./,
    );
    assert.deepEqual(measuredWords({ ...unread, at: hour.at, rain_mm: 0.04 }), ['no rain']);
    assert.deepEqual(measuredWords({ ...unread, at: hour.at, rain_mm: 1.24, crowd: 0.625 }), [
      '1.2 mm of rain',
      'a crowd of 63\u00a0% of the usual peak',
    ]);
  });

  test('without a moment it says why', () => {
    assert.equal(part({ available: false, missing: null }), '<p>Not enough recent data.</p>');
  });
});
