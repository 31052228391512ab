import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  endsWithForecasts,
  expectedAt,
  expectedWindows,
  forecastReach,
  type PocketOutlook,
  windowsAround,
} from './pocket-outlook.ts';
import { noWindows } from './window-record.ts';

const slot = Date.parse('2026-11-11T04:00:00Z');
const calendar = { zone: singapore, weekend: [5, 6], holidays: [] };
const records = { later: noWindows, usual: noWindows };
const outlook = (over: Partial<PocketOutlook> = {}, ...chances: number[]): PocketOutlook => ({
  slot,
  ahead: chances.map((calm_probability, n) => ({ minutes: 60 * n, calm_probability, expected_calm: 0.5 })),
  open: null,
  usualAt: (at) => ({ chance: singapore.hourOfDay(at) >= 18 ? 0.99 : 0.2, calm_level: 0.4, n: 32 }),
  ...over,
});

test('up to the last forecast the chance lies between the nearest two, beyond it is the usual', () => {
  const pocket = outlook({}, 0.2, 0.4, 0.9, 0.8);
  assert.equal(forecastReach(pocket), slot + 3 * HOUR);
  const table: [minutes: number, basis: string, chance: number, n: number | null][] = [
    [0, 'forecast', 0.2, null],
    [7, 'forecast', 0.223, null],
    [90, 'forecast', 0.65, null],
    [180, 'forecast', 0.8, null],
    [181, 'usual', 0.2, 32],
    [7 * 24 * 60 + 7 * 60, 'usual', 0.99, 32],
  ];
  for (const [minutes, basis, chance, n] of table) {
    const expected = expectedAt(pocket, slot + minutes * MINUTE);
    assert.deepEqual([expected?.basis, expected?.calm_probability, expected?.n], [basis, chance, n]);
  }
  assert.equal(expectedAt(outlook({ slot: null, usualAt: () => null }), slot), null);
});

test('an open window leads, then those of the usual; without one the first that begins later', () => {
  const open = { ends_at: slot + 2 * HOUR, held_share: 0.9 };
  const now = [...expectedWindows(outlook({ open }, 0.9, 0.8, 0.5, 0.4), slot, records, calendar)];
  assert.deepEqual(
    now.slice(0, 2).map(({ basis, starts_at, ends_at }) => [basis, starts_at - slot, ends_at - slot]),
    [
      ['forecast', 0, 2 * HOUR],
      ['usual', 6 * HOUR, 10 * HOUR],
    ],
  );
  const [forecast, usualOne] = now;
  assert.deepEqual(windowsAround(now, slot + HOUR), { window: forecast, next: usualOne });
  assert.deepEqual(windowsAround(now, slot + 3 * HOUR), { window: null, next: usualOne });
  assert.equal(windowsAround(now, slot + 7 * DAY).next, null);
  const later = outlook({}, 0.3, 0.9, 0.95, 0.95);
  const [first] = expectedWindows(later, slot, records, calendar);
  assert.ok(first);
  assert.deepEqual([first.starts_at - slot, first.ends_at - slot], [HOUR, 3 * HOUR]);
  assert.equal(endsWithForecasts(later, first), true, 'it may last for longer');
  const [usual] = expectedWindows(outlook({ slot: null }), slot, records, calendar);
  assert.ok(usual);
  assert.equal(endsWithForecasts(later, usual), false);
});

test('a later window begins in waking hours', () => {
  const night = slot + 14 * HOUR;
  const [first] = expectedWindows(outlook({ slot: night }, 0.3, 0.9, 0.95, 0.95), night, records, calendar);
  assert.equal(first?.basis, 'usual');
});
