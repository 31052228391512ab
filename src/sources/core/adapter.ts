import type { TSchema } from 'typebox';
import { OperatorError } from '../../domain/text/operator-error.ts';
import type { Feed } from './feed.ts';
import type { WantedKey } from './feed-keys.ts';
import type { Measurement, RowFault } from './measurement.ts';

/** How one kind of feed is asked and read. Pure: the fetcher makes the requests, with its limits, retries and budget. */
export interface Adapter<Settings = unknown> {
  /** As `sources.json` names it, e.g. `open-meteo`. */
  name: string;
  about: AdapterDescription;
  /** What a feed of this kind may set in `sources.json`, beside what every feed has. */
  settings: TSchema;
  /** Throws a `FeedShapeError` for settings that fit the schema but not each other, e.g. rain in °F. */
  check?(settings: Settings): void;
  /** The first requests of one poll. Settings were checked against the schema. */
  requests(feed: FeedOf<Settings>, poll: Poll): FeedRequest[];
  /** Reads one body. Throws a `FeedShapeError` where nothing in it can be trusted, e.g. HTML with status 200. */
  parse(body: Uint8Array, feed: FeedOf<Settings>, request: FeedRequest, poll: Poll): ParsedFeed;
}

/** What is known of an adapter before anything is asked; all of those that need no requests. */
export type AdapterTerms<Settings = unknown> = Pick<
  Adapter<Settings>,
  'name' | 'about' | 'settings' | 'check'
>;

export interface AdapterDescription {
  publisher: string;
  /** Requests that the publisher allows, in so many seconds; null where none is stated. */
  limit: { requests: number; seconds: number } | null;
  /** The feed does not change more often than this. */
  changes_every_seconds: number;
  licence: string;
  /** The text that the publisher asks for; `{date}` stands for the day of access. */
  attribution: string;
  /** Which variable holds the key, where it goes and to which hosts; null where none is needed. */
  key: DescribedKey | null;
  /** The fields that it gives, each with what it is and its unit; absent where the settings name them. */
  fields?: Readonly<Record<string, string>>;
}

/** The key goes into a header or a parameter of the query. */
export interface DescribedKey extends WantedKey {
  header?: string;
  query?: string;
}

/** A feed of `sources.json` as an adapter sees it. */
export interface FeedOf<Settings> {
  id: string;
  settings: Settings;
  /** What its values mean, for words that stand in their place. */
  fields?: Feed['fields'];
}

export interface Poll {
  /** When the poll began, epoch milliseconds. */
  now: number;
  /** Points that the city wants values for: one for each pocket that the feed covers. */
  points: readonly { pocket_id: string; lat: number; lng: number }[];
  /** IANA zone of the city, for feeds whose times have no offset. */
  time_zone: string;
}

export interface FeedRequest {
  url: string;
  headers?: Record<string, string>;
  /** JSON that is sent with POST, for interfaces that take their question so; without it the request is a GET. */
  body?: string;
  /** What the adapter needs to know of this request when it reads the body, e.g. which file of several it is. */
  part?: string;
  /** Sent without If-None-Match: the body leads to further requests, which an answer of 304 would leave out. */
  unconditional?: true;
  /** How many requests it counts as against the publisher's limit; default 1. */
  cost?: number;
}

export interface ParsedFeed {
  measurements: Measurement[];
  /** Rows that were left out, and why. */
  faults: Partial<Record<RowFault, number>>;
  /** Further requests that this body asks for: next pages, files that it lists. */
  next: FeedRequest[];
  /** How long the publisher says this body stays valid. It may lengthen `every_seconds` and never shortens it. */
  ttl_seconds?: number;
}

/** The most that is asked for in one poll, whatever settings and bodies list. */
export const MOST_REQUESTS = 500;
/** Of all bodies of one poll, or of the files of a folder that are read at once. */
export const MOST_POLL_BYTES = 64 * 1024 * 1024;

/**
 * Rows of one body: of a list, a table or a message. The largest real ones have some ten thousand. A longer body is
 * refused, not cut, so that no part is taken for the whole.
 */
export const MOST_ROWS = 200_000;

/**
 * Values of one body, and of all bodies of one poll. A table of 32 MB can hold twenty times as many, which would not fit
 * into memory.
 */
export const MOST_VALUES = 500_000;

/** The body is not what the feed promises. The message names what was expected and is safe to log. */
export class FeedShapeError extends OperatorError {
  /** Also of a table that cannot be read: operators look for this name in the log. */
  override name = 'FeedShapeError';
}
