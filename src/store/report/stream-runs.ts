// The events of /api/stream in the order in which they were committed, run by run, for clients that follow them live.
import type { NarrationEvent, StreamEvent } from '../../domain/narration/stream.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import type { PublicEvent } from '../merchant/sustainability.ts';
import { firstLeafOf } from '../rows/forecast-leaves.ts';
import { bundleOf, revealLeaf } from '../rows/reveal-leaves.ts';
import { type RevealRow, toRevealEvents, toSavingEvent } from './stream.ts';

export interface StreamRun {
  /** Numbers have no gaps and are committed in order, whichever worker ran. */
  number: number;
  job: string;
  slot: number;
  ran_at: number;
  /** Of the ledger, before the run. */
  log_size: number;
}

type ReadPage = (store: Reader, run: StreamRun, limit: number, offset: number) => Promise<StreamEvent[]>;

/** Jobs whose rows are events. What a job appends that is not one of these events is not sent live. */
const readers: Record<string, ReadPage> = {
  atmosphere: readNarrations,
  reveal: readReveals,
  commitment: savingsReader("kind <> 'attention_saved'"),
  attention: savingsReader("kind = 'attention_saved'"),
};

/**
 * Call it in the transaction of the run, with the lock of the pipeline's state held; other jobs are not recorded.
 * `logSize`: where the run began earlier, the size of the ledger then.
 */
export async function recordStreamRun(
  tx: Transaction,
  job: string,
  slot: number,
  ranAt: number,
  logSize: number | null = null,
): Promise<void> {
  if (!(job in readers)) return;
  await tx.run(
    `insert into stream_runs (number, job, slot, ran_at, log_size)
     select (select coalesce(max(number), 0) + 1 from stream_runs), ?, ?, ?, coalesce(cast(? as bigint), size) from ledger_size`,
    job,
    slot,
    ranAt,
    logSize,
  );
}

const columns = 'number, job, slot, ran_at, log_size';

export const newestStreamRun = (store: Reader): Promise<StreamRun | undefined> =>
  store.get<StreamRun>(`select ${columns} from stream_runs order by number desc limit 1`);

/** The runs after a number, oldest first. */
export const streamRunsAfter = (store: Reader, number: number, limit: number): Promise<StreamRun[]> =>
  store.all<StreamRun>(
    `select ${columns} from stream_runs where number > ? order by number limit ?`,
    number,
    limit,
  );

/** The runs up to a number that were not before a time, newest first. */
export const streamRunsUpTo = (
  store: Reader,
  number: number,
  since: number,
  limit: number,
): Promise<StreamRun[]> =>
  store.all<StreamRun>(
    `select ${columns} from stream_runs where number <= ? and ran_at >= ? order by number desc limit ?`,
    number,
    since,
    limit,
  );

/** The events of a run, in an order that never changes, a page at a time. */
export async function* eventsOfRun(
  store: Reader,
  run: StreamRun,
  pageSize: number,
): AsyncGenerator<StreamEvent[]> {
  const read = readers[run.job];
  if (!read) return;
  for (let offset = 0; ; offset += pageSize) {
    const page = await read(store, run, pageSize, offset);
    if (page.length) yield page;
    if (page.length < pageSize) return;
  }
}

async function readNarrations(store: Reader, { slot }: StreamRun, limit: number, offset: number) {
  const rows = await store.all<Omit<NarrationEvent, 'type'>>(
    `select slot as at, id, pocket_id, tier, composed_text as body from packages
     where slot = ? order by pocket_id, id limit ? offset ?`,
    slot,
    limit,
    offset,
  );
  return rows.map((row): NarrationEvent => ({ type: 'narration', ...row }));
}

/** What a run revealed ends where the next run begins. */
async function readReveals(store: Reader, { number, log_size }: StreamRun, limit: number, offset: number) {
  // In one statement: of a run that is committed after it was asked for the next one, the reveals would be sent twice.
  const end = 'coalesce((select log_size from stream_runs where number = ?), ?)';
  const leaf = revealLeaf('r');
  const endParams = [number + 1, Number.MAX_SAFE_INTEGER];
  const rows = await store.all<RevealRow>(
    `select p.reveal_at as at, p.leaf, r.accuracy_score as accuracy, r.leaf as reveal_leaf
     from reveals r cross join predictions p
     where ${bundleOf(leaf)} >= ? and ${bundleOf(leaf)} <= ${bundleOf(end)} and ${leaf} >= ? and ${leaf} < ${end}
       and p.first_leaf = ${firstLeafOf('r.prediction_leaf')} and p.leaf = r.prediction_leaf
       and p.shadow = 0 and r.accuracy_score is not null
     order by r.leaf limit ? offset ?`,
    Math.floor(log_size / TILE_WIDTH),
    ...endParams,
    log_size,
    ...endParams,
    limit,
    offset,
  );
  return toRevealEvents(store, rows);
}

function savingsReader(kinds: string): ReadPage {
  return async (store, { slot }, limit, offset) => {
    const rows = await store.all<PublicEvent>(
      `select slot, pocket_id, kind, magnitude, value_cents from sustainability_events
       where slot = ? and ${kinds} order by id limit ? offset ?`,
      slot,
      limit,
      offset,
    );
    return rows.map(toSavingEvent);
  };
}
