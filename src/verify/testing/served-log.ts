import { signCheckpoint } from '../../ledger/checkpoint.ts';
import { type EntryType, entryBundle, entryLeaf, entryText } from '../../ledger/entry.ts';
import { createSigner, privateKeyFromSeed, type Signer } from '../../ledger/key.ts';
import { type KeyChange, keyChange } from '../../ledger/key-change.ts';
import { logRoot } from '../../ledger/log-writer.ts';
import type { Hash } from '../../ledger/merkle.ts';
import { computeSeal, type Seal } from '../../ledger/seal.ts';
import { memoryLog } from '../../ledger/testing/memory-log.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { FetchBytes } from '../source.ts';
import type { Verdict } from '../verify-ledger.ts';

export interface Row {
  type: EntryType;
  id: string;
  seal: Seal;
}

/** A log in memory, served as the service does: bundles are built from the rows, tiles are stored. */
export interface ServedLog {
  rows: Row[];
  /** Appends rows and signs a checkpoint. */
  append(rows: readonly Row[]): void;
  /** Appends a change of the key, as edited, and signs from then on with the new one. */
  changeKey(next: Signer, lost?: boolean, edit?: (change: KeyChange) => object): void;
  checkpoint(): string;
  readonly key: string;
  detached: Map<string, string>;
  fetch: FetchBytes;
}

export const signer = createSigner('watch.example/ledger', privateKeyFromSeed(Buffer.alloc(32, 1)));

export function servedLog(by = signer): ServedLog {
  const log = memoryLog();
  const rows: Row[] = [];
  const detached = new Map<string, string>();
  let checkpoint = signCheckpoint(0, logRoot(log.state()), by);
  let current = by;
  let changes = 0;
  const append = (more: readonly Row[]) => {
    rows.push(...more);
    const leaves: Hash[] = more.map(({ type, id, seal }) => entryLeaf(entryText(type, id, seal)));
    log.append(leaves);
    checkpoint = signCheckpoint(log.state().size, logRoot(log.state()), current, newestTime(rows));
  };
  return {
    rows,
    append,
    changeKey(next, lost = false, edit = (change) => change) {
      const change = keyChange(++changes + 1, lost ? current.verifierKey : current, next);
      current = next;
      append([
        { type: 'key', id: change.id, seal: computeSeal({ ...edit(change), written_at: iso(START) }) },
      ]);
    },
    checkpoint: () => checkpoint,
    get key() {
      return current.verifierKey;
    },
    detached,
    async fetch(path) {
      if (path === 'checkpoint') return Buffer.from(checkpoint);
      // A mirror of the log has no tables beside it.
      if (path === 'rows') return undefined;
      if (path === 'key') return Buffer.from(`${current.verifierKey}\n`);
      if (path.startsWith('detached/')) {
        const text = detached.get(path.slice('detached/'.length));
        return text === undefined ? undefined : Buffer.from(text);
      }
      const { level, index, width } = parseTilePath(path);
      const { size } = log.state();
      if (level !== 'entries') {
        return Math.floor(size / TILE_WIDTH ** level) < index * TILE_WIDTH + width
          ? undefined
          : log.read({ level, index, width });
      }
      const start = index * TILE_WIDTH;
      if (start + width > size) return undefined;
      return entryBundle(
        rows.slice(start, start + width).map(({ type, id, seal }) => entryText(type, id, seal)),
      );
    },
  };
}

/** The time that the service would sign: that of the newest row. */
const newestTime = (rows: readonly Row[]): number => {
  const times = rows.map(({ seal }) => Date.parse(/"written_at":"([^"]*)"/.exec(seal.canonical)?.[1] ?? ''));
  return Math.max(START, ...times.slice(-1).filter((time) => !Number.isNaN(time)));
};

const SLOT = 15 * 60_000;
const START = Date.UTC(2026, 9, 1);
const iso = (time: number) => new Date(time).toISOString();

/** All are sealed at the start, so that logs of any size are of one slot. */
export function prediction(n: number, written: { written_at?: string; backfilled?: unknown } = {}): Row {
  const payload = {
    pocket_id: `pocket-${n % 18}`,
    generator: 'pocket_projection_60m',
    prediction_type: 'other',
    prediction_key: 'state',
    horizon_minutes: 60,
    forecast: {
      expected_state: 'calm-productive',
      expected_calm: (n % 1000) / 1000,
      calm_probability: 0.95,
      states: [0.1, 0.2, 0.7],
    },
    baseline: { expected_state: 'calm-social', expected_calm: 0.5 },
    confidence: 0.71,
    completeness: 1,
    shadow: false,
    sealed_at: iso(START),
    reveal_at: iso(START + 4 * SLOT),
    written_at: iso(START),
    ...written,
  };
  return { type: 'prediction', id: `prd_${n}`, seal: computeSeal(payload) };
}

/** Reveals the row at `leaf`, which is prediction `n`; its outcome is what was forecast. */
export function reveal(n: number, leaf: number, { seal }: Row, late = 0, changed: object = {}): Row {
  const revealed = START + 4 * SLOT + late;
  const { forecast } = JSON.parse(seal.canonical);
  const payload = {
    sealed_leaf: leaf,
    sealed_hash: seal.payload_hash,
    prediction_id: `prd_${n}`,
    actual_observation: { primary_state: 'calm-productive', calm: forecast.expected_calm },
    accuracy_score: 1,
    baseline_score: Math.round(400 * (1 - ramp(Math.abs(forecast.expected_calm - 0.5)))) / 1000,
    revealed_at: iso(revealed),
    written_at: iso(revealed),
    ...changed,
  };
  return { type: 'reveal', id: `rvl_${n}`, seal: computeSeal(payload) };
}

/** How far off a calm is, for its score: 0 up to 0.1, 1 from 0.5 on. */
const ramp = (error: number): number => Math.min(1, Math.max(0, (error - 0.1) / 0.4));

/** The code and place of a fault, or 'ok'. */
export const verdictFault = (verdict: Verdict) => (verdict.ok ? 'ok' : [verdict.code, verdict.place]);

/** Serves other bytes at one path. */
export const instead =
  (log: ServedLog, at: string, change: (bytes: Uint8Array) => Uint8Array | undefined): FetchBytes =>
  async (path, limit) => {
    const bytes = await log.fetch(path, limit);
    return path === at && bytes !== undefined ? change(Buffer.from(bytes)) : bytes;
  };
