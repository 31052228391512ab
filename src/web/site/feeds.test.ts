import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { childElements, childText, type Element, parseXml } from '../../../test/support/answers/xml.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { type Feed, jsonFeed, rssFeed } from './feeds.ts';

const timestamp = '2026-11-11T04:00:00.000Z';
const events: Feed['events'] = [
  {
    type: 'narration',
    timestamp,
    id: 'tiongbahru-20261111T0400Z',
    pocket_id: 'tiongbahru',
    tier: 'atmosphere',
    body: 'a quiet hour; calm < 0.8 & falling.',
  },
  {
    type: 'prediction',
    timestamp,
    id: 'dempsey-20261111T0300Z.pocket_projection_60m',
    pocket_id: 'dempsey',
    generator: 'pocket_projection_60m',
    expected: 'calm-social',
    actual: 'lively-social',
    accuracy: 0.4,
  },
  {
    type: 'sustainability',
    timestamp,
    pocket_id: 'dempsey',
    kind: 'waste_avoided',
    value: 3,
    dollar_value: 12.5,
    currency: 'SGD',
    basis: 'inferred',
  },
  {
    type: 'sustainability',
    timestamp,
    pocket_id: 'dempsey',
    kind: 'waste_avoided',
    value: 4,
    dollar_value: 1,
    currency: 'EUR',
    basis: 'inferred',
  },
];
const feed: Feed = {
  type: 'narration',
  zone: singapore,
  baseUrl: 'https://pocketwatch.test',
  address: 'https://pocketwatch.test/stream.rss?limit=4&since=all',
  substrate: 'simulated',
  pocketName: (id) => (id === 'tiongbahru' ? 'Tiong Bahru' : id),
  pocket_id: null,
  events,
  _meta: { source: 'pocketwatch.test' },
};
const ids = [
  'narration:tiongbahru-20261111T0400Z',
  'prediction:dempsey-20261111T0300Z.pocket_projection_60m',
  `sustainability:dempsey:${timestamp}:waste_avoided`,
  `sustainability:dempsey:${timestamp}:waste_avoided:2`,
];
const links = [
  'https://pocketwatch.test/explanations/emit:tiongbahru-20261111T0400Z',
  'https://pocketwatch.test/ledger/dempsey-20261111T0300Z.pocket_projection_60m',
  'https://pocketwatch.test/pocket/dempsey',
  'https://pocketwatch.test/pocket/dempsey',
];
const texts = [
  'a quiet hour; calm < 0.8 & falling.',
  'pocket_projection_60m: calm-social was expected, lively-social was read; accuracy 0.4.',
  'waste_avoided: 3, about SGD 12.50, inferred.',
  'waste_avoided: 4, about EUR 1.00, inferred.',
];

/** What RSS 2.0 asks of a channel. */
function parseChannel(document: string): Element {
  const rss = parseXml(document);
  assert.deepEqual([rss.name, rss.attributes.version], ['rss', '2.0']);
  assert.equal(rss.attributes['xmlns:atom'], 'http://www.w3.org/2005/Atom');
  const [channel, ...others] = rss.children;
  assert.ok(channel?.name === 'channel' && !others.length);
  for (const needed of ['title', 'link', 'description']) assert.ok(childText(channel, needed), needed);
  for (const item of childElements(channel, 'item')) {
    const date = childText(item, 'pubDate');
    assert.match(date, /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.equal(childElements(item, 'guid')[0]?.attributes.isPermaLink, 'false');
    assert.doesNotThrow(() => new URL(childText(item, 'link')));
    for (const needed of ['title', 'description', 'category']) assert.ok(childText(item, needed));
  }
  return channel;
}

describe('RSS', () => {
  test('an item for each event', () => {
    const channel = parseChannel(rssFeed(feed));
    const items = childElements(channel, 'item');
    assert.deepEqual(
      items.map((item) => childText(item, 'guid')),
      ids,
    );
    assert.deepEqual(
      items.map((item) => childText(item, 'link')),
      links,
    );
    assert.deepEqual(
      items.map((item) => childText(item, 'description')),
      texts,
    );
    assert.deepEqual(childText(items[0] as Element, 'pubDate'), 'Wed, 11 Nov 2026 04:00:00 GMT');
    assert.equal(
      childText(items[0] as Element, 'title'),
      'Tiong Bahru, 11 Nov 2026, 12:00 SGT, simulated: what was said',
    );
    const [self] = childElements(channel, 'atom:link');
    assert.deepEqual(self?.attributes, { href: feed.address, rel: 'self', type: 'application/rss+xml' });
    assert.match(childText(channel, 'description'), /Simulated data/);
  });

  test('a replay is named by its day, in every entry', () => {
    const channel = parseChannel(rssFeed({ ...feed, substrate: 'replay' }));
    for (const item of childElements(channel, 'item'))
      assert.match(childText(item, 'title'), /^[\w ]+, replay of 11 Nov 2026, 12:00 SGT: /);
    assert.match(childText(channel, 'description'), / Replay of 11 Nov 2026\. /);
    const [live] = childElements(parseChannel(rssFeed({ ...feed, substrate: 'live' })), 'item');
    assert.equal(childText(live as Element, 'title'), 'Tiong Bahru, 11 Nov 2026, 12:00 SGT: what was said');
  });

  test('its title and description say which events it holds', () => {
    const words = (type: Feed['type']) => {
      const channel = parseChannel(rssFeed({ ...feed, type, pocket_id: 'tiongbahru' }));
      return [childText(channel, 'title'), childText(channel, 'description').split('.')[0]];
    };
    assert.deepEqual(words('narration'), ['pocketwatch: Tiong Bahru', 'What was said']);
    assert.deepEqual(words('prediction'), [
      'pocketwatch: Tiong Bahru, how forecasts turned out',
      'How forecasts turned out',
    ]);
    assert.deepEqual(words('sustainability'), [
      'pocketwatch: Tiong Bahru, what was saved from waste',
      'What was saved from waste',
    ]);
  });

  test('without events it is still a feed', () => {
    assert.deepEqual(childElements(parseChannel(rssFeed({ ...feed, events: [] })), 'item'), []);
  });
});

describe('JSON Feed', () => {
  test('an item for each event, with what version 1.1 asks for', () => {
    const document = JSON.parse(jsonFeed({ ...feed, pocket_id: 'dempsey' }));
    const { items, ...head } = document;
    assert.deepEqual(head, {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'pocketwatch: dempsey',
      home_page_url: `${feed.baseUrl}/pocket/dempsey`,
      feed_url: feed.address,
      description: 'What was said. Simulated data. CC BY-NC-ND 4.0, with attribution.',
      language: 'en',
      _meta: feed._meta,
    });
    assert.deepEqual(
      items.map(({ id, url, content_text }: Record<string, string>) => [id, url, content_text]),
      ids.map((id, n) => [id, links[n], texts[n]]),
    );
    assert.deepEqual([items[0].date_published, items[0].tags], [timestamp, ['narration']]);
  });
});

test('any address and any line can be parsed back unchanged', () => {
  const text = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", ']]>', '&amp;', 'é', '🙂', 'a', ' '),
  });
  fc.assert(
    fc.property(text, text, (body, query) => {
      const hostile: Feed = {
        ...feed,
        address: `https://pocketwatch.test/stream.rss?${query}`,
        events: [{ ...events[0], body } as Feed['events'][number]],
      };
      const channel = parseXml(rssFeed(hostile)).children[0] as Element;
      assert.equal(childElements(channel, 'atom:link')[0]?.attributes.href, hostile.address);
      const [item] = childElements(channel, 'item');
      assert.equal(childText(item as Element, 'description'), body);
      assert.equal(JSON.parse(jsonFeed(hostile)).items[0].content_text, body);
    }),
  );
});
