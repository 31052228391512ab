// The newest events as the bytes that are sent, shared by all clients: each event is serialised once. A client is a place
// in this buffer, so a slow one costs no memory of its own.
import type { StreamEvent } from '../../domain/narration/stream.ts';
import type { StreamRun } from '../../store/report/stream-runs.ts';
import { eventFrame, type Position } from './event-frames.ts';

type RunTime = Pick<StreamRun, 'number' | 'ran_at'>;

/** Events of one run, at most a page of them. */
export interface Batch {
  run: number;
  ranAt: number;
  /** How many events of the run come before. */
  first: number;
  /** Each is a part of `all`. */
  frames: { pocket: string; bytes: Buffer }[];
  /** The frames of all pockets, joined. */
  all: Buffer;
  /** Those of one pocket, joined when first asked for. */
  ofPocket: Map<string, Buffer>;
}

export function createBatch(
  { number: run, ran_at: ranAt }: RunTime,
  first: number,
  events: readonly StreamEvent[],
  currency: string,
): Batch {
  const bytes = events.map((event, n) => eventFrame(event, { run, ranAt, count: first + n + 1 }, currency));
  const all = Buffer.concat(bytes);
  let begin = 0;
  const frames = events.map(({ pocket_id: pocket }, n) => {
    const end = begin + (bytes[n]?.length ?? 0);
    const frame = { pocket, bytes: all.subarray(begin, end) };
    begin = end;
    return frame;
  });
  return { run, ranAt, first, frames, all, ofPocket: new Map() };
}

/** The bytes of a batch for a client: of all pockets or one, without the events that it has already. */
export function bytesOfBatch(batch: Batch, pocket: string | undefined, skip: number): Buffer {
  const { frames, all, ofPocket } = batch;
  const joinFrames = () =>
    Buffer.concat(
      frames
        .slice(skip)
        .filter((frame) => pocket === undefined || frame.pocket === pocket)
        .map(({ bytes }) => bytes),
    );
  if (skip > 0) return joinFrames();
  if (pocket === undefined) return all;
  let own = ofPocket.get(pocket);
  if (!own) {
    own = joinFrames();
    ofPocket.set(pocket, own);
  }
  return own;
}

/** Where a client is: the index of its next batch, and how many events of that it has already. */
export interface Place {
  next: number;
  skip: number;
}

/**
 * Whole runs without gaps, from `oldest` (exclusive) to `newest`. Batches have indexes that stay theirs when others are
 * added at either end, so the first one may be negative.
 */
export class EventBuffer {
  readonly #maxBytes: number;
  #batches: Batch[] = [];
  #firstIndex = 0;
  #bytes = 0;
  #oldest: number;
  #newest: Position;
  /** By run, of those held and the one before them, where it is known. */
  readonly #ranAt = new Map<number, number>();

  /** Empty, and begins after this run. */
  constructor(maxBytes: number, { run, ranAt }: Pick<Position, 'run' | 'ranAt'>) {
    this.#maxBytes = maxBytes;
    this.#oldest = run;
    this.#newest = { run, ranAt, count: Number.POSITIVE_INFINITY };
    this.#ranAt.set(run, ranAt);
  }

  get oldest(): number {
    return this.#oldest;
  }

  /** After everything that is held. */
  get newest(): Position {
    return this.#newest;
  }

  get firstIndex(): number {
    return this.#firstIndex;
  }

  get endIndex(): number {
    return this.#firstIndex + this.#batches.length;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#maxBytes;
  }

  /** When the oldest run that is held was. */
  get from(): number | undefined {
    return this.#ranAt.get(this.#oldest + 1);
  }

  /** `evicted`: the client is so far behind that its next batch is gone. */
  at(index: number): Batch | 'evicted' | undefined {
    return index < this.#firstIndex ? 'evicted' : this.#batches[index - this.#firstIndex];
  }

  /** Adds the run after the newest, and evicts what is too old or too much; never the run itself. */
  append({ number, ran_at }: RunTime, batches: readonly Batch[], keptSince: number): void {
    this.#batches.push(...batches);
    for (const { all } of batches) this.#bytes += all.length;
    this.#newest = { run: number, ranAt: ran_at, count: Number.POSITIVE_INFINITY };
    this.#ranAt.set(number, ran_at);
    while (this.#oldest < number - 1 && (this.#bytes > this.#maxBytes || (this.from ?? 0) < keptSince))
      this.#evictRun();
  }

  /** Adds the whole run `oldest` before the others. */
  prepend({ number, ran_at }: RunTime, batches: readonly Batch[]): void {
    this.#batches.unshift(...batches);
    this.#firstIndex -= batches.length;
    for (const { all } of batches) this.#bytes += all.length;
    this.#ranAt.set(number, ran_at);
    this.#oldest = number - 1;
  }

  /** The place after a position; `older` or `newer` than what is held; `unknown`: the store has no such run. */
  find({ run, ranAt, count }: Position): Place | 'older' | 'newer' | 'unknown' {
    if (run > this.#newest.run) return 'newer';
    const known = run === 0 ? ranAt : this.#ranAt.get(run);
    if (run < this.#oldest || known === undefined) return 'older';
    if (known !== ranAt) return 'unknown';
    if (run === this.#oldest && Number.isFinite(count)) return 'older';
    const found = this.#batches.findIndex(
      (batch) => batch.run > run || (batch.run === run && batch.first + batch.frames.length > count),
    );
    if (found < 0) return { next: this.endIndex, skip: 0 };
    const batch = this.#batches[found];
    return {
      next: this.#firstIndex + found,
      skip: batch?.run === run ? Math.max(0, count - batch.first) : 0,
    };
  }

  #evictRun(): void {
    const run = this.#oldest + 1;
    const kept = this.#batches.findIndex((batch) => batch.run > run);
    const evicted = this.#batches.splice(0, kept < 0 ? this.#batches.length : kept);
    this.#firstIndex += evicted.length;
    for (const { all } of evicted) this.#bytes -= all.length;
    this.#ranAt.delete(this.#oldest);
    this.#oldest = run;
  }
}
