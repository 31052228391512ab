import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import type { Site } from '../parts/page.ts';
import { parseIcal, unescapeText } from './ical.fixture.ts';
import { type CalmCalendar, calmIcal, escapeText, foldLine } from './ical.ts';

const registry = loadRegistry(cityDir('singapore'));
const site: Site = {
  baseUrl: 'https://pocketwatch.test',
  substrate: 'simulated',
  registry,
  zone: singapore,
  operations: [],
  builtAt: '2026-11-01T00:00:00.000Z',
  notice: null,
};
const calendar: CalmCalendar = {
  pocket_id: 'tiongbahru',
  as_of: '2026-11-11T04:00:00.000Z',
  forecast_until: '2026-11-11T07:30:00.000Z',
  windows: [
    {
      ...{ basis: 'forecast', at_least: true, calm_probability: 0.8, held_share: 0.91 },
      starts_at: '2026-11-11T05:30:00.000Z',
      ends_at: '2026-11-11T07:30:00.000Z',
    },
    {
      ...{ basis: 'usual', at_least: false, calm_probability: 0.97, held_share: 0.88 },
      starts_at: '2026-11-11T08:00:00.000Z',
      ends_at: '2026-11-11T10:00:00.000Z',
    },
  ],
};

describe('the calendar of calm windows', () => {
  test('tells forecasts and usual hours apart, in summary and category', () => {
    const [forecast, usual, ...others] = parseIcal(calmIcal(site, calendar)).components;
    assert.ok(forecast && usual && !others.length);
    assert.deepEqual([forecast.name, usual.name], ['VEVENT', 'VEVENT']);
    assert.equal(forecast.text('SUMMARY'), 'Likely calm (80\u00a0%): Tiong Bahru (forecast, simulated)');
    assert.equal(usual.text('SUMMARY'), 'Usually calm: Tiong Bahru (simulated)');
    assert.deepEqual(
      [forecast.text('CATEGORIES'), usual.text('CATEGORIES')],
      ['Calm forecast', 'Usually calm'],
    );
    assert.deepEqual(
      [forecast.value('DTSTART'), forecast.value('DTEND')],
      ['20261111T053000Z', '20261111T073000Z'],
    );
    assert.match(
      forecast.text('DESCRIPTION'),
      /sealed at 12:00 SGT, at least until 15:30 SGT\. 91\u00a0% of such windows held on other days\./,
    );
    assert.match(
      usual.text('DESCRIPTION'),
      /^Not a forecast: 97\u00a0% of the readings .* were calm\. 88\u00a0% .*\. Simulated data\.$/,
    );
  });

  test('a replay is named by its day, measured data is not named in titles', () => {
    const summaries = (substrate: string) => {
      const ical = parseIcal(calmIcal({ ...site, substrate }, calendar));
      return [ical.text('NAME'), ...ical.components.map((event) => event.text('SUMMARY'))];
    };
    assert.deepEqual(summaries('replay'), [
      'Calm windows: Tiong Bahru (replay of 11 Nov 2026)',
      'Likely calm (80\u00a0%): Tiong Bahru (forecast, replay of 11 Nov 2026)',
      'Usually calm: Tiong Bahru (replay of 11 Nov 2026)',
    ]);
    assert.deepEqual(summaries('live'), [
      'Calm windows: Tiong Bahru',
      'Likely calm (80\u00a0%): Tiong Bahru (forecast)',
      'Usually calm: Tiong Bahru',
    ]);
  });

  test('the time stamps are those of the data, and a later refresh keeps the ids', () => {
    const first = parseIcal(calmIcal(site, calendar)).components;
    const later = parseIcal(
      calmIcal(site, {
        ...calendar,
        as_of: '2026-11-11T09:00:00.000Z',
        // The hour that has passed is no longer part of the usual window.
        windows: calendar.windows
          .slice(1)
          .map((window) => ({ ...window, starts_at: '2026-11-11T09:00:00.000Z' })),
      }),
    ).components;
    assert.equal(first[0]?.value('DTSTAMP'), '20261111T040000Z');
    assert.equal(first[1]?.value('UID'), later[0]?.value('UID'));
    assert.equal(later[0]?.value('DTSTAMP'), '20261111T090000Z');
  });

  test('says how often to refresh', () => {
    const { properties } = parseIcal(calmIcal(site, calendar));
    assert.ok(properties.some(({ name, value }) => name === 'REFRESH-INTERVAL' && value === 'PT15M'));
  });

  test('without windows it is still a valid calendar', () => {
    const { components } = parseIcal(calmIcal(site, { ...calendar, forecast_until: null, windows: [] }));
    assert.deepEqual(
      components.map(({ name }) => name),
      ['VJOURNAL'],
    );
  });

  test('a hostile name stays text', () => {
    const [pocket, ...pockets] = registry.pockets;
    assert.ok(pocket);
    const name = 'A\r\nEND:VCALENDAR\nX:;,\\ "b"\u0007 北';
    const hostile = { ...site, registry: { ...registry, pockets: [{ ...pocket, name }, ...pockets] } };
    const { components } = parseIcal(calmIcal(hostile, { ...calendar, pocket_id: pocket.id }));
    assert.equal(
      components[1]?.text('SUMMARY'),
      'Usually calm: A\nEND:VCALENDAR\nX:;,\\ "b"  北 (simulated)',
    );
  });
});

const wild = fc.string({
  unit: fc.constantFrom('a', ' ', ',', ';', '\\', '\n', 'é', '北', '🙂', 'n', ':'),
  maxLength: 300,
});

test('any text is folded to lines of 75 octets, and unfolds and unescapes to itself', () => {
  fc.assert(
    fc.property(wild, (text) => {
      const folded = foldLine(`X:${escapeText(text)}`);
      for (const line of folded.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75);
        assert.ok(line.isWellFormed());
      }
      assert.equal(unescapeText(folded.replaceAll('\r\n ', '').slice(2)), text);
    }),
  );
});
