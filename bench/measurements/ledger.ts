import { randomBytes } from 'node:crypto';
import { wireWorks } from '../../src/cli/works.ts';
import { readConfig } from '../../src/config.ts';
import { SLOT } from '../../src/domain/sgt.ts';
import { HASH_BYTES } from '../../src/ledger/merkle.ts';
import { inclusionProof } from '../../src/ledger/proof.ts';
import { sealOf } from '../../src/ledger/seal.ts';
import { edgeTiles, hashesAtLevel, TILE_WIDTH } from '../../src/ledger/tiles.ts';
import { backfill } from '../../src/pipeline/backfill.ts';
import { runDue } from '../../src/pipeline/run.ts';
import type { LedgerLog } from '../../src/store/ledger-log.ts';
import { entryById, latestCheckpoint, tileReader } from '../../src/store/ledger-reads.ts';
import type { Store } from '../../src/store/store.ts';
import { compare, inRounds, quantile, type Row } from '../rows.ts';
import { type Bench, newPlace } from '../support.ts';

const NOW = Date.parse('2026-11-11T04:00:00Z');
const LEAVES = 10_000_000;
const TICKS = 8;
const PROOFS = 400;
const LONGEST_MS = 10;

/** What sealing and the log cost a tick, and what a proof costs once the log is long. */
export async function measureLedger(bench: Bench): Promise<Row[]> {
  return [...(await appending(bench)), await proving(bench)];
}

async function appending(bench: Bench): Promise<Row[]> {
  const { dataDir } = await newPlace(bench, 'sqlite');
  const works = await wireWorks(readConfig({ DATA_DIR: dataDir }));
  bench.defer(() => works.store.close());
  await backfill(works, { from: NOW - 12 * SLOT, now: NOW });
  const spent = timed(works.ledger);
  let now = NOW;
  const seals: number[] = [];
  const both: number[] = [];
  const { ticks } = await inRounds(bench, bench.rounds, {
    ticks: async (warming) => {
      spent.ms = 0;
      spent.payloads = [];
      const began = performance.now();
      for (let n = 0; n < TICKS; n++) {
        now += SLOT;
        await runDue(works, now);
      }
      const whole = performance.now() - began;
      const sealing = timeToSeal(spent.payloads);
      if (!warming) {
        seals.push(sealing / TICKS);
        both.push(spent.ms / TICKS);
      }
      return whole / TICKS;
    },
  });
  return [
    compare('sealing rows and appending them to the log / a whole tick', both, ticks, {
      unit: ' ms',
      target: { atMost: 0.1 },
    }),
    compare('sealing alone / a whole tick', seals, ticks, { unit: ' ms' }),
  ];
}

/** What the same rows take to be sealed again: their canonical text and its hash, which they need with or without a log. */
function timeToSeal(payloads: readonly object[]): number {
  const began = performance.now();
  for (const payload of payloads) sealOf(payload);
  return performance.now() - began;
}

/** Adds up the time in the ledger's calls, of which none waits for another, and what they were given. */
function timed(ledger: LedgerLog): { ms: number; payloads: object[] } {
  const spent: { ms: number; payloads: object[] } = { ms: 0, payloads: [] };
  const adding = async <T>(call: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await call();
    } finally {
      spent.ms += performance.now() - began;
    }
  };
  const append = ledger.append.bind(ledger);
  const write = ledger.write.bind(ledger);
  Object.assign(ledger, {
    append: (...args: Parameters<LedgerLog['append']>) => {
      spent.payloads.push(...args[2].map(({ payload }) => payload));
      return adding(() => append(...args));
    },
    write: (...args: Parameters<LedgerLog['write']>) => adding(() => write(...args)),
  });
  return spent;
}

/** All that `/api/ledger/proof/:id` reads, of entries anywhere in a log of ten million. */
async function proving(bench: Bench): Promise<Row> {
  const { dataDir } = await newPlace(bench, 'sqlite');
  const { store } = await wireWorks(readConfig({ DATA_DIR: dataDir }));
  bench.defer(() => store.close());
  const leaves = Array.from({ length: PROOFS }, (_, n) => Math.floor(((n + 0.5) / PROOFS) * LEAVES));
  await fill(store, leaves);
  const read = tileReader(store);
  const slowest = async () => {
    const times: number[] = [];
    for (const leaf of leaves) {
      const began = performance.now();
      await Promise.all([entryById(store, `entry-${leaf}`), latestCheckpoint(store)]);
      await inclusionProof(read, leaf, LEAVES);
      times.push(performance.now() - began);
    }
    return quantile(times, 0.99);
  };
  const { proofs } = await inRounds(bench, bench.rounds, { proofs: slowest });
  const what = `p99 of a proof at ${LEAVES.toLocaleString('en')} leaves / ${LONGEST_MS} ms`;
  return compare(
    what,
    proofs,
    proofs.map(() => LONGEST_MS),
    { unit: ' ms', target: { atMost: 1 } },
  );
}

/** The tiles that the proofs pass through, each with hashes that mean nothing: they are read, not checked. */
async function fill(store: Store, leaves: readonly number[]): Promise<void> {
  const tile = (level: number, idx: number, width = TILE_WIDTH) => ({
    level,
    idx,
    hashes: randomBytes(width * HASH_BYTES).toString('base64'),
  });
  const above = [1, 2].flatMap((level) =>
    Array.from({ length: Math.floor(hashesAtLevel(LEAVES, level) / TILE_WIDTH) }, (_, idx) =>
      tile(level, idx),
    ),
  );
  const under = [...new Set(leaves.map((leaf) => Math.floor(leaf / TILE_WIDTH)))];
  await store.transaction(async (tx) => {
    await tx.insert('ledger_tiles', [...under.map((idx) => tile(0, idx)), ...above]);
    await tx.insert(
      'ledger_edges',
      edgeTiles(LEAVES).map(({ level, index, width }) => tile(level, index, width)),
    );
    await tx.insert(
      'ledger_entries',
      leaves.map((leaf) => ({
        leaf,
        type: 'submission',
        id: `entry-${leaf}`,
        payload: '{}',
        payload_hash: '',
      })),
    );
    await tx.insert(
      'submissions',
      leaves.map((leaf) => ({
        leaf,
        id: `entry-${leaf}`,
        submitter_name: '',
        sealed_at: 0,
        window_start: 0,
        window_end: 0,
        prediction_count: 0,
        items: '[]',
        items_hash: '',
      })),
    );
    await tx.insert('ledger_checkpoints', [{ size: LEAVES, note: '', signed_at: 0 }]);
  });
}
