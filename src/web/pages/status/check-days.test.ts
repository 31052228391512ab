import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNames } from '../../../domain/report/heartbeat.ts';
import { checkDays } from './check-days.ts';

const span = {
  as_of: '2026-11-11T04:00:00.000Z',
  first_date: '2026-08-14',
  last_date: '2026-11-11',
  checks: [],
};
const day = (date: string, state: 'green' | 'amber' | 'red', red = 0, amber = 0) => ({
  ...{ date, state, red, amber },
  green: 96 - red - amber,
});
const history = { name: 'inbound MX', unit: 'quarter_hours', share: 0.98765 } as const;

test('a bar for each day, and a day without a record is never shown as a good one', () => {
  const days = [
    day('2026-11-08', 'green'),
    day('2026-11-09', 'amber', 0, 5),
    day('2026-11-10', 'red', 12, 1),
    day('2026-11-11', 'red', 4),
  ];
  const { markup } = checkDays('Mail', { ...history, recorded_since: '2026-11-08', days }, span);
  assert.match(markup, /data-states="-{86}garr"/);
  assert.match(markup, /data-counts="0\/5\/96 12\/1\/96 4\/0\/96"/);
  assert.match(
    markup,
    /aria-label="Mail, 90 days: 2 days failing for an hour or more, 1 day with a warning or a shorter failure, 1 day passing, 86 days without a record\."/,
  );
  assert.match(markup, /Uptime<\/a> 98\.7\u00a0%/);
  assert.match(markup, /No record before 8 Nov 2026/);
  assert.match(
    markup,
    /<li>10 Nov 2026 to 11 Nov 2026: failing in 16 and a warning in 1 of 192 results<\/li>/,
  );
});

test('nothing is claimed without a record', () => {
  const { markup } = checkDays('Mail', { ...history, share: null, recorded_since: null, days: [] }, span);
  assert.match(markup, /data-states="-{90}"/);
  assert.match(markup, /No record yet/);
  assert.doesNotMatch(markup, /Uptime|<details/);
});

test('nine checks that change every day stay far from the limit of a page', () => {
  const days = Array.from({ length: 90 }, (_, at) => {
    const date = new Date(Date.parse(span.first_date) + at * 86_400_000).toISOString().slice(0, 10);
    return day(date, at % 2 ? 'green' : 'red', at % 2 ? 0 : 40, at % 2 ? 0 : 12);
  });
  const one = checkDays('Mail', { ...history, recorded_since: span.first_date, days }, span).markup;
  assert.ok(one.length * checkNames.length < 40_000, `${one.length * checkNames.length}`);
});
