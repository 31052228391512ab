// Where the ledger is published as static files, so that a web server or a CDN serves it: a folder or a bucket. The
// database has all of it in any case, and is what the service answers from.
import { OperatorError } from '../../domain/text/operator-error.ts';

/** The two files that change. Every other one is written once. */
export type ReplacedPath = 'checkpoint' | 'key';

export interface StoredFile {
  bytes: Buffer;
  /** Tells whether the file was replaced since. */
  version: string;
}

export interface LedgerStorage {
  /** For messages; without credentials. */
  readonly location: string;
  /** Called before the first use: refuses a place that cannot keep the promises below. */
  prepare(): Promise<void>;
  get(path: string): Promise<StoredFile | undefined>;
  /** The same bytes again are fine; other bytes are refused with `different`. */
  putOnce(path: string, bytes: Buffer): Promise<void>;
  /**
   * Replaces a file if it still is `previous`, or is still absent where that is undefined; refuses with `replaced`
   * otherwise. What was put before is durable by then.
   */
  replace(path: ReplacedPath, bytes: Buffer, previous: StoredFile | undefined): Promise<void>;
}

/**
 * `unavailable`: may work later. `different`: a file that is written once has other bytes. `replaced`: another process
 * was first. `foreign`: what is published is not of this log. `unsupported`: the place cannot keep what it was given.
 */
export type StorageFault = 'unavailable' | 'different' | 'replaced' | 'foreign' | 'unsupported';

export class StorageError extends OperatorError {
  override name = 'StorageError';
  readonly code: StorageFault;
  constructor(code: StorageFault, message: string) {
    super(message);
    this.code = code;
  }
}
