import type { Entry } from './entry.ts';
import { LedgerFault } from './fault.ts';

/** Thirteen bytes for each row, taken as rows arrive: the size that a log claims reserves nothing. */
const CHUNK = 1 << 16;

interface Chunk {
  /** The first 52 bits of the payload hash. */
  marks: Float64Array;
  /** In seconds; 0 when the row has none. */
  revealAt: Uint32Array;
  revealed: Uint8Array;
}

/**
 * What makes a forecast worth something: sealed before its time, revealed not before it, and once. A reveal points at
 * the row it opens by its place in the log, which cannot be changed afterwards. Rows are given in their order.
 */
export function orderCheck(): (entry: Entry, leaf: number) => void {
  const chunks: Chunk[] = [];
  return (entry, leaf) => {
    const { id, type, payload, payload_hash } = entry;
    const revealAt = type === 'prediction' || 'reveal_at' in payload ? secondsOf(payload.reveal_at) : 0;
    const wrong =
      wrongSeal(entry, revealAt) ?? (type === 'reveal' ? wrongReveal(chunks, payload, leaf) : undefined);
    if (wrong !== undefined) throw new LedgerFault('out_of_order', wrong, { leaf, id });
    keep(chunks, leaf, markOf(payload_hash), revealAt);
  };
}

function wrongSeal({ type, payload }: Entry, revealAt: number): string | undefined {
  if (Number.isNaN(revealAt)) return 'reveal_at is not a time';
  if (type !== 'prediction' || secondsOf(payload.sealed_at) < revealAt) return undefined;
  return 'not sealed before the time it speaks of';
}

function wrongReveal(chunks: readonly Chunk[], payload: Entry['payload'], own: number): string | undefined {
  const { sealed_leaf: leaf, sealed_hash, revealed_at } = payload;
  if (typeof leaf !== 'number' || !Number.isInteger(leaf) || leaf < 0 || leaf >= own) {
    return 'sealed_leaf is not a row before it';
  }
  const chunk = chunks[Math.floor(leaf / CHUNK)] as Chunk;
  const at = leaf % CHUNK;
  if (chunk.marks[at] !== markOf(sealed_hash))
    return `row ${leaf} does not have the sealed_hash that it reveals`;
  if (!(secondsOf(revealed_at) >= (chunk.revealAt[at] as number))) return `reveals row ${leaf} too early`;
  if (chunk.revealed[at] === 1) return `reveals row ${leaf} a second time`;
  chunk.revealed[at] = 1;
  return undefined;
}

function keep(chunks: Chunk[], leaf: number, mark: number, revealAt: number): void {
  const index = Math.floor(leaf / CHUNK);
  let chunk = chunks[index];
  if (chunk === undefined) {
    chunk = {
      marks: new Float64Array(CHUNK),
      revealAt: new Uint32Array(CHUNK),
      revealed: new Uint8Array(CHUNK),
    };
    chunks[index] = chunk;
  }
  chunk.marks[leaf % CHUNK] = mark;
  chunk.revealAt[leaf % CHUNK] = revealAt;
}

/** NaN for what is not a time in UTC. Rows of one tick have the same few times. */
function secondsOf(value: unknown): number {
  if (typeof value !== 'string' || !value.endsWith('Z')) return Number.NaN;
  let seconds = recent.get(value);
  if (seconds === undefined) {
    seconds = Date.parse(value) / 1000;
    if (recent.size === 64) recent.clear();
    recent.set(value, seconds);
  }
  return seconds;
}

const recent = new Map<string, number>();

function markOf(hash: unknown): number {
  return typeof hash === 'string' && hash.startsWith('sha256:')
    ? Number.parseInt(hash.slice(7, 20), 16)
    : Number.NaN;
}
