// What was read from a feed, by a poll, from files or from messages: its rows are checked, and rows, bodies and the
// feed's state are stored in one transaction.
import type { Feed } from '../../sources/core/feed.ts';
import { sensorKey } from '../../sources/core/frozen.ts';
import { addFaults, countFault, type FaultCounts, type Measurement } from '../../sources/core/measurement.ts';
import { admitRows } from '../../sources/core/place-limits.ts';
import { type Checked, checkRows } from '../../sources/core/quality.ts';
import type { FeedReading } from '../../sources/core/read-feed.ts';
import { holdsSecret } from '../../sources/core/redact.ts';
import { isPlaceId } from '../../sources/core/rows/place-id.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { type ArchivedBody, writeBodies } from '../../store/feeds/archive.ts';
import { knownPlaces, placeCounts, writePlaces } from '../../store/feeds/feed-places.ts';
import { type FeedState, writeFeedState } from '../../store/feeds/feed-states.ts';
import { writeMeasurements } from '../../store/feeds/measurements.ts';
import { sensorRuns, writeSensorRuns } from '../../store/feeds/sensor-runs.ts';
import type { FeedContext } from './feed-context.ts';

export async function checkReading<Row extends Measurement>(
  { store, pockets, find }: FeedContext,
  feed: Feed,
  rows: readonly Row[],
  received_at: number,
): Promise<Checked<Row>> {
  const places = [...new Set(rows.map(({ place_id }) => place_id).filter(isPlaceId))];
  const known = await knownPlaces(store, feed.id, places);
  const admit = admitRows(feed, {
    has: (place_id) => known.has(place_id),
    counts: await placeCounts(store, feed.id),
  });
  // Only what is known of the places at hand: a feed may have had many others.
  const runs = new Map((await sensorRuns(store, feed.id, [...known])).map((run) => [sensorKey(run), run]));
  return checkRows(rows, { feed, pockets, find, received_at, runs, admit });
}

/** A city's file may name as the place what a publisher repeats of the request: such rows are bad values. */
export function dropSecretPlaces(reading: FeedReading, secrets: readonly string[]): void {
  if (secrets.length === 0) return;
  const rows = reading.rows.filter(({ place_id }) => !holdsSecret(Buffer.from(place_id), secrets));
  if (rows.length < reading.rows.length)
    countFault(reading.faults, 'bad_value', reading.rows.length - rows.length);
  reading.rows = rows;
}

export interface ReadingToStore {
  checked: Checked<FeedReading['rows'][number]>;
  /** In the order of the rows' `body`; null where the bytes are not kept. */
  bodies: readonly (ArchivedBody | null)[];
  before: FeedState;
  after: FeedState;
  lease: string;
  /** The lease goes on until then; without it the lease is given back. */
  lease_until?: number;
  received_at: number;
  /** What else belongs into the transaction. */
  alongside?: ((tx: Transaction) => Promise<void>) | undefined;
}

/** Throws, and stores nothing, where the lease has ended: another worker may have read the feed. */
export async function storeReading(context: FeedContext, reading: ReadingToStore): Promise<void> {
  const { checked, bodies, before, after, lease, lease_until, received_at, alongside } = reading;
  const { feed } = after;
  const changed = before.failures > 0 !== after.failures > 0;
  await context.store.transaction(
    async (tx) => {
      if (!(await writeFeedState(tx, after, lease, lease_until))) throw new LeaseError(feed);
      await writeBodies(
        tx,
        bodies.flatMap((body) => body ?? []),
        received_at,
      );
      await writeMeasurements(
        tx,
        [...checked.kept, ...checked.no_data].map((row) => ({
          ...row,
          received_at,
          body: bodies[row.body]?.hash ?? null,
        })),
      );
      await writeSensorRuns(
        tx,
        [...checked.runs].map(([key, run]) => {
          const [place_id, field] = JSON.parse(key) as [string, string];
          return { ...run, feed, place_id, field };
        }),
      );
      const seen = [...checked.seen].map(([place_id, pocket_id]) => ({ place_id, pocket_id }));
      await writePlaces(tx, feed, seen, received_at);
      await alongside?.(tx);
    },
    // A feed that went down or came back shows in answers at once.
    changed ? 'anything' : 'feeds',
  );
  if (changed) logChange(context, after);
}

export class LeaseError extends Error {
  override name = 'LeaseError';
  constructor(feed: string) {
    super(`the lease of ${feed} had ended`);
  }
}

export const newest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

export function faultSum(a: FaultCounts, b: FaultCounts): Record<string, number> {
  const sum: FaultCounts = { ...a };
  addFaults(sum, b);
  return sum as Record<string, number>;
}

/** Once when a feed goes down and once when it is back, not at each failure. */
function logChange({ log }: FeedContext, { feed, failures, last_error }: FeedState): void {
  if (failures > 0) log.warn({ feed, error: last_error }, 'feed went down');
  else log.info({ feed }, 'feed came back');
}
