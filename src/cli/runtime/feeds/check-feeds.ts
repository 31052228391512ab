// Reads each feed of a city once and tells what would be read from it. Nothing is stored and no budget is kept: one poll
// of each feed is within every publisher's limit.
import type { Pocket } from '../../../domain/city/city.ts';
import { attributionOn } from '../../../domain/city/city-feed.ts';
import type { Feed } from '../../../sources/core/feed.ts';
import { feedTerms } from '../../../sources/core/feed-terms.ts';
import { addFaults, type FaultCounts } from '../../../sources/core/measurement.ts';
import { placeFinder } from '../../../sources/core/place.ts';
import { type Checked, checkRows } from '../../../sources/core/quality.ts';
import type { FeedReading } from '../../../sources/core/read-feed.ts';
import { allAdapters, feedProblems } from '../../../sources/live/all.ts';
import { type ReadOnceSettings, readOnce } from './read-once.ts';

export interface FeedCheckSettings extends ReadOnceSettings {
  feeds: readonly Feed[];
  pockets: readonly Pocket[];
  time_zone: string;
}

export interface FeedCheck {
  feed: string;
  title: string;
  publisher: string;
  licence: string;
  attribution: string;
  /** What was done, where that is not obvious. */
  notes: string[];
  /** What is wrong with the feed as a whole; empty where it was read. */
  problems: string[];
  /** Rows that were left out, by reason. */
  faults: Record<string, number>;
  fields: FieldCheck[];
}

export interface FieldCheck {
  field: string;
  measures: string;
  what: string;
  values: number;
  /** Rows by which a place is closed. */
  closed: number;
  places: number;
  /** Minutes since the newest value was observed; null where there is none, or it has no time. */
  age_minutes: number | null;
  pockets: { pocket_id: string; places: number; nearest_m: number }[];
}

export interface CityCheck {
  feeds: FeedCheck[];
  /** Pockets that no feed gives a crowd signal for: they get no moments. */
  without_crowd: string[];
}

/** What counts the people of a pocket, or stands in for that. */
export const CROWD_KINDS: readonly string[] = ['crowd', 'footfall'];

export async function checkFeeds(settings: FeedCheckSettings): Promise<CityCheck> {
  const feeds: FeedCheck[] = [];
  for (const feed of settings.feeds) feeds.push(await checkFeed(feed, settings));
  const covered = new Set(
    feeds
      .flatMap(({ fields }) => fields)
      .filter(({ measures }) => CROWD_KINDS.includes(measures))
      .flatMap(({ pockets }) => pockets.map(({ pocket_id }) => pocket_id)),
  );
  const without_crowd = settings.pockets.map(({ id }) => id).filter((id) => !covered.has(id));
  return { feeds, without_crowd };
}

async function checkFeed(feed: Feed, settings: FeedCheckSettings): Promise<FeedCheck> {
  const { pockets, time_zone, clock } = settings;
  const { id, title } = feed;
  const adapter = allAdapters.find(({ name }) => name === feed.adapter);
  const found = feedProblems(feed);
  if (!adapter || found.length > 0) {
    const { publisher = '', licence = '', attribution = '' } = feed;
    const nothing = { notes: [], problems: found, faults: {}, fields: [] };
    return { feed: id, title, publisher, licence, attribution, ...nothing };
  }
  const terms = feedTerms(feed, adapter);
  const now = clock();
  const points = pockets.map((pocket) => ({ pocket_id: pocket.id, lat: pocket.lat, lng: pocket.lng }));
  const { reading, notes, problem } = await readOnce(feed, terms, { now, points, time_zone }, settings);
  const find = placeFinder(pockets);
  const received_at = clock();
  const checked = checkRows(reading?.rows ?? [], { feed, pockets, find, received_at, runs: new Map() });
  const faults: FaultCounts = {};
  for (const counts of [reading?.faults ?? {}, checked.faults]) addFaults(faults, counts);
  const isUnused = reading !== undefined && checked.kept.length === 0;
  const unused = isUnused ? ['nothing that was read can be used for a pocket'] : [];
  return {
    feed: id,
    title,
    publisher: terms.publisher,
    licence: terms.licence,
    attribution: attributionOn(terms, new Date(now).toISOString().slice(0, 10)),
    notes: [...notes, ...capacityNotes(checked)],
    problems: problem === undefined ? unused : [problem],
    faults: faults as Record<string, number>,
    fields: Object.entries(feed.fields).map(([field, { measures, what }]) => ({
      field,
      measures,
      what,
      ...fieldCheck(feed, field, checked.kept, find, received_at),
    })),
  };
}

/** A capacity of `sources.json` or of the feed that is too small is somebody's to correct. */
const capacityNotes = ({
  over_capacity,
}: Pick<Checked<FeedReading['rows'][number]>, 'over_capacity'>): string[] =>
  [...over_capacity].map(
    ([place, { shown, stated }]) =>
      `${place} shows ${shown} where ${stated} is stated: the stated capacity is too small, and is taken to be ${shown}`,
  );

function fieldCheck(
  feed: Feed,
  field: string,
  kept: Checked<FeedReading['rows'][number]>['kept'],
  find: ReturnType<typeof placeFinder>,
  now: number,
): Pick<FieldCheck, 'values' | 'closed' | 'places' | 'age_minutes' | 'pockets'> {
  const rows = kept.filter((row) => row.field === field);
  const newest = rows.reduce((at, { observed_at }) => Math.max(at, observed_at ?? 0), 0);
  const places = new Map(rows.map((row) => [row.place_id, find(feed, row)]));
  const byPocket = Map.groupBy([...places.values()].flat(), ({ pocket_id }) => pocket_id);
  return {
    values: rows.filter(({ state }) => state === undefined).length,
    closed: rows.filter(({ state }) => state === 'closed').length,
    places: places.size,
    age_minutes: newest === 0 ? null : Math.round((now - newest) / 60_000),
    pockets: [...byPocket].map(([pocket_id, reaches]) => ({
      pocket_id,
      places: reaches.length,
      nearest_m: Math.round(reaches.reduce((least, { metres }) => Math.min(least, metres), Infinity)),
    })),
  };
}
