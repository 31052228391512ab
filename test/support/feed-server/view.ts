// What the shapes of publishers are written from: places, chosen values, and the publisher's clock. Faults that change
// the data itself (times, values, lists) are applied here, so that every shape has them.
import type { ActiveFault } from './faults.ts';

export interface Place {
  id: string;
  lat: number;
  lng: number;
  /** Where a feed shows a name beside the id, or has a column of that name. */
  name?: string;
}

/** The value of a feed at a place and time. A feed is named `publisher.field`, such as `lta-datamall.free_lots`. */
export type Values = (feed: string, place: Place, time: number) => number;

/** Places by `publisher.field`, by publisher, or for all others under `*`. */
export type Places = Readonly<Record<string, readonly Place[]>>;

export interface FeedView {
  /** The publisher's clock, epoch milliseconds. */
  now: number;
  /** The time of the newest rows, which the publisher writes every so many seconds. */
  observedTime(every_seconds: number): number;
  value: Values;
  /** None where the fault is an empty list. */
  places(feed: string): readonly Place[];
  /** The rows of an answer: none, or each twice, where the fault is that. */
  rows<T>(list: readonly T[]): T[];
  /** Each twice where the fault is duplicated rows; for lists that stay when there is nothing to list. */
  repeatRows<T>(list: readonly T[]): T[];
}

const SKEW_SECONDS = 2 * 3600;
const OLD_SECONDS = 6 * 3600;

export function createView(
  now: number,
  values: Values,
  places: Places,
  fault: Pick<ActiveFault, 'kind' | 'since' | 'seconds'> | null,
): FeedView {
  const kind = fault?.kind;
  const skew_seconds =
    kind === 'clock_ahead' || kind === 'clock_behind' ? (fault?.seconds ?? SKEW_SECONDS) : 0;
  const skew = skew_seconds * (kind === 'clock_behind' ? -1000 : 1000);
  const age = kind === 'old_values' ? (fault?.seconds ?? OLD_SECONDS) * 1000 : 0;
  const repeatRows = <T>(list: readonly T[]): T[] =>
    kind === 'duplicated_rows' ? list.flatMap((row) => [row, row]) : [...list];
  return {
    now: now + skew,
    observedTime(every_seconds) {
      const step = every_seconds * 1000;
      return Math.floor((now + skew - age) / step) * step;
    },
    // A wrong clock does not change what is measured.
    value: (feed, place, time) =>
      values(feed, place, kind === 'frozen' ? (fault?.since ?? time) : time - skew),
    places(feed) {
      if (kind === 'empty') return [];
      const [publisher = ''] = feed.split('.');
      return places[feed] ?? places[publisher] ?? places['*'] ?? [];
    },
    rows: (list) => (kind === 'empty' ? [] : repeatRows(list)),
    repeatRows,
  };
}

/** Values from a table `feed → place → value`; what the table lacks comes from `otherwise`. */
export function tableValues(
  table: Readonly<Record<string, Readonly<Record<string, number>>>>,
  otherwise: Values,
): Values {
  return (feed, place, time) => table[feed]?.[place.id] ?? otherwise(feed, place, time);
}

/** So many positions within 60 m of a place. */
export function around({ lat, lng }: Place, count: number): { lat: number; lng: number }[] {
  return Array.from({ length: Math.max(0, Math.round(count)) }, (_, n) => {
    const angle = n * 2.4;
    const degrees = 0.0005 * ((n % 10) / 10);
    return { lat: lat + degrees * Math.sin(angle), lng: lng + degrees * Math.cos(angle) };
  });
}

export interface FeedQuestion {
  /** Behind the publisher's segment, without a leading slash. */
  path: string;
  query: URLSearchParams;
  /** Scheme, host and publisher's segment of the address that was asked. */
  base: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface FeedAnswer {
  status?: number;
  type: string;
  body: string | Uint8Array;
  /** The same answer after the publisher renamed a field. */
  renameField(): string | Uint8Array;
}

/** Null where the publisher has no such address. */
export type Publisher = (question: FeedQuestion, view: FeedView) => FeedAnswer | null;

/** `field` is the one that a change of the schema renames, wherever it occurs. */
export function json(value: unknown, field: string, status = 200): FeedAnswer {
  const body = JSON.stringify(value);
  return {
    status,
    type: 'application/json; charset=utf-8',
    body,
    renameField: () => body.replaceAll(`"${field}":`, `"${field}_new":`),
  };
}

/** `column` is the one that a change of the schema renames. */
export function csv(body: string, column: string): FeedAnswer {
  return {
    type: 'text/csv; charset=utf-8',
    body,
    renameField: () => body.replace(column, `${column} (new)`),
  };
}
