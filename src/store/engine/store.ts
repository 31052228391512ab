import { OperatorError } from '../../domain/text/operator-error.ts';

/**
 * One interface over two engines. Statements are written once, in the SQL both share, with `?` for parameters:
 * times are bigint epoch milliseconds, flags 0 or 1, JSON is text, packed data is bytes (`bytea`, which SQLite takes for
 * a blob).
 */
export type Value = string | number | Uint8Array | null;
export type Row = Record<string, Value>;

export interface Reader {
  all<T>(sql: string, ...params: Value[]): Promise<T[]>;
  get<T>(sql: string, ...params: Value[]): Promise<T | undefined>;
  /** Where a replica is read, the store that it follows: for what somebody was just told of, and it may not have yet. */
  readonly primary?: Reader | undefined;
  /** Where a replica may be read: decides whether it is, and returns the revision of what is read from now on. */
  revision?(): Promise<Revision>;
}

/** By these a reader knows whether its cached answers are current. */
export interface Revision {
  /** Grows by one with every committed transaction, except those that raise the other. */
  revision: number;
  /** Grows by one with every committed transaction that only appended to the log. */
  log_revision: number;
  /** The slot of the newest reading. */
  slot: number | null;
  /** The number of the store's schema, and the lowest one of a program that can read it. */
  schema_number: number;
  readable_from: number;
}

export interface Transaction extends Reader {
  run(sql: string, ...params: Value[]): Promise<void>;
  /** Runs several statements without parameters, such as a migration. */
  script(sql: string): Promise<void>;
  /**
   * Many rows at once; every row has the same columns. `conflict` is an `on conflict …` clause. PostgreSQL may still be
   * writing them when this resolves: what they fail with is then thrown by the next statement, or by the commit.
   */
  insert<R extends object>(table: string, rows: readonly R[], conflict?: string): Promise<void>;
  /**
   * True if no other transaction has a lock of this name; it is then held until this one ends. Several processes share
   * work by such locks: the one of a process that dies is free at once.
   */
  tryLock(name: string): Promise<boolean>;
  /** The same clock as the store's, asked on the connection of the transaction. */
  clock(): Promise<number>;
}

/**
 * What a transaction may change: anything; the log alone, as a submission does: then cached answers stay, except those
 * that show the log's size or its newest entries; or what no cached answer shows: what feeds gave, before a slot's job
 * has read it, what the checks of the heartbeat found, and raw signals that were let go, which the time from which on
 * they are kept says already.
 */
export type Changes = 'anything' | 'log' | 'feeds';

export interface Store extends Reader {
  engine: 'sqlite' | 'postgres';
  /**
   * Commits when `work` resolves, rolls back when it throws. SQLite runs one at a time; PostgreSQL runs them side by
   * side. Each commit raises the revision that readers watch: of `changes`, by default of everything.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, changes?: Changes): Promise<T>;
  /** The time that this machine's clock is measured by (clock.ts). */
  clock(): Promise<number>;
  close(): Promise<void>;
}

/** What an engine adds for `migrate`. */
export interface Engine extends Store {
  /**
   * A transaction that only one process at a time can run, usable before any table exists. `alone`: refuses with an
   * InUseError while another process has the store open that does not watch the schema's number.
   */
  exclusively<T>(work: (tx: Transaction) => Promise<T>, options?: { alone?: boolean }): Promise<T>;
  /** A migration's statements in the dialect of this engine. */
  adapt(sql: string): string;
  /**
   * Statements that make UPDATE and DELETE on `table` fail, in place of those that it had. `removable`: a condition on
   * the row `old` under which it may be deleted.
   */
  appendOnly(table: string, removable?: string): string;
  /** For the operator, if the schema is refused: which store this is (no password), and how to start with another. */
  location: string;
  startOver: string;
  /** Of the embedded store: writes the file anew without the room that removed rows left. Writers wait meanwhile. */
  vacuum?(): Promise<void>;
  /** Of the embedded store: reads the whole file and returns what is wrong with it, undefined when nothing is. */
  findDamage?(): Promise<string | undefined>;
  /** Refuses every further transaction, because another process or thread has found damage. */
  reportDamage?(message: string): void;
  readonly damage?: string | undefined;
}

export const storeFaults = {
  not_configured: 'datastore not configured',
  unavailable: 'datastore unavailable',
  full: 'the disk of the datastore is full: nothing is written until there is room',
  key_changed:
    "the ledger's key was changed: nothing is sealed until this process is restarted with the new key",
  upgraded:
    'the store was upgraded by a newer version: this process writes nothing until it is restarted as that version',
  lost_entries:
    'the datastore lacks entries of the log that were published: nothing is sealed until an operator has decided',
  read_only: 'this process only reads: another one of the service takes what is to be written',
  unreadable:
    'the store was upgraded by a newer version, and this process cannot read it: restart it as that version',
} as const;

export class StoreError extends Error {
  override name = 'StoreError';
  readonly code: keyof typeof storeFaults;
  constructor(code: StoreError['code'], options?: ErrorOptions) {
    super(storeFaults[code], options);
    this.code = code;
  }
}

/** What an operator is to know of the full disk that a statement met; undefined for every other error. */
export const fullDiskText = (error: unknown): string | undefined =>
  error instanceof StoreError && error.code === 'full'
    ? ((error.cause as Error | undefined)?.message ?? error.message)
    : undefined;

/** The store cannot be upgraded while another process uses it. */
export class InUseError extends OperatorError {}

/**
 * The last statement of every writing transaction: readers in other processes see that answers may have changed. It
 * returns a row unless a newer version has upgraded the store since this process was started: then nothing is written.
 */
export const bumpRevision = (changes: Changes, schema: number): string =>
  ({
    anything: `update store_revision set revision = revision + 1 where schema_number = ${schema} returning id`,
    log: `update store_revision set log_revision = log_revision + 1 where schema_number = ${schema} returning id`,
    feeds: `select id from store_revision where schema_number = ${schema}`,
  })[changes];

export const insertColumns = (rows: readonly object[]): string[] => Object.keys(rows[0] ?? {});
