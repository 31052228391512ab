// Runs the browser's script here: it accepts entries of the ledger and refuses altered ones.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import { canonicalJson } from '../../ledger/canonical-json.ts';
import { signCheckpoint } from '../../ledger/checkpoint.ts';
import { entryLeaf, entryText } from '../../ledger/entry.ts';
import { logRoot } from '../../ledger/log-writer.ts';
import { leafHash, nodeHash } from '../../ledger/merkle.ts';
import { inclusionProof } from '../../ledger/proof.ts';
import { computeSeal } from '../../ledger/seal.ts';
import { memoryLog } from '../../ledger/testing/memory-log.ts';

interface Proof {
  id: string;
  type: 'prediction';
  leaf_index: number;
  leaf_hash: string;
  payload_hash: string;
  payload: Record<string, unknown>;
  tree_size: number;
  proof: string[];
  checkpoint: string;
}
type StepResult = [step: string, holds: boolean | null];
type Report = (step: string, holds: boolean | null, words: string) => void;
const { canonical, check, whenWritten } = (await import(join(import.meta.dirname, 'ledger.js'))) as {
  canonical(value: unknown): string;
  check(proof: Proof, key: string, shown: string, report: Report): Promise<boolean>;
  whenWritten(proof: { type: string; payload: object }): string;
};

const WRITTEN = Date.parse('2026-11-11T04:00:02.125Z');

/** A log of `size` entries, and the proof of one of them as the service gives it. */
async function makeProof(
  size: number,
  index: number,
  signedAt: number | undefined = WRITTEN,
): Promise<Proof> {
  const log = memoryLog();
  const payloads = Array.from({ length: size }, (_, n) => ({
    ...{ id: `e${n}`, calm: n / 7, said: 'é “quoted”' },
    reveal_at: '2026-11-11T05:00:00.000Z',
    written_at: new Date(WRITTEN).toISOString(),
  }));
  const texts = payloads.map((payload) => entryText('prediction', payload.id, computeSeal(payload)));
  log.append(texts.map(entryLeaf));
  const payload = payloads[index] as (typeof payloads)[number];
  return {
    id: payload.id,
    type: 'prediction',
    leaf_index: index,
    leaf_hash: entryLeaf(texts[index] ?? ''),
    payload_hash: computeSeal(payload).payload_hash,
    payload,
    tree_size: size,
    proof: await inclusionProof(log.read, index, size),
    checkpoint: signCheckpoint(size, logRoot(log.state()), testSigner, signedAt),
  };
}

async function checkProof(proof: Proof, shown = proof.payload_hash, key = testSigner.verifierKey) {
  const reported: StepResult[] = [];
  const holds = await check(JSON.parse(JSON.stringify(proof)), `${key}\n`, shown, (step, right) => {
    reported.push([step, right]);
  });
  return { holds, reported };
}

/** The checkpoint with one bit of its signature changed. */
function flipped(checkpoint: string): string {
  const [, lines = '', encoded = ''] = /^(.* )(\S+)\n$/s.exec(checkpoint) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return `${lines}${bytes.toString('base64')}\n`;
}

const steps = ['payload', 'leaf', 'root', 'checkpoint', 'signature', 'written'];

test('the canonical text is the one that was sealed, for any value', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(canonical(value), canonicalJson(value))));
});

test('every entry of logs of many sizes is accepted, step by step', async () => {
  for (const size of [1, 2, 3, 5, 8, 13, 300]) {
    for (const index of new Set([0, 1, size >> 1, size - 1].filter((at) => at < size))) {
      const { holds, reported } = await checkProof(await makeProof(size, index));
      assert.equal(holds, true, `${index} of ${size}`);
      assert.deepEqual(
        reported,
        steps.map((step) => [step, true]),
      );
    }
  }
});

/** The same entry at a place of a log that is too long to be made here: its siblings are any hashes. */
async function makeFarProof(size: bigint, index: bigint): Promise<Proof> {
  const { leaf_hash, ...near } = await makeProof(1, 0);
  const proof: string[] = [];
  let [node, last, root] = [index, size - 1n, leaf_hash];
  for (; last > 0n; node /= 2n, last /= 2n) {
    const sibling = leafHash(`sibling ${proof.length}`);
    if (node === last && node % 2n === 0n) continue;
    proof.push(sibling);
    root = node % 2n === 1n ? nodeHash(sibling, root) : nodeHash(root, sibling);
  }
  const checkpoint = signCheckpoint(Number(size), root, testSigner, WRITTEN);
  return { ...near, leaf_hash, leaf_index: Number(index), tree_size: Number(size), proof, checkpoint };
}

test('an entry beyond what 32 bits can count is accepted at its place and at no other', async () => {
  const size = 2n ** 52n + 12_345n;
  for (const index of [2n ** 31n, 2n ** 32n + 1n, 2n ** 51n - 1n, size - 1n]) {
    const proof = await makeFarProof(size, index);
    assert.equal((await checkProof(proof)).holds, true, `${index}`);
    assert.equal((await checkProof({ ...proof, leaf_index: proof.leaf_index - 1 })).holds, false, `${index}`);
  }
});

test('an entry written after the checkpoint was signed is refused', async () => {
  const { holds, reported } = await checkProof(await makeProof(5, 2, WRITTEN - 1));
  assert.equal(holds, false);
  assert.deepEqual(reported.at(-1), ['written', false]);
});

test('says whether an entry was written before its outcome', () => {
  const at = { written_at: '2026-11-11T04:00:02.125Z' };
  const [before, after] = ['2026-11-11T05:00:00.000Z', '2026-11-11T04:00:00.000Z'];
  const cases: [type: string, payload: object, expected: string][] = [
    ['prediction', { reveal_at: before, ...at }, 'before its outcome'],
    ['prediction', { reveal_at: after, ...at }, 'after its outcome'],
    ['silence', { window_end: before, ...at }, 'before its outcome'],
    ['line', { window_end: before, ...at }, 'before its outcome'],
    ['submission', { prediction_window_end: before, ...at }, 'before its outcome'],
    ['prediction', { reveal_at: before, ...at, backfilled: true }, 'as history of the simulated city'],
    ['reveal', { revealed_at: after, ...at }, 'an outcome'],
    ['verdict', { revealed_at: after, ...at }, 'an outcome'],
    ['key', at, 'a change of the key'],
    ['verdict', { ...at, backfilled: true }, 'an outcome, as history of the simulated city'],
    ['reveal', { ...at, backfilled: true }, 'an outcome, as history of the simulated city'],
  ];
  for (const [type, payload, expected] of cases) assert.equal(whenWritten({ type, payload }), expected);
});

describe('an altered proof is refused', async () => {
  const proof = await makeProof(13, 6);
  const other = await makeProof(14, 7);
  const forged = computeSeal({ ...proof.payload, calm: 0.99 });
  const cases: [what: string, altered: Partial<Proof>, failing: string][] = [
    ['the payload', { payload: { ...proof.payload, calm: 0.99 } }, 'payload'],
    [
      'the payload and its seal',
      { payload: { ...proof.payload, calm: 0.99 }, payload_hash: forged.payload_hash },
      'payload',
    ],
    ['the id', { id: 'e7' }, 'leaf'],
    ['the leaf', { leaf_hash: '0'.repeat(64) }, 'leaf'],
    [
      'a neighbour',
      { proof: proof.proof.map((hash, at) => (at === 1 ? '0'.repeat(64) : hash)) },
      'checkpoint',
    ],
    ['the number of neighbours', { proof: proof.proof.slice(1) }, 'root'],
    ['the index', { leaf_index: 5 }, 'checkpoint'],
    ['the size', { tree_size: 14 }, 'checkpoint'],
    ['the checkpoint', { checkpoint: other.checkpoint }, 'checkpoint'],
    ['the signature', { checkpoint: flipped(proof.checkpoint) }, 'signature'],
    ['who signed', { checkpoint: proof.checkpoint.replace('— pocketwatch.test', '— another') }, 'signature'],
  ];
  for (const [what, altered, failing] of cases) {
    test(what, async () => {
      const { holds, reported } = await checkProof({ ...proof, ...altered }, proof.payload_hash);
      assert.equal(holds, false);
      assert.deepEqual(reported.at(-1), [failing, false]);
    });
  }

  test('a valid entry other than the one that the page shows', async () => {
    const { reported } = await checkProof(proof, other.payload_hash);
    assert.deepEqual(reported, [['payload', false]]);
  });

  test('a leaf that was made to fit a forged payload is in no tree', async () => {
    const text = entryText('prediction', proof.id, forged);
    const fitted = {
      ...proof,
      payload: { ...proof.payload, calm: 0.99 },
      payload_hash: forged.payload_hash,
      leaf_hash: entryLeaf(text),
    };
    const { holds, reported } = await checkProof(fitted, forged.payload_hash);
    assert.equal(holds, false);
    assert.deepEqual(reported.at(-1), ['checkpoint', false]);
  });
});
