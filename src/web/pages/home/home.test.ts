import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityZone } from '../../../domain/time/zone.ts';
import { cityDir } from '../../../registry/city-dir.ts';
import { loadRegistry } from '../../../registry/load.ts';
import { homePage } from './index.ts';
import type { HomeAnswers, Place } from './question.ts';

const registry = loadRegistry(cityDir('singapore'));
const site = {
  ...{ baseUrl: 'https://pocketwatch.test', substrate: 'simulated', operations: [], builtAt: '' },
  ...{ registry, zone: cityZone(registry.city), notice: null },
};
const expected = {
  at: '2026-11-11T04:00:00.000Z',
  basis: 'forecast',
  calm_probability: 0.496,
  calm_level: 0.512,
  n: null,
  holiday: null,
} as const;
const later = {
  basis: 'usual',
  starts_at: '2026-11-11T23:00:00.000Z',
  ends_at: '2026-11-12T02:00:00.000Z',
  at_least: false,
  calm_probability: 0.95,
  held_share: 0.9,
} as const;
const place = (n: number): Place => ({
  ...{ pocket_id: `pocket-${n}`, name: `Neighbourhood ${n}`, region: 'Kampong Glam' },
  ...{ lat: 1.3 + (n % 10) / 100, lng: 103.8 + Math.floor(n / 10) / 100 },
  ...{ primary_state: 'busy-productive', calm_probability: 0.2, calm_level: 0.512, calm_change: 0 },
  ...{
    half_life_minutes: 91,
    expires_at: null,
    speaking: false,
    line: null,
    disagreements: [],
    line_at: null,
    silent_because: null,
  },
  ...{ usual_calm: 0.6, against_usual: 'less_calm', ahead: [], expected, window: null },
  ...{
    next_window: later,
    advice: 'later',
    distance_m: null,
    open_kinds: ['cafe'],
    open_count: 6,
    intent_alignment: null,
  },
  ...{ rain_mm: 0, temperature_c: 28, footfall: null, crowd: null },
});
const answers = (count: number, total: number, offset = 0): HomeAnswers => ({
  places: {
    ...{
      captured_at: '2026-11-11T04:00:00.000Z',
      at: null,
      place: null,
      night: false,
      pocket_count: total,
      total,
      offset,
    },
    ...{ speaking_count: 0, silent_count: total, unread_count: 0, learning: null, suggestions: [] },
    pockets: Array.from({ length: count }, (_, n) => place(n)),
  },
  asked: { q: '', order: 'calm', offset },
});

test('of ten thousand pockets a hundred are shown, on a light page with links to the others', () => {
  const page = homePage(site, answers(100, 10_000, 200));
  assert.equal(page.match(/<li id="p-/g)?.length, 100);
  assert.equal(page.match(/class="spot /g)?.length, 100);
  assert.match(page, /Pockets 201 to 300 of 10,000/);
  assert.match(page, /href="\/\?offset=100#pockets">Previous/);
  assert.match(page, /href="\/\?offset=300#pockets">Next/);
  const bytes = Buffer.byteLength(page);
  assert.ok(bytes < 100_000, `${bytes}`);
});

test('a city of one pocket names it, and offers no comparison', () => {
  const page = homePage(site, answers(1, 1));
  assert.match(
    page,
    /<h1[^>]*><span data-now><a href="\/pocket\/pocket-0">Neighbourhood 0<\/a> now<\/span><\/h1>/,
  );
  assert.doesNotMatch(page.slice(page.indexOf('<main')), /Compare|Previous hundred/);
});

test('the answer for the first place leads, in words with the percentage, and a single match is all of it', () => {
  const page = homePage(site, answers(1, 1));
  assert.match(page, /Unlikely calm \(49\.6\u00a0%\); usually calm from 07:00 tomorrow to 10:00/);
  assert.ok(page.indexOf('class="advice answer') < page.indexOf('<form class="ask"'));
  assert.match(page, /Less calm than usual/);
  assert.match(page, /Open: [a-z]+ \(6 places\)/);
  assert.doesNotMatch(page.slice(page.indexOf('<main')), />[^<]*0\.\d{3}/, 'no level with three decimals');
});

test('at night the first window of the day leads', () => {
  const night = answers(3, 3);
  const page = homePage(site, { ...night, places: { ...night.places, night: true } });
  assert.match(page, /<h1[^>]*><span data-now>Night in Singapore<\/span><\/h1>/);
  assert.match(page, /First in the day: <a href="\/pocket\/pocket-0">/);
});

test('at night a window that lasts an hour into the day leads', () => {
  const night = answers(3, 3);
  const at = '2026-11-10T22:15:00.000Z';
  const page = (ends_at: string) => {
    const window = { ...later, basis: 'forecast' as const, starts_at: at, ends_at, at_least: true };
    const pockets = night.places.pockets.map((one, n) =>
      n === 1 ? { ...one, window, expected: { ...expected, at, calm_probability: 0.97, n: null } } : one,
    );
    return homePage(site, { ...night, places: { ...night.places, night: true, pockets } });
  };
  const lasting =
    /Calm into the day: <a href="\/pocket\/pocket-1">Neighbourhood 1<\/a>\. Very likely calm \(97\u00a0%\), at least until 08:00/;
  assert.match(page('2026-11-11T00:00:00.000Z'), lasting);
  assert.match(page('2026-11-10T23:30:00.000Z'), /First in the day: <a href="\/pocket\/pocket-0">/);
});

test('the calmest place in which something is open leads; the list keeps its order', () => {
  const { places, asked } = answers(3, 3);
  const calm = { ...expected, calm_probability: 0.8 };
  const pockets = places.pockets.map((one, n) => ({
    ...{ ...one, expected: calm },
    ...(n === 0 && { open_kinds: [], open_count: null }),
  }));
  const page = homePage(site, { asked, places: { ...places, pockets } });
  assert.match(page, /Calmest with something open now: <a href="\/pocket\/pocket-1">/);
  assert.ok(page.indexOf('id="p-pocket-0"') < page.indexOf('id="p-pocket-1"'));
  const closed = pockets.map((one) => ({ ...one, open_kinds: [], open_count: null }));
  assert.match(
    homePage(site, { asked, places: { ...places, pockets: closed } }),
    /Calmest now: <a href="\/pocket\/pocket-0">/,
  );
});
