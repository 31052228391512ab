// Which page, feed, picture or card shows which figure of a moment, and in which words.
import {
  between,
  COUNTS,
  FORECAST,
  LEVEL,
  LINE_END,
  PAST,
  PROBABILITY,
  reasons,
  SAMPLE,
  type Surface,
  words,
} from './extract.ts';
import { SPOKEN_END, type StoredMoment } from './figures.ts';

/** The entry of a feed about the line that was said at the moment. */
const rssItem = (text: string, { id }: StoredMoment) => between(text, `narration:${id}`, '</item>');
const jsonItem = (text: string, { id }: StoredMoment) => between(text, `narration:${id}`, '}');

/** iCalendar breaks long lines. */
const unfolded = (text: string) => text.replaceAll('\r\n ', '');

const ABOUT = /likely for about (\d+ minutes|\d+ hours?(?: \d+ minutes)?)/;
const OPEN_NOW = /(\d+|fewer than five) open now/;

export const pageSurfaces: Record<string, Surface> = {
  page_home: {
    // The row of one pocket: its name finds it.
    query: ({ pocket }) => `q=${pocket}`,
    shows: {
      level: words(LEVEL),
      about: words(ABOUT),
      clock: words(/likely for about [\w ]+, until (\d\d:\d\d)/),
      best: words(/best in the next three hours: (\d\d:\d\d)/i),
      chance: words(/best in the next three hours: \d\d:\d\d , ([\d.]+) ?% likely calm/i),
    },
    otherwise: { spokenEnd: PAST },
  },
  page_compare: {
    query: ({ pocket }) => `pockets=${pocket}`,
    shows: {
      level: words(LEVEL),
      about: words(ABOUT),
      clock: words(/likely for about [\w ]+, until (\d\d:\d\d)/),
      best: words(/best in the next three hours .*? (\d\d:\d\d) , [\d.]+ ?% likely calm/i),
      chance: words(/best in the next three hours .*? \d\d:\d\d , ([\d.]+) ?% likely calm/i),
      reason: reasons((text) => between(text, 'Said now', 'Calm level :')),
    },
    otherwise: { spokenEnd: PAST },
  },
  page_pocket: {
    shows: {
      level: words(/calm level (\d(?:\.\d+)?) from 0 to 1, at the last reading/i),
      probability: words(PROBABILITY),
      about: words(/(?:likely for|lasted longer than) about (\d+ minutes|\d+ hours?(?: \d+ minutes)?)/i),
      clock: words(/(?:likely until about|(?:minutes|hours?), until) (\d\d:\d\d)/),
      outlets: words(/(\d+) outlets? here/),
      open: words(OPEN_NOW),
      reason: reasons((text) => between(text, 'is said now:', 'In the words of the service')),
    },
    otherwise: { spokenEnd: PAST, best: FORECAST, chance: FORECAST },
  },
  page_ledger: { shows: {}, otherwise: { level: FORECAST } },
  page_ledger_entry: { shows: {}, otherwise: { level: FORECAST, probability: FORECAST } },
  page_pocket_evidence: { shows: {}, otherwise: { level: PAST, spokenEnd: PAST } },
  page_pocket_day: {
    shows: {
      reason: reasons((text) => between(text, 'What was said, and what was not', 'Why')),
    },
    otherwise: { level: PAST, spokenEnd: PAST },
  },
  page_intent: {
    shows: {
      about: words(ABOUT),
      outlets: words(/outlets here (\d+)/i),
      open: words(OPEN_NOW),
    },
  },
  page_outlet: {
    shows: { probability: words(PROBABILITY), clock: words(LINE_END) },
    otherwise: { spokenEnd: PAST },
  },
  page_week: { shows: {}, otherwise: { level: PAST } },
  page_latest_week: { shows: {}, otherwise: { level: PAST } },
  page_explanation: {
    shows: {
      level: words(LEVEL),
      spokenEnd: words(SPOKEN_END),
      reason: reasons((text) => between(text, 'The reason', 'What would have been said')),
    },
  },
  page_outlet_backtest: { shows: {}, otherwise: { spokenEnd: PAST } },
  page_silence: { shows: {}, otherwise: { reason: COUNTS } },
  page_benchmark: { shows: {}, otherwise: { probability: SAMPLE } },
  docs: { shows: {}, otherwise: { outlets: SAMPLE } },
  docs_address: { shows: {}, otherwise: { level: SAMPLE } },
  outlets: { query: ({ pocket }) => `pocket=${pocket}`, shows: { outlets: words(/(\d+) outlets?\./) } },
  embed_pocket: {
    shows: {
      level: words(LEVEL),
      best: words(/forecast: [\d.]+ ?% at (\d\d:\d\d)/),
      chance: words(/forecast: ([\d.]+) ?% at/),
    },
  },
  calm_ics: {
    shows: {
      best: words(/state is [\d.]+\s?% at (\d\d:\d\d)/, unfolded),
      chance: words(/state is ([\d.]+)\s?% at/, unfolded),
    },
  },
  badge_pocket: { shows: { level: words(LEVEL) } },
  page_share: { shows: { level: words(LEVEL) } },
  pocket_rss: { shows: { spokenEnd: words(SPOKEN_END, rssItem) } },
  stream_rss: { shows: { spokenEnd: words(SPOKEN_END, rssItem) } },
  json_feed: { shows: { spokenEnd: words(SPOKEN_END, jsonItem) } },
};
