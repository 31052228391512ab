// Reads from a replica of PostgreSQL while it keeps up with the primary, and from the primary otherwise
// (docs/decisions/086-a-replica-answers.md). What is written goes to the primary alone.
import { setTimeout as delay } from 'node:timers/promises';
import { type ReplicaHealth, replicaFault } from '../../../domain/report/heartbeat.ts';
import { revisionColumns } from '../revision.ts';
import { schemaNumber } from '../schema-files.ts';
import { type Engine, type Reader, type Revision, type Store, StoreError } from '../store.ts';

/** A replica that is further behind is not read while the primary can be. */
export const MAX_LAG_MS = 30_000;
/** One that was too far behind is read again from here on. */
export const RETURN_LAG_MS = 5_000;
/** A server that says nothing for so long is away. */
const LOOK_MS = 2_000;
/** More positions of the primary than are taken within the largest lag. */
const MAX_POSITIONS = 128;
/** A single question may fail for a reason that has passed with the next. */
const AWAY_AFTER = 2;

/** The two servers, and what threads share: whether the replica is read, and whether the primary is away. */
export interface Servers {
  /** Undefined in a process that only reads. */
  primary: Engine | undefined;
  replica: Engine;
  shared: Int32Array;
}
const [USES_REPLICA, PRIMARY_AWAY] = [0, 1];

export const sharedChoice = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

export interface ReadingStore extends Store {
  revision(): Promise<Revision>;
  /** Up to when what is read is complete; undefined while that is the primary, which always is. */
  readAt(): number | undefined;
  /** How it is doing. */
  state(): ReplicaHealth;
}

/** Reads as `shared` says, whoever sets it: what the thread of heavy answers does. */
export function routedStore({ primary, replica, shared }: Servers): Store {
  const is = (at: number) => Atomics.load(shared, at) === 1;
  const reachable = () => (primary && !is(PRIMARY_AWAY) ? primary : undefined);
  const ask = async <T>(read: (from: Reader) => Promise<T>): Promise<T> => {
    if (primary && !is(USES_REPLICA)) return read(primary);
    try {
      return await read(replica);
    } catch (error) {
      // Never the other way round: what the primary has told already, the replica may not have.
      if (isWorthAskingAgain(error)) return read(reachable() ?? replica);
      throw error;
    }
  };
  const refuse = async () => {
    throw new StoreError('read_only');
  };
  return {
    engine: 'postgres',
    all: (sql, ...params) => ask((from) => from.all(sql, ...params)),
    get: (sql, ...params) => ask((from) => from.get(sql, ...params)),
    transaction: primary ? primary.transaction : refuse,
    // The log is stamped by the clock of the primary.
    clock: () => (reachable() ?? replica).clock(),
    primary: primary && whileThere(reachable),
    close: async () => {
      await Promise.all([replica.close(), primary?.close()]);
    },
  };
}

const whileThere = (reachable: () => Engine | undefined): Reader => {
  const there = () => {
    const primary = reachable();
    if (!primary) throw new StoreError('unavailable');
    return primary;
  };
  return {
    all: async (sql, ...params) => there().all(sql, ...params),
    get: async (sql, ...params) => there().get(sql, ...params),
  };
};

/**
 * The server has ended the statement or the connection, or cannot be reached: among others a statement that stood in the
 * way of what the replica had to apply (40001, 57P01). One that took too long would do so again.
 */
const isWorthAskingAgain = (error: unknown): boolean =>
  error instanceof StoreError &&
  error.code === 'unavailable' &&
  !/Query read timeout/.test((error.cause as Error | undefined)?.message ?? '');

/** What one question to a server tells. */
interface Seen extends Revision {
  /** When the question was asked, by the clock of this machine. */
  at: number;
  /** Up to where it has written or applied the log of PostgreSQL. */
  position: number;
  standby: number;
  /** Which server it is: when it was started, to the microsecond. */
  started: number;
  /** When what it applied last was committed, by the clock of the primary. */
  applied_at: number | null;
  /** Of a standby: it is connected to the server that it follows, and has applied all that it received. */
  receiving: number;
}

const LOOK = `select ${revisionColumns},
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')
    as position,
  case when pg_is_in_recovery() then 1 else 0 end as standby,
  (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as started,
  (extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint as applied_at,
  case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select 1 from pg_stat_wal_receiver)
    then 1 else 0 end as receiving
  from store_revision`;

export interface WatchOptions {
  /** Told when answers come from another server than before, and when the primary goes or comes back. */
  tell?: (line: string) => void;
  now?: () => number;
}

/**
 * The replica is complete up to a moment once it has applied what the primary had written by then: both are asked for
 * their position with every question for the revision. Revisions that are returned never go back while the primary can
 * be reached: the replica is read again only when it has the revision that answers were last given under, so that no
 * answer under it is made from older rows.
 */
export function watchReplica(servers: Servers, { tell, now = Date.now }: WatchOptions = {}): ReadingStore {
  const { primary, replica, shared } = servers;
  let positions: Pick<Seen, 'at' | 'position'>[] = [];
  let complete: number | undefined;
  let seen: Seen | undefined;
  let leader: Seen | undefined;
  let given: Revision | undefined;
  let failures = 0;
  let asking: Promise<Seen> | undefined;

  const uses = () => Atomics.load(shared, USES_REPLICA) === 1;
  const lag = () => (complete === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now() - complete));
  const settle = () => {
    if (!seen) return;
    const { standby, started, position, at, applied_at, slot, receiving } = seen;
    const isLeader = !standby && (primary ? started === leader?.started : true);
    // Without an address of the primary nobody else can be asked.
    const follows = !primary && receiving === 1;
    const reached = standby ? positions.filter((one) => one.position <= position) : [];
    positions = positions.filter((one) => !reached.includes(one));
    const times = [
      ...reached.map((one) => one.at),
      Math.min(at, applied_at ?? 0),
      Math.min(at, slot ?? 0),
      ...(isLeader || follows ? [at] : []),
    ];
    // A clock that was set back: what it said before says nothing now.
    const known = complete !== undefined && complete <= now() ? complete : 0;
    complete = Math.max(known, ...times) || undefined;
  };
  const askPrimary = (engine: Engine): Promise<Seen> => {
    asking ??= look(engine, now)
      .then((found) => {
        if (found.standby) throw new StoreError('unavailable');
        failures = 0;
        setPrimaryAway(false);
        leader = found;
        positions = [...positions, found].slice(-MAX_POSITIONS);
        settle();
        return found;
      })
      .catch((error) => {
        failures += 1;
        if (failures >= AWAY_AFTER) setPrimaryAway(true);
        throw error;
      })
      .finally(() => {
        asking = undefined;
      });
    // Not everybody who asks waits for it.
    asking.catch(() => undefined);
    return asking;
  };
  const setPrimaryAway = (away: boolean) => {
    if (Atomics.exchange(shared, PRIMARY_AWAY, Number(away)) === Number(away)) return;
    tell?.(away ? 'the primary cannot be reached: nothing is written' : 'the primary can be reached again');
  };
  const give = (replicated: boolean, revision: Seen): Revision => {
    given = revision;
    const changed = Atomics.exchange(shared, USES_REPLICA, Number(replicated)) !== Number(replicated);
    if (changed) tell?.(replicaFault(state()) ?? 'answers come from the replica');
    return revision;
  };
  const state = (): ReplicaHealth => ({
    used: uses(),
    reachable: seen !== undefined,
    lagMs: complete === undefined ? null : lag(),
    primaryAway: Atomics.load(shared, PRIMARY_AWAY) === 1,
  });

  const keepsUp = (found: Seen, within: number) =>
    lag() <= within && found.schema_number >= schemaNumber && !isBehind(found, given);
  const revision = async (): Promise<Revision> => {
    const asked = primary && askPrimary(primary);
    let fault: unknown;
    seen = await look(replica, now).catch((error) => {
      fault = error;
      return undefined;
    });
    settle();
    const found = seen;
    if (found && uses() && keepsUp(found, MAX_LAG_MS)) return give(true, found);
    try {
      const answered = await asked;
      if (found && keepsUp(found, RETURN_LAG_MS)) return give(true, found);
      if (answered) return give(false, answered);
    } catch (error) {
      if (!found || failures < AWAY_AFTER) throw error;
    }
    if (!found) throw fault;
    return give(true, found);
  };

  const routed = routedStore(servers);
  return {
    ...routed,
    revision,
    readAt: () => (uses() ? (complete ?? 0) : undefined),
    state,
  };
}

const isBehind = (revision: Revision, given: Revision | undefined): boolean =>
  given !== undefined &&
  (revision.revision < given.revision ||
    revision.log_revision < given.log_revision ||
    revision.schema_number < given.schema_number);

async function look(engine: Engine, now: () => number): Promise<Seen> {
  const at = now();
  const found = await Promise.race([
    engine.get<Omit<Seen, 'at'>>(LOOK),
    delay(LOOK_MS, undefined, { ref: false }),
  ]);
  if (!found) throw new StoreError('unavailable');
  return { ...found, at };
}
