// Renders events of one type as RSS and as JSON Feed: what was said, or how forecasts turned out.
import { moneyText } from '../../domain/merchant/money.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import type { getStream } from '../../operations/report/get-stream.ts';
import { dataLabel, dataWords } from '../parts/data-label.ts';
import { html } from '../parts/html.ts';
import { dataName } from '../parts/page.ts';
import { formatDate } from '../parts/times.ts';

type Stream = AnswerOf<typeof getStream>;
export type FeedType = Stream['events'][number]['type'];

/** What both formats of feed are rendered from: the answer of get_stream, and where it is served. */
export interface Feed extends Pick<Stream, 'pocket_id' | 'events'> {
  /** The one type of event that the feed holds. */
  type: FeedType;
  baseUrl: string;
  zone: Zone;
  /** The address of the feed itself, with the query. */
  address: string;
  substrate: string;
  /** The display name of a pocket. */
  pocketName(pocket_id: string): string;
  /** Source, licence and attribution, as in every answer. */
  _meta: object;
}

interface Item {
  id: string;
  url: string;
  title: string;
  text: string;
  timestamp: string;
  type: string;
}

/** 'pocketwatch: all pockets', and for what is not a line of the service what it is: readers list feeds by their titles. */
const feedTitle = ({ pocket_id, pocketName, type }: Feed): string =>
  `pocketwatch: ${pocket_id === null ? 'all pockets' : pocketName(pocket_id)}${type === 'narration' ? '' : `, ${feedWords[type]}`}`;
const feedHome = ({ baseUrl, pocket_id }: Feed): string =>
  pocket_id === null ? baseUrl : `${baseUrl}/pocket/${pocket_id}`;
/** A replay is named by the day of the newest event. */
function feedDescription(feed: Feed): string {
  const { substrate, zone, events, type } = feed;
  const newest = events[0] ? zone.localDate(Date.parse(events[0].timestamp)) : null;
  return `${sentenceCase(feedWords[type])}. ${dataLabel(feed, newest) ?? dataName(substrate)}. CC BY-NC-ND 4.0, with attribution.`;
}

/** What an entry is, in its title. */
const kindWords: Record<FeedType, string> = {
  narration: 'what was said',
  prediction: 'how a forecast turned out',
  sustainability: 'what was saved',
};

/** What a feed is, in its title and its description. */
const feedWords: Record<FeedType, string> = {
  narration: 'what was said',
  prediction: 'how forecasts turned out',
  sustainability: 'what was saved from waste',
};

/** RSS 2.0. */
export function rssFeed(feed: Feed): string {
  const { baseUrl, address, events } = feed;
  const items = feedItems(feed).map(
    ({ id, url, title, text, timestamp, type }) =>
      html`<item><title>${title}</title><link>${url}</link><guid isPermaLink="false">${id}</guid><pubDate>${rfc822(timestamp)}</pubDate><category>${type}</category><description>${text}</description></item>\n`,
  );
  const newest = events[0] ? html`<lastBuildDate>${rfc822(events[0].timestamp)}</lastBuildDate>\n` : null;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feedTitle(feed)}</title>
<link>${feedHome(feed)}</link>
<description>${feedDescription(feed)}</description>
<language>en</language>
<copyright>CC BY-NC-ND 4.0, ${baseUrl}/LICENSE-CONTENT.md</copyright>
<atom:link href="${address}" rel="self" type="application/rss+xml"/>
<ttl>15</ttl>
${newest}${items}</channel>
</rss>
`.markup;
}

/** JSON Feed 1.1. */
export function jsonFeed(feed: Feed): string {
  const { address, _meta } = feed;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle(feed),
    home_page_url: feedHome(feed),
    feed_url: address,
    description: feedDescription(feed),
    language: 'en',
    items: feedItems(feed).map(({ id, url, title, text, timestamp, type }) => ({
      id,
      url,
      title,
      content_text: text,
      date_published: timestamp,
      tags: [type],
    })),
    _meta,
  });
}

/** Events that have no id of their own get one from their kind, pocket and time, and a number where these repeat. */
function feedItems(feed: Feed): Item[] {
  const { baseUrl, pocketName, events } = feed;
  const seen = new Map<string, number>();
  return events.map((event) => {
    const { url, subject, text } = eventContent(event);
    const key = `${event.type}:${subject}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const { timestamp, type, pocket_id } = event;
    const at = Date.parse(timestamp);
    return {
      id: times === 1 ? key : `${key}:${times}`,
      url: `${baseUrl}${url}`,
      title: `${pocketName(pocket_id)}, ${whenWords(feed, at)}: ${kindWords[type]}`,
      text,
      timestamp,
      type,
    };
  });
}

/** '11 Nov 2026, 12:00 SGT, simulated' or 'replay of 14 Dec 2024, 12:00 SGT'. Readers show an entry without its feed. */
function whenWords(feed: Feed, at: number): string {
  const [date, clock] = [feed.zone.localDate(at), feed.zone.clockWithZone(at)];
  const origin = dataWords(feed, date);
  if (feed.substrate === 'replay') return `${origin}, ${clock}`;
  return [formatDate(date), clock, ...(origin === null ? [] : [origin])].join(', ');
}

function eventContent(event: Stream['events'][number]): { url: string; subject: string; text: string } {
  switch (event.type) {
    case 'narration':
      return { url: `/explanations/emit:${event.id}`, subject: event.id, text: event.body };
    case 'prediction':
      return {
        url: `/ledger/${event.id}`,
        subject: event.id,
        text: `${event.generator}: ${event.expected} was expected, ${event.actual} was read; accuracy ${event.accuracy}.`,
      };
    case 'sustainability':
      return {
        url: `/pocket/${event.pocket_id}`,
        subject: `${event.pocket_id}:${event.timestamp}:${event.kind}`,
        text: `${event.kind}: ${event.value}, about ${moneyText(event.dollar_value, event.currency)}, ${event.basis}.`,
      };
  }
}

/** 'Wed, 11 Nov 2026 04:00:00 GMT' */
const rfc822 = (timestamp: string): string => new Date(timestamp).toUTCString();
