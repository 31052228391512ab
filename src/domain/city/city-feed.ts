/** A feed of a live city as answers describe it: its terms and what it measures. How it is fetched is in src/sources. */
import type { ExpectedSignal } from '../signals/signal.ts';
import { MINUTE } from '../time/slot.ts';

export interface CityFeed {
  id: string;
  title: string;
  publisher: string;
  licence: string;
  /** The text that the publisher asks for; `{date}` stands for the day of access. */
  attribution: string;
  /** Requests that the publisher allows, in so many seconds; null where none is stated. */
  limit: { requests: number; seconds: number } | null;
  /** How often it is polled. */
  every_seconds: number;
  fields: Readonly<Record<string, CityFeedField>>;
}

export interface CityFeedField {
  measures: ExpectedSignal;
  /** How several values of one place within a slot combine; default: the newest. */
  within_slot?: 'newest' | 'sum' | 'mean';
  /** Minutes from the time that the feed states to when the value was known. */
  stamp_minutes?: number;
  /** How long a value stays fresh. */
  fresh_minutes: number;
}

/** The attribution with the day of access, which some publishers ask for. */
export const attributionOn = ({ attribution }: Pick<CityFeed, 'attribution'>, day: string): string =>
  attribution.replaceAll('{date}', day);

/** Beyond this many texts an answer would be mostly attribution; the rest is at /feeds. */
const MAX_ATTRIBUTIONS = 20;

/** The distinct texts of all feeds of a city. */
export function feedAttributions(feeds: readonly CityFeed[], day: string, feedsUrl: string): string[] {
  const texts = [...new Set(feeds.map((feed) => attributionOn(feed, day)))].filter((text) => text !== '');
  if (texts.length <= MAX_ATTRIBUTIONS) return texts;
  return [...texts.slice(0, MAX_ATTRIBUTIONS - 1), `and others: ${feedsUrl}`];
}

/** The signals that count the people of a pocket, or stand in for that. */
const CROWD_SIGNALS: readonly ExpectedSignal[] = ['crowd', 'footfall'];

const crowdFields = ({ fields }: CityFeed): CityFeedField[] =>
  Object.values(fields).filter(({ measures }) => CROWD_SIGNALS.includes(measures));

/** What is stored of a feed, as far as its freshness depends on it. */
export interface FeedTimes {
  next_due: number;
  /** When it last gave something that can be used: an empty list is no success. */
  last_success: number | null;
  last_error: string | null;
  newest_observed: number | null;
}

/** A poll may fail twice before a feed counts as down. */
const FRESH_INTERVALS = 3;

/**
 * Whether a feed was read lately (docs/formulas.md, "Heartbeat"). A publisher may say that its answer stays valid for
 * longer than the interval: then the next poll is due later.
 */
export function isFeedFresh({ every_seconds }: CityFeed, times: FeedTimes | undefined, now: number): boolean {
  if (!times || times.last_success === null) return false;
  const interval = every_seconds * 1000;
  const until = times.last_success + FRESH_INTERVALS * interval;
  const due = times.last_error === null ? times.next_due + (FRESH_INTERVALS - 1) * interval : 0;
  return now <= Math.max(until, due);
}

/** Whether a feed that was read lately also gives values of the crowd that are not old: an answer may repeat itself. */
export function hasFreshCrowd(feed: CityFeed, times: FeedTimes | undefined, now: number): boolean {
  const fields = crowdFields(feed);
  if (fields.length === 0 || !times || !isFeedFresh(feed, times, now)) return false;
  const minutes = Math.max(
    ...fields.map(({ fresh_minutes, stamp_minutes = 0 }) => fresh_minutes + stamp_minutes),
  );
  return times.newest_observed === null || now - times.newest_observed <= minutes * MINUTE;
}
