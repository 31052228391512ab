// Heavy questions and tables by name, so that another thread can compute them: types alone.
import type { Registry } from '../../domain/city/city.ts';
import type { HashedBody } from '../cache/latin1-body.ts';

/** A question whose arguments are checked, with everything it depends on beside the store and the registry. */
export interface HeavyJob {
  kind: 'tool' | 'rest' | 'page' | 'table';
  /** Of the operation, or of the page's question. */
  name: string;
  input: Record<string, unknown>;
  now: number;
  /** Up to when what is read is complete, where that is a replica. */
  readAt?: number | undefined;
  /** Shown at the top of a page. */
  notice: string | null;
}

export interface HeavyReply extends HashedBody {
  /** The store failed for a part of it: it must not be cached. */
  partial: boolean;
}

export interface TableBatch {
  /** Lines of CSV. */
  bytes: Buffer;
  rows: number;
}

/** A table that is read batch by batch. */
export interface OpenTable {
  /** Part of the name of the file that a browser saves. */
  name: string;
  /** The line of its column names. */
  header: string;
  /** Undefined at the end. */
  next(): Promise<TableBatch | undefined>;
  close(): void;
}

export interface HeavyAnswers {
  answer(job: HeavyJob, registry: Registry): Promise<HeavyReply>;
  table(job: HeavyJob, registry: Registry): Promise<OpenTable>;
  stop(): Promise<void>;
}

/** Called with a text that broke the rules of the voice. */
export type OnWithheld = (operation: string, faults: string[], line: string) => void;
