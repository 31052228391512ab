// Which page, feed, picture or card shows which figure of a moment, and in which words.
import { iso } from '../../../src/domain/time/slot.ts';
import {
  between,
  COUNTS,
  FORECAST,
  LEVEL,
  OFFER,
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
const unfold = (text: string) => text.replaceAll('\r\n ', '').replaceAll('\\,', ',');

const findValue = (text: string, pattern: RegExp): string[] => {
  const [, value] = pattern.exec(text) ?? [];
  return value === undefined ? [] : [value];
};

/** The event of a calendar that begins with the moment: the window that is open; none or one. */
const openEvent = (text: string, slot: number): string[] =>
  unfold(text)
    .split('BEGIN:VEVENT')
    .filter((event) => event.includes(`DTSTART:${iso(slot).slice(0, 19).replaceAll(/[-:]/g, '')}Z`));

/** The chance now, and the end of the window that is open, as the advice tells them. */
const CHANCE = /calm \(([\d.]+)\s?%\)/i;
const UNTIL = /calm \([\d.]+\s?%\), (?:at least )?until (\d\d:\d\d)/i;
const OPEN_NOW = /(\d+|fewer than five) open now/;

export const pageSurfaces: Record<string, Surface> = {
  page_home: {
    // The row of one pocket: its name finds it.
    query: ({ pocket }) => `q=${pocket}`,
    shows: {
      chance: words(CHANCE),
      clock: words(UNTIL),
    },
    otherwise: { spokenEnd: PAST },
  },
  page_compare: {
    query: ({ pocket }) => `pockets=${pocket}`,
    shows: {
      chance: words(CHANCE, (text) => between(text, 'Figure', 'Open then')),
      clock: words(UNTIL),
      reason: reasons((text) => between(text, 'Said now', 'Next calm window')),
    },
    otherwise: { spokenEnd: PAST },
  },
  page_pocket: {
    shows: {
      level: words(/calm level (\d(?:\.\d+)?) from 0 to 1, at the last reading/i),
      probability: words(PROBABILITY),
      chance: words(CHANCE, (text) => between(text, 'Also', 'Share or embed')),
      clock: words(UNTIL),
      outlets: words(/(\d+) outlets? here/),
      open: words(OPEN_NOW),
      reason: reasons((text) => between(text, 'is said now:', 'In the words of the service')),
    },
    otherwise: { spokenEnd: PAST },
  },
  page_accuracy: { shows: {}, otherwise: { clock: SAMPLE } },
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
      spokenEnd: words(SPOKEN_END),
      outlets: words(/outlets here (\d+)/i),
      open: words(OPEN_NOW),
    },
  },
  page_outlet: {
    shows: { probability: words(PROBABILITY) },
    otherwise: { spokenEnd: PAST, clock: OFFER },
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
  docs: { shows: {}, otherwise: { outlets: SAMPLE, level: SAMPLE, probability: SAMPLE, reason: SAMPLE } },
  llms_full_txt: {
    shows: {},
    otherwise: {
      ...{ probability: SAMPLE, chance: SAMPLE, minutes: SAMPLE, clock: SAMPLE, spokenEnd: SAMPLE },
      ...{ outlets: SAMPLE, open: SAMPLE, reason: SAMPLE },
    },
  },
  docs_address: { shows: {}, otherwise: { level: SAMPLE } },
  outlets: { query: ({ pocket }) => `pocket=${pocket}`, shows: { outlets: words(/(\d+) outlets?\./) } },
  embed_pocket: {
    shows: {
      chance: words(CHANCE),
      clock: words(UNTIL),
    },
  },
  calm_ics: {
    shows: {
      chance: ({ text }, { slot }) => openEvent(text, slot).flatMap((event) => findValue(event, CHANCE)),
      clock: ({ text }, { slot }) =>
        openEvent(text, slot).flatMap((event) => findValue(event, /until (\d\d:\d\d)/)),
    },
  },
  badge_pocket: { shows: { chance: words(CHANCE), clock: words(UNTIL) } },
  page_share: { shows: { chance: words(CHANCE), clock: words(UNTIL) } },
  pocket_rss: { shows: { spokenEnd: words(SPOKEN_END, rssItem) } },
  stream_rss: { shows: { spokenEnd: words(SPOKEN_END, rssItem) } },
  json_feed: { shows: { spokenEnd: words(SPOKEN_END, jsonItem) } },
};
