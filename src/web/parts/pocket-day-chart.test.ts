import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { PocketAnswers } from '../pages/pocket-question.ts';
import { dayChart } from './pocket-day-chart.ts';

const NOON = Date.parse('2026-11-11T04:00:00Z');
const iso = (time: number) => new Date(time).toISOString();

/** The chart of a pocket at `now`, with `count` readings up to noon and a forecast of an hour later. */
function draw(now: number, count: number): string {
  const reading = {
    calm: 0.5,
    stress: 0.4,
    social_energy: 0.5,
    productive: 0.5,
    primary_state: 'calm-social' as const,
  };
  const likely = { low: 0.5, high: 0.7, n: 30 };
  const day = {
    pocket_id: 'holland',
    as_of: iso(now),
    newest_reading_at: iso(NOON),
    reading_count: count,
    readings: Array.from({ length: count }, (_, i) => ({
      captured_at: iso(NOON - (count - 1 - i) * SLOT),
      ...reading,
    })),
    ahead: [
      {
        ...{
          at: iso(NOON + 4 * SLOT),
          minutes_ahead: 60,
          prediction_id: 'x',
          expected_state: 'calm-social' as const,
        },
        ...{ expected_calm: 0.6, confidence: 0.8, likely },
      },
    ],
  } satisfies PocketAnswers['day'];
  return dayChart(day, singapore).markup;
}

const pathOf = (markup: string, kind: string) =>
  new RegExp(`class="line ${kind}" d="([^"]*)"`).exec(markup)?.[1] ?? '';

test('on time the forecast begins at the newest reading, whose time is stated', () => {
  const markup = draw(NOON + 10 * MINUTE, 96);
  assert.match(markup, />now 12:10</);
  assert.match(pathOf(markup, 'ahead'), /^M[\d. ]+L[\d. ]+$/);
  assert.match(markup, /<p class="age">Newest reading: <time[^>]*>11 nov 2026, 12:00 SGT<\/time>\.<\/p>/i);
});

test('the axis ends at now: late readings leave a gap that no line crosses, and their age is marked', () => {
  const markup = draw(NOON + 50 * MINUTE, 90);
  assert.match(markup, />now 12:50</);
  assert.doesNotMatch(pathOf(markup, 'ahead'), /L/);
  assert.match(markup, /<p class="age late">Newest reading: .*, 50 minutes old\.<\/p>/);
});

test('a pocket without a reading for a day states its last one', () => {
  const markup = draw(NOON + 30 * 60 * MINUTE, 0);
  assert.match(markup, /Nothing was observed here in the last 24 hours\..*class="age late".*30 h old/s);
});
