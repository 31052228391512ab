// Names and lines that would break a calendar, a feed or a picture, if anything of them were taken for its syntax.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { childElements, childText, parseXml } from '../../../test/support/answers/xml.ts';
import { csvLine } from '../../domain/text/csv.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { parseTable } from '../../sources/core/rows/table.ts';
import type { Site } from '../parts/page.ts';
import { type Feed, jsonFeed, rssFeed } from '../site/feeds.ts';
import { badgeSvg } from './badge.ts';
import { embedPage } from './embed.ts';
import { parseIcal } from './ical.fixture.ts';
import { type CalmCalendar, calmIcal } from './ical.ts';

/** The loader of a city refuses most of these; here they come all the same. */
const names = [
  'a;b,c:d\\e"f',
  'x\r\nEND:VEVENT\r\nBEGIN:VEVENT',
  ']]><script>alert(1)</script>',
  '<!-- --> & &amp; <b>',
  '=HYPERLINK("http://x")',
  'é'.repeat(40),
  '👩‍👩‍👧 café 🏳️‍🌈',
  'abc\u202edef\u2066ghi\u200f',
  'nul\u0000 bell\u0007 esc\u001b[31m c1\u0085\u009b',
  'line\u2028sep\u2029par',
  'half\ud800 \ufffe \uffff',
  "it's \t tabbed",
];

const registry = loadRegistry(cityDir('singapore'));
const siteNamed = (name: string): Site => ({
  baseUrl: 'https://pocketwatch.test',
  substrate: 'simulated',
  registry: {
    ...registry,
    city: { ...registry.city, name },
    pockets: registry.pockets.map((pocket) => ({ ...pocket, name })),
  },
  zone: singapore,
  operations: [],
  builtAt: '2026-11-01T00:00:00.000Z',
  notice: null,
});
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
  ],
};
const feedNamed = (name: string): Feed => ({
  type: 'narration',
  zone: singapore,
  baseUrl: 'https://pocketwatch.test',
  address: 'https://pocketwatch.test/stream.rss',
  substrate: 'simulated',
  pocketName: () => name,
  pocket_id: 'tiongbahru',
  events: [
    {
      type: 'narration',
      timestamp: '2026-11-11T04:00:00.000Z',
      id: 'tiongbahru-20261111T0400Z',
      pocket_id: 'tiongbahru',
      tier: 'atmosphere',
      body: name,
    },
  ],
  _meta: {},
});
const viewNamed = (name: string) => ({
  pocket_id: 'tiongbahru',
  name,
  state: name,
  calm: null,
  kind: 'c1',
  read: null,
  data: name,
  dataLabel: name,
});

/** What XML and calendars may not hold becomes a space. */
const forXml = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ');
const served = (text: string) => Buffer.from(text).toString();
/** Readers of XML turn line ends into line feeds. */
const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n');

describe('a name', () => {
  for (const name of names) {
    const shown = JSON.stringify(name).slice(0, 50);
    test(`is one text of a calendar: ${shown}`, () => {
      const ical = parseIcal(served(calmIcal(siteNamed(name), calendar)));
      assert.equal(ical.components.length, 1);
      const [start] = served(lines(name)).split(/[^\w ]/u);
      assert.ok(ical.components[0]?.text('LOCATION').startsWith(start ?? ''));
    });

    test(`is one text of RSS and JSON Feed: ${shown}`, () => {
      const channel = childElements(parseXml(served(rssFeed(feedNamed(name)))), 'channel')[0];
      assert.ok(channel);
      const items = childElements(channel, 'item');
      assert.equal(items.length, 1);
      assert.ok(items[0]);
      assert.equal(lines(childText(items[0], 'description')), served(lines(forXml(name))));
      const json = JSON.parse(served(jsonFeed(feedNamed(name))));
      assert.equal(json.items[0].content_text.toWellFormed(), name.toWellFormed());
    });

    test(`is one text of a badge and a card: ${shown}`, () => {
      const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
      const svg = parseXml(declaration + served(badgeSvg(viewNamed(name)).markup));
      assert.ok(lines(childText(svg, 'title')).startsWith(served(lines(forXml(name)))));
      const card = embedPage(siteNamed(name), viewNamed(name), calendar, 'auto');
      assert.doesNotMatch(card, /<script|<b>|<!-- -->/);
    });

    test(`is one cell of CSV, and no formula: ${shown}`, () => {
      const [[first = '', second] = []] = parseTable(csvLine([name, 'x'])).rows;
      assert.equal(second, 'x');
      assert.equal(first.replace(/^'(?==)/, ''), name);
    });
  }
});
