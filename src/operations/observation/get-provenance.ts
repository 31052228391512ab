// Leads from the reading of a quarter hour to the rows and bytes that it rests on. Values are left out: they may be
// counts of fewer than five people.

import Type from 'typebox';
import type { CityFeed, CityFeedField } from '../../domain/city/city-feed.ts';
import { type ExpectedSignal, expectedSignalKinds, substrates } from '../../domain/signals/signal.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso, MINUTE, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Reader } from '../../store/engine/store.ts';
import {
  MAX_SERVED_BYTES,
  measurementsBefore,
  type TracedMeasurement,
} from '../../store/feeds/provenance.ts';
import { signalsKeptFrom } from '../../store/observation/signal-retention.ts';
import {
  latestSnapshotSlot,
  substrateTraceAt,
  type TracedSnapshot,
} from '../../store/observation/substrate-trace.ts';
import { nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation, Refused } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { reading } from '../pocket/pocket-fields.ts';

/** Values of one sensor in a slot that are looked at: one a minute, and some that came late. */
const MAX_VALUES = 20;
const MAX_SIGNALS = 200;

const body = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal' }),
  bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'null where they are no longer kept',
  }),
  url: nullable(
    Type.String({ format: 'uri', description: 'where the exact bytes are; null where they are not served' }),
  ),
});

const measurement = Type.Object({
  feed: Type.String(),
  place_id: Type.String({ description: "the feed's own id of the station, counter or car park" }),
  field: Type.String(),
  observed_at: Type.Union([timestamp, Type.Null()], {
    description: 'as the feed states it; null where it gives no time',
  }),
  received_at: timestamp,
  body: nullable(body),
});

const signal = Type.Object({
  kind: Type.Enum([...expectedSignalKinds]),
  source: Type.String(),
  observed_at: timestamp,
  received_at: timestamp,
  measurements: Type.Array(measurement, {
    description: 'the rows of feeds that the signal was made from, while they are kept',
  }),
});

/** Why no bytes are named. */
const notes = {
  simulated: 'a model of the city made these signals: no bytes were received.',
  replay: 'these signals were recorded: their bytes are in the files that were played.',
  live: 'what the feeds gave then is no longer kept.',
};

type Signal = TracedSnapshot['provenance'][number] & { measurements: TracedMeasurement[] };

export const getProvenance = defineOperation({
  name: 'get_provenance',
  title: 'What a reading rests on',
  description:
    'Leads from a reading to the measurements and bytes behind it. Use it to check where a figure comes from. Returns {pocket_id, at, substrate, completeness, reading, signals[] {kind, source, observed_at, received_at, measurements[] {feed, place_id, field, observed_at, received_at, body {hash, bytes, url}}}, note}; signals are empty where nothing was read then, and note says why bytes are missing.',
  input: {
    pocket_id: pocketId,
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'any time within the quarter hour, with its zone; the latest reading when omitted',
      }),
    ),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    at: Type.Union([timestamp, Type.Null()], { description: 'the quarter hour; null before the first' }),
    substrate: nullable(Type.Enum([...substrates])),
    completeness: nullable(unit),
    reading: nullable(reading),
    signals: Type.Array(signal),
    note: nullable(Type.String()),
  }),
  load: async ({ pocket_id, at }, { store, now, registry, baseUrl }) => {
    if (at !== undefined && slotStart(Date.parse(at)) > now)
      throw new Refused('at must not be in the future');
    const slot =
      at === undefined ? await latestSnapshotSlot(store, pocket_id, now) : slotStart(Date.parse(at));
    if (slot === null) return { slot, baseUrl, trace: null, signals: [], wasLetGo: false };
    const trace = await substrateTraceAt(store, pocket_id, slot);
    const wasLetGo = !trace.snapshot && slot < ((await signalsKeptFrom(store)) ?? 0);
    const { substrate, provenance = [] } = trace.snapshot ?? {};
    const feeds = substrate === 'live' ? (registry.feeds ?? []) : [];
    const signals: Signal[] = [];
    for (const one of provenance.slice(0, MAX_SIGNALS))
      signals.push({ ...one, measurements: await traceMeasurements(store, feeds, one, slot) });
    return { slot, baseUrl, trace, signals, wasLetGo };
  },
  shape: ({ slot, baseUrl, trace, signals, wasLetGo }, { pocket_id }) => {
    const { substrate, completeness } = trace?.snapshot ?? {};
    const traced = signals.some(({ measurements }) => measurements.some(({ raw_size }) => raw_size !== null));
    return {
      pocket_id,
      at: slot === null ? null : iso(slot),
      substrate: substrate ?? null,
      completeness: completeness ?? null,
      reading: trace?.reading ? readingFields(trace.reading) : null,
      signals: signals.map(({ kind, source, observed_at, received_at, measurements }) => ({
        kind,
        source,
        observed_at: iso(observed_at),
        received_at: iso(received_at),
        measurements: measurements.map((row) => measurementFields(row, baseUrl)),
      })),
      note:
        substrate === undefined
          ? wasLetGo
            ? 'whatever was measured in that quarter hour is no longer kept.'
            : 'nothing was read of this pocket in that quarter hour.'
          : traced
            ? null
            : notes[substrate],
    };
  },
  speak: ({ at, signals, note }, { pocket_id }, zone) =>
    at === null || signals.length === 0
      ? `${printable(pocket_id)}: ${note ?? notes.live}`
      : [
          `the reading of ${printable(pocket_id)} at ${zone.clockWithZone(Date.parse(at))} rests on ${countText(signals.length, 'signal')}.`,
          ...(note === null ? [] : [note]),
        ].join(' '),
  rest: { path: '/api/provenance', names: { pocket_id: 'pocket' } },
});

function readingFields(given: NonNullable<Awaited<ReturnType<typeof substrateTraceAt>>['reading']>) {
  const { stress, calm, social_energy, productive, primary_state, anomaly_flag } = given;
  return { stress, calm, social_energy, productive, primary_state, anomaly_flag };
}

/** The rows that a signal was made from: of each place of its source, each field that measures it. */
async function traceMeasurements(
  store: Reader,
  feeds: readonly CityFeed[],
  { kind, source }: { kind: ExpectedSignal; source: string },
  slot: number,
): Promise<TracedMeasurement[]> {
  const found: TracedMeasurement[] = [];
  for (const { feed, place_id } of parseSource(source, feeds))
    for (const [field, use] of Object.entries(feed.fields)) {
      if (use.measures !== kind) continue;
      const rows = await measurementsBefore(store, { feed: feed.id, place_id, field }, slot, MAX_VALUES);
      found.push(...usedRows(rows, use, slot));
    }
  return found;
}

/** A source is `feed/place`, or several of them with spaces between; ids of places may hold both characters. */
function parseSource(source: string, feeds: readonly CityFeed[]): { feed: CityFeed; place_id: string }[] {
  if (feeds.length === 0) return [];
  // Ids of feeds have no character that means anything in a regular expression.
  const parts = source.split(new RegExp(` (?=(?:${feeds.map(({ id }) => id).join('|')})/)`));
  return parts.flatMap((part) => {
    const end = part.indexOf('/');
    const feed = feeds.find(({ id }) => id === part.slice(0, end));
    return feed ? [{ feed, place_id: part.slice(end + 1) }] : [];
  });
}

/** The newest row, or those of the quarter hour where their sum or mean is used (src/sources/core/pocket-signals.ts). */
function usedRows(rows: TracedMeasurement[], use: CityFeedField, slot: number): TracedMeasurement[] {
  const knownAt = ({ observed_at, received_at }: TracedMeasurement): number =>
    observed_at === null ? received_at : observed_at + (use.stamp_minutes ?? 0) * MINUTE;
  const usable = rows.filter(
    (row) => knownAt(row) <= slot && slot - knownAt(row) <= use.fresh_minutes * MINUTE,
  );
  const [newest] = usable;
  if (!newest) return [];
  if (!use.within_slot || use.within_slot === 'newest') return [newest];
  const since = (use.measures === 'crowd' ? knownAt(newest) : slot) - SLOT;
  const within = usable.filter((row) => knownAt(row) > since);
  return within.length ? within : [newest];
}

const measurementFields = (
  { feed, place_id, field, observed_at, received_at, body: hash, raw_size }: TracedMeasurement,
  baseUrl: string,
) => ({
  feed,
  place_id,
  field,
  observed_at: observed_at === null ? null : iso(observed_at),
  received_at: iso(received_at),
  body:
    hash === null
      ? null
      : {
          hash,
          bytes: raw_size,
          url:
            raw_size === null || raw_size > MAX_SERVED_BYTES ? null : `${baseUrl}/api/feeds/bodies/${hash}`,
        },
});
