import { randomBytes } from 'node:crypto';
import { quantile } from '../../scripts/quantiles.ts';
import { HASH_BYTES } from '../../src/ledger/merkle.ts';
import { inclusionProof } from '../../src/ledger/proof.ts';
import { edgeTiles, hashesAtLevel, TILE_WIDTH } from '../../src/ledger/tiles.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { entryById, latestCheckpoint, tileReader } from '../../src/store/ledger/ledger-reads.ts';
import { packBundle } from '../../src/store/ledger/packed-bundle.ts';
import { type Bench, newPipeline } from '../harness.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

const LEAVES = 10_000_000;
const MAX_MS = 10;

/** Everything that `/api/ledger/proof/:id` reads, for entries spread over a log of ten million. */
export async function measureProofs(bench: Bench): Promise<Row[]> {
  const { store } = await newPipeline(bench);
  const count = bench.size === 'smallest' ? 4 : 400;
  const leaves = Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) / count) * LEAVES));
  await fill(store, leaves);
  const read = tileReader(store);
  const p99 = async () => {
    const times: number[] = [];
    for (const leaf of leaves) {
      const start = performance.now();
      await Promise.all([entryById(store, `entry-${leaf}`), latestCheckpoint(store)]);
      await inclusionProof(read, leaf, LEAVES);
      times.push(performance.now() - start);
    }
    return quantile(times, 0.99);
  };
  const { proofs } = await runRounds(bench, bench.rounds, { proofs: p99 });
  const what = `p99 of a proof in a log of ${LEAVES.toLocaleString('en')} leaves / limit`;
  const limits = proofs.map(() => MAX_MS);
  return [compare(what, proofs, limits, { unit: ' ms', target: { atMost: 1 } })];
}

/** As many bytes as a sealed forecast has. */
const PAYLOAD_BYTES = 600;

function bundle(idx: number) {
  const entries = Array.from({ length: TILE_WIDTH }, (_, n) => ({
    type: 'submission' as const,
    id: `entry-${idx * TILE_WIDTH + n}`,
    payload: JSON.stringify({ text: randomBytes(PAYLOAD_BYTES / 2).toString('hex') }),
  }));
  return { idx, entries: packBundle(entries) };
}

/** Writes only the tiles and bundles that the proofs need; hashes are random: they are read and joined, not checked. */
async function fill(store: Store, leaves: readonly number[]): Promise<void> {
  const tile = (level: number, idx: number) => ({
    level,
    idx,
    hashes: randomBytes(TILE_WIDTH * HASH_BYTES),
  });
  const edge = (level: number, idx: number, width: number) => ({
    level,
    idx,
    hashes: randomBytes(width * HASH_BYTES).toString('base64'),
  });
  const upperTiles = [1, 2].flatMap((level) =>
    Array.from({ length: Math.floor(hashesAtLevel(LEAVES, level) / TILE_WIDTH) }, (_, idx) =>
      tile(level, idx),
    ),
  );
  const bundles = [...new Set(leaves.map((leaf) => Math.floor(leaf / TILE_WIDTH)))];
  await store.transaction(async (tx) => {
    await tx.insert('ledger_tiles', upperTiles);
    await tx.insert(
      'ledger_edges',
      edgeTiles(LEAVES).map(({ level, index, width }) => edge(level, index, width)),
    );
    await tx.insert('ledger_bundles', bundles.map(bundle));
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
