// Plays recorded measurements through the whole pipeline on a virtual clock, into a store of its own, and serves it.
import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { historySentence } from '../../domain/text/history-progress.ts';
import { iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import { cityZone, type Zone } from '../../domain/time/zone.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { listedSensors, measuredAt } from '../../registry/coverage.ts';
import { type LoadedCity, loadCity } from '../../registry/load.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { describeFeeds } from '../../sources/core/feed-terms.ts';
import { stateReader } from '../../sources/core/meaning/place-state.ts';
import type { Measurement } from '../../sources/core/measurement.ts';
import { allAdapters } from '../../sources/live/all.ts';
import { readReplayRows } from '../../sources/replay/replay-rows.ts';
import {
  mergeByTime,
  noCounts,
  type ReplayCounts,
  replaySource,
} from '../../sources/replay/replay-source.ts';
import { lastRun } from '../../store/runtime/job-runs.ts';
import { type Command, parseOptions, say, text, UsageError } from '../runtime/command.ts';
import { createPipeline, type Pipeline } from '../runtime/pipeline-factory.ts';
import { progressBar } from '../runtime/terminal/progress.ts';
import { serve } from './serve.ts';

export const replayCommand: Command = {
  usage: `pocketwatch replay --city DIR --from TIME --to TIME [--data DIR] [--speed N] [--no-serve] FILE…

Plays recorded measurements through the pipeline as if those days were now, and serves what came of it: readings,
decisions, sealed forecasts, reveals, accuracy and pages, all marked "replay". A FILE is CSV or JSONL, gzipped or not,
in order of time, with the columns timestamp, feed, place_id, lat, lon, field, value (docs/sources.md); the city's
sources.json says what each feed and field measures.

  --city DIR   folder of the city
  --from TIME  first day, as YYYY-MM-DD or YYYY-MM-DDTHH:MM in the city's zone
  --to TIME    end; a day without a time is included
  --data DIR   folder of the store; default: replay in DATA_DIR. A replay that was stopped goes on where it stopped
  --speed N    N seconds of those days in each second, while they are served; default: as fast as possible, then served
  --no-serve   stop when everything is written`,
  run: async (args) => {
    const options = readReplayOptions(args);
    await replay(options);
  },
};

interface ReplayOptions {
  city: LoadedCity;
  cityDir: string;
  from: number;
  to: number;
  data: string | undefined;
  speed: number | null;
  serves: boolean;
  files: string[];
}

function readReplayOptions(args: string[]): ReplayOptions {
  const { values, positionals: files } = parseOptions(args, {
    city: text,
    from: text,
    to: text,
    data: text,
    speed: text,
    'no-serve': { type: 'boolean', default: false },
  });
  const { city: dir, from, to, data, speed } = values;
  if (dir === undefined || from === undefined || to === undefined || files.length === 0)
    throw new UsageError('--city, --from, --to and at least one FILE must be given');
  for (const file of files) refuseUnreadable(file);
  const cityDir = resolve(dir);
  const city = loadCity(cityDir);
  const zone = cityZone(city.registry.city);
  const span = { from: readTimeOption('--from', from, zone, 0), to: readTimeOption('--to', to, zone, 1) };
  if (span.from >= span.to) throw new UsageError('--from must be before --to');
  if (speed !== undefined && !(Number(speed) >= 1 && Number(speed) <= 1_000_000))
    throw new UsageError('--speed must be a number from 1 to 1000000');
  const pace = speed === undefined ? null : Number(speed);
  return { city, cityDir, ...span, data, speed: pace, serves: !values['no-serve'], files };
}

/** Before anything is read: a path that is no file would fail within the pipeline. */
function refuseUnreadable(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${file} does not exist`);
  if (!found.isFile()) throw new UsageError(`${file} is not a file`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

/** `daysLater` is added to a day without a time. */
function readTimeOption(option: string, text: string, zone: Zone, daysLater: number): number {
  const [, date, clock] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/.exec(text) ?? [];
  const midnight = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  if (date === undefined || Number.isNaN(midnight) || (clock !== undefined && clock > '23:59'))
    throw new UsageError(`${option} must be YYYY-MM-DD or YYYY-MM-DDTHH:MM`);
  const time = zone.atLocal(date, clock ?? '00:00');
  return clock === undefined ? zone.startOfDay(time, daysLater) : time;
}

async function replay(options: ReplayOptions): Promise<void> {
  const { city, from, to, speed, serves } = options;
  const config = replayConfig(options);
  const { feeds, sensors } = await readRecorded(options);
  const counts = noCounts();
  const pipeline = await createPipeline(config, {
    open: ({ pockets }) => replaySource(pockets, feeds, openRecordings(options), counts),
    // A feed or a sensor that was not recorded is not expected: it is no fault of those days that it is missing.
    adapt: (registry) => ({
      ...registry,
      feeds: describeFeeds(feeds, allAdapters),
      pockets: registry.pockets.map((pocket) => ({
        ...pocket,
        expects: measuredAt(pocket, feeds),
        sensors: listedSensors(pocket, feeds).filter(({ id }) => sensors.has(id)),
      })),
    }),
  });
  const last = slotStart(to - 1);
  const began = Date.now();
  const clock = () =>
    speed === null ? last : Math.min(last, Math.round(from + (Date.now() - began) * speed));
  if (speed === null) {
    await backfill(pipeline, { from, now: last }, progressBar(historySentence));
    report(counts, pipeline, Date.now() - began);
  }
  if (!serves) {
    if (speed !== null) await keepPace(pipeline, from, clock, last);
    await pipeline.store.close();
    return;
  }
  await serve(config, { pipeline, clock, takesSubmissions: false });
  say(`a replay of ${city.registry.city.name}; its time is ${iso(clock())}`);
  if (speed !== null) await keepPace(pipeline, from, clock, last);
}

/** The settings, with the city and the store of the replay; nothing else writes to that store. */
function replayConfig({ cityDir, data }: ReplayOptions): Config {
  const { DATA_DIR } = readConfig(process.env);
  const folder = data === undefined ? join(DATA_DIR, 'replay') : resolve(data);
  return readConfig({
    ...process.env,
    CITY: '',
    CITY_DIR: cityDir,
    DATA_DIR: folder,
    DATABASE_URL: '',
    READ_DATABASE_URL: '',
    PIPELINE: 'off',
  });
}

const openRecordings = ({ files, city }: ReplayOptions) =>
  mergeByTime(files.map((file) => ({ name: basename(file), rows: readRecording(file, city) })));

/** Opens the file when the first row is asked for, and closes it when no more are. */
async function* readRecording(file: string, { registry, feeds }: LoadedCity): AsyncGenerator<Measurement> {
  const bytes = createReadStream(file);
  const { time_zone } = registry.city;
  try {
    yield* readReplayRows(bytes, { name: basename(file), time_zone, states: stateReader(feeds) });
  } finally {
    bytes.destroy();
  }
}

/** More than any city has: a file that names a new place in every row must not fill the memory. */
const MOST_SENSORS = 200_000;
/** Names of feeds in one line of an error. */
const MOST_NAMES = 20;

/** The feeds of the city that occur in the files, and the sensors: feed, place and field. */
async function readRecorded(options: ReplayOptions): Promise<{ feeds: Feed[]; sensors: Set<string> }> {
  const names = new Set<string>();
  const sensors = new Set<string>();
  for await (const { feed, place_id, field } of openRecordings(options)) {
    names.add(feed);
    sensors.add(`${feed}/${place_id}/${field}`);
    if (sensors.size > MOST_SENSORS)
      throw new UsageError(`the files hold more than ${MOST_SENSORS} sensors: feeds, places and fields`);
  }
  const known = options.city.feeds.filter(({ id }) => names.has(id));
  if (known.length === 0)
    throw new UsageError(
      `the files hold the feeds ${[...names].slice(0, MOST_NAMES).join(', ')}, but the city's sources.json has none of them`,
    );
  return { feeds: known, sensors };
}

/** Writes each slot when the virtual clock reaches it. */
async function keepPace(pipeline: Pipeline, from: number, clock: () => number, last: number): Promise<void> {
  for (;;) {
    const written = (await lastRun(pipeline.store, 'atmosphere')) ?? from - SLOT;
    if (written >= last) return;
    if (clock() >= written + SLOT) await backfill(pipeline, { from, now: slotStart(clock()) });
    else await new Promise((done) => setTimeout(done, 50));
  }
}

function report({ used, unused, faults }: ReplayCounts, { registry }: Pipeline, ms: number): void {
  say(`${used} measurements of ${registry.city.name} replayed in ${(ms / 1000).toFixed(1)} s`);
  for (const [fault, rows] of Object.entries(faults)) say(`  left out: ${fault} (${rows} rows)`);
  for (const [name, rows] of unused) say(`  not used by this city: ${name} (${rows} rows)`);
}
