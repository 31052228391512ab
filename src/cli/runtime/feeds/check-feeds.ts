// Fetches each feed of a city once and tells what would be read from it. Nothing is stored and no budget is kept: one
// poll of each feed is within every publisher's limit.
import type { Pocket } from '../../../domain/city/city.ts';
import { attributionOn } from '../../../domain/city/city-feed.ts';
import type { Adapter } from '../../../sources/core/adapter.ts';
import { askFeed, feedKey } from '../../../sources/core/ask-feed.ts';
import type { Feed } from '../../../sources/core/feed.ts';
import { feedTerms } from '../../../sources/core/feed-terms.ts';
import type { FetchLimits } from '../../../sources/core/fetch-body.ts';
import { fetchPolicy } from '../../../sources/core/fetch-policy.ts';
import { placeFinder } from '../../../sources/core/place.ts';
import { type Checked, checkRows, countFault, type FaultCounts } from '../../../sources/core/quality.ts';
import { type FeedReading, readFeed, safeMessage } from '../../../sources/core/read-feed.ts';
import { withoutSecrets } from '../../../sources/core/redact.ts';
import { adapters, feedProblems } from '../../../sources/live/all.ts';

export interface FeedCheckSettings {
  feeds: readonly Feed[];
  pockets: readonly Pocket[];
  time_zone: string;
  environment: Readonly<Record<string, string | undefined>>;
  userAgent: string;
  clock: () => number;
  adapters?: readonly Adapter[];
  limits?: FetchLimits;
}

export interface FeedCheck {
  feed: string;
  title: string;
  publisher: string;
  licence: string;
  attribution: string;
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
const CROWD_KINDS = ['crowd', 'footfall'];

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
  const { pockets, time_zone, environment, userAgent, clock, adapters: list = adapters, limits } = settings;
  const { id, title } = feed;
  const adapter = list.find(({ name }) => name === feed.adapter);
  const found = feedProblems(feed, list);
  if (!adapter || found.length > 0) {
    const { publisher = '', licence = '', attribution = '' } = feed;
    return { feed: id, title, publisher, licence, attribution, problems: found, faults: {}, fields: [] };
  }
  const terms = feedTerms(feed, adapter);
  const now = clock();
  const points = pockets.map((pocket) => ({ pocket_id: pocket.id, lat: pocket.lat, lng: pocket.lng }));
  const poll = { now, points, time_zone };
  const problems: string[] = [];
  const faults: FaultCounts = {};
  let reading: FeedReading | undefined;
  let secrets: string[] = [];
  try {
    const key = feedKey(terms, environment);
    secrets = key === undefined ? [] : [key];
    const signal = new AbortController().signal;
    const ask = askFeed(feed, adapter, terms, poll, {
      policy: fetchPolicy(),
      userAgent,
      key,
      signal,
      limits,
    });
    reading = await readFeed(feed, adapter, poll, ask);
    if (reading.error !== undefined) throw reading.error;
  } catch (error) {
    problems.push(withoutSecrets(safeMessage(error), secrets));
  }
  const find = placeFinder(pockets);
  const received_at = clock();
  const checked = checkRows(reading?.rows ?? [], { feed, pockets, find, received_at, runs: new Map() });
  for (const counts of [reading?.faults ?? {}, checked.faults])
    for (const [fault, count] of Object.entries(counts))
      countFault(faults, fault as keyof FaultCounts, count);
  if (problems.length === 0 && checked.kept.length === 0)
    problems.push('nothing that was read can be used for a pocket');
  return {
    feed: id,
    title,
    publisher: terms.publisher,
    licence: terms.licence,
    attribution: attributionOn(terms, new Date(now).toISOString().slice(0, 10)),
    problems,
    faults: faults as Record<string, number>,
    fields: Object.entries(feed.fields).map(([field, { measures, what }]) => ({
      field,
      measures,
      what,
      ...fieldCheck(feed, field, checked.kept, find, received_at),
    })),
  };
}

function fieldCheck(
  feed: Feed,
  field: string,
  kept: Checked<FeedReading['rows'][number]>['kept'],
  find: ReturnType<typeof placeFinder>,
  now: number,
): Pick<FieldCheck, 'values' | 'places' | 'age_minutes' | 'pockets'> {
  const rows = kept.filter((row) => row.field === field);
  const newest = rows.reduce((at, { observed_at }) => Math.max(at, observed_at ?? 0), 0);
  const places = new Map(rows.map((row) => [row.place_id, find(feed, row)]));
  const byPocket = Map.groupBy([...places.values()].flat(), ({ pocket_id }) => pocket_id);
  return {
    values: rows.length,
    places: places.size,
    age_minutes: newest === 0 ? null : Math.round((now - newest) / 60_000),
    pockets: [...byPocket].map(([pocket_id, reaches]) => ({
      pocket_id,
      places: reaches.length,
      nearest_m: Math.round(Math.min(...reaches.map(({ metres }) => metres))),
    })),
  };
}
