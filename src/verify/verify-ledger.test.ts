import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { verifyLedger } from '../../test/support/services/verify-ledger.ts';
import { createSigner, privateKeyFromSeed } from '../ledger/key.ts';
import { computeSeal } from '../ledger/seal.ts';
import type { FetchBytes } from './source.ts';
import {
  instead,
  prediction,
  type Row,
  reveal,
  type ServedLog,
  servedLog,
  signer,
  verdictFault,
} from './testing/served-log.ts';

const predictions = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => prediction(from + i));
const makeLog = (size: number): ServedLog => {
  const log = servedLog();
  log.append(predictions(0, size));
  return log;
};

const flip = (at: number) => (bytes: Uint8Array) => bytes.with(at, (bytes[at] as number) ^ 1);

test('a correct log of any size verifies, also against any earlier checkpoint', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(700), { minLength: 1, maxLength: 4 }), async (pieces) => {
      const log = servedLog();
      const checkpoints = [log.checkpoint()];
      for (const piece of pieces) {
        log.append(predictions(log.rows.length, log.rows.length + piece));
        checkpoints.push(log.checkpoint());
      }
      for (const since of checkpoints) {
        const verdict = await verifyLedger({ fetch: log.fetch, since });
        assert.ok(verdict.ok, JSON.stringify(verdict));
        assert.equal(verdict.size, log.rows.length);
        assert.equal(verdict.checkpoint, log.checkpoint());
      }
    }),
    { numRuns: 12 },
  );
});

test('logs with sizes around tile boundaries verify, up to a third level', async () => {
  for (const size of [0, 1, 255, 256, 257, 511, 512, 513]) {
    assert.ok((await verifyLedger({ fetch: makeLog(size).fetch })).ok, String(size));
  }
  const log = makeLog(65_535);
  const since = log.checkpoint();
  log.append(predictions(65_535, 66_100));
  const verdict = await verifyLedger({ fetch: log.fetch, since, key: log.key });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual(verdict.entries, { prediction: 66_100 });
});

test('an edited row is found and named, wherever it is', async () => {
  const log = makeLog(700);
  await fc.assert(
    fc.asyncProperty(fc.nat(699), fc.boolean(), async (leaf, hashToo) => {
      const row = log.rows[leaf] as Row;
      const canonical = row.seal.canonical.replace('"confidence":0.71', '"confidence":0.72');
      log.rows[leaf] = {
        ...row,
        seal: hashToo ? computeSeal(JSON.parse(canonical)) : { ...row.seal, canonical },
      };
      const verdict = await verifyLedger({ fetch: log.fetch });
      log.rows[leaf] = row;
      assert.deepEqual(verdictFault(verdict), ['wrong_leaf', { leaf, id: row.id }]);
    }),
    { numRuns: 25 },
  );
});

test('finds two swapped rows and a missing row', async () => {
  const log = makeLog(300);
  const [a, b] = [log.rows[7] as Row, log.rows[8] as Row];
  log.rows.splice(7, 2, b, a);
  assert.deepEqual(verdictFault(await verifyLedger({ fetch: log.fetch })), [
    'wrong_leaf',
    { leaf: 7, id: 'prd_8' },
  ]);
  log.rows.splice(7, 2, a, b);
  log.rows.splice(290, 1);
  const verdict = await verifyLedger({ fetch: log.fetch });
  assert.deepEqual(verdictFault(verdict), ['wrong_leaf', { leaf: 290, id: 'prd_291' }]);
});

test('finds a row edited together with its leaf, and with its tiles', async () => {
  const [honest, forged] = [makeLog(700), servedLog()];
  const rows = predictions(0, 700);
  rows[300] = {
    ...(rows[300] as Row),
    seal: computeSeal({ ...JSON.parse(prediction(300).seal.canonical), confidence: 1 }),
  };
  forged.append(rows);
  const mixed =
    (...paths: string[]): FetchBytes =>
    (path, limit) =>
      (paths.includes(path) ? forged : honest).fetch(path, limit);
  const entries = 'tile/entries/001';
  const verdict = await verifyLedger({ fetch: mixed(entries, 'tile/0/001') });
  assert.deepEqual(verdictFault(verdict), ['wrong_tile', { leaf: 256 }]);
  const deeper = await verifyLedger({ fetch: mixed(entries, 'tile/0/001', 'tile/1/000.p/2') });
  assert.deepEqual(verdictFault(deeper), ['wrong_root', {}]);
  // Rewritten throughout and signed again, it verifies: only an earlier checkpoint reveals the change.
  assert.ok((await verifyLedger({ fetch: forged.fetch })).ok);
  const kept = await verifyLedger({ fetch: forged.fetch, since: honest.checkpoint() });
  assert.deepEqual(verdictFault(kept), ['rewritten', {}]);
  const before = await verifyLedger({ fetch: forged.fetch, since: makeLog(300).checkpoint() });
  assert.ok(before.ok, 'the first 300 rows are the same');
});

test('names the first fault of several bundles', async () => {
  const log = makeLog(1000);
  const row = log.rows[0] as Row;
  log.append([reveal(0, 0, row), { ...reveal(0, 0, row), id: 'twice' }]);
  const verdict = () => verifyLedger({ fetch: log.fetch });
  assert.deepEqual(verdictFault(await verdict()), ['out_of_order', { leaf: 1001, id: 'twice' }]);
  log.rows[900] = { ...(log.rows[900] as Row), id: 'x' };
  log.rows[500] = { ...(log.rows[500] as Row), id: 'y' };
  assert.deepEqual(verdictFault(await verdict()), ['wrong_leaf', { leaf: 500, id: 'y' }]);
  const honest = await verifyLedger({ fetch: makeLog(1000).fetch });
  assert.ok(honest.ok, JSON.stringify(honest));
  assert.deepEqual(honest.entries, { prediction: 1000 });
});

test('finds a log that lost rows', async () => {
  const verdict = await verifyLedger({ fetch: makeLog(10).fetch, since: makeLog(11).checkpoint() });
  assert.deepEqual(verdictFault(verdict), ['shrunk', {}]);
});

test('refuses a checkpoint that the key has not signed', async () => {
  const log = makeLog(5);
  const changedCode = async (change: (bytes: Uint8Array) => Uint8Array, at = 'checkpoint') =>
    verdictFault(await verifyLedger({ fetch: instead(log, at, change), settle: 0 }))[0];
  const text = (edit: (note: string) => string) => (bytes: Uint8Array) =>
    Buffer.from(edit(Buffer.from(bytes).toString()));
  assert.equal(await changedCode(text((note) => note.replace('\n5\n', '\n4\n'))), 'bad_signature');
  assert.equal(await changedCode(text((note) => note.replace('— watch', '— other'))), 'bad_signature');
  assert.equal(await changedCode(text((note) => note.slice(0, 60))), 'bad_signature');
  assert.equal(await changedCode(text(() => '')), 'bad_signature');
  assert.equal(await changedCode(text((note) => note.replace('\n\n', '\n'))), 'bad_signature');
  assert.equal(await changedCode(() => Buffer.of(0xff)), 'bad_checkpoint');
  assert.equal(
    await changedCode(
      text((key) => key.replace('+', '-')),
      'key',
    ),
    'bad_key',
  );
  assert.equal(
    await changedCode(
      text((key) => key.replace('watch', 'other')),
      'key',
    ),
    'bad_key',
  );
  const stranger = servedLog(createSigner(signer.name, privateKeyFromSeed(Buffer.alloc(32, 2))));
  assert.equal(verdictFault(await verifyLedger({ fetch: stranger.fetch, key: log.key }))[0], 'bad_signature');
  const since = log.checkpoint();
  assert.equal(verdictFault(await verifyLedger({ fetch: stranger.fetch, since }))[0], 'bad_signature');
});

test('finds altered, truncated and missing bytes', async () => {
  const log = makeLog(600);
  const verdictAt = async (path: string, change: (bytes: Uint8Array) => Uint8Array | undefined) =>
    verdictFault(await verifyLedger({ fetch: instead(log, path, change) }));
  assert.deepEqual(await verdictAt('tile/0/001', flip(64)), ['wrong_leaf', { leaf: 258, id: 'prd_258' }]);
  assert.deepEqual(await verdictAt('tile/1/000.p/2', flip(40)), ['wrong_tile', { leaf: 256 }]);
  assert.equal((await verdictAt('tile/entries/000', (bytes) => bytes.subarray(0, -1)))[0], 'bad_bundle');
  assert.equal(
    (await verdictAt('tile/entries/000', (bytes) => Buffer.concat([bytes, bytes])))[0],
    'bad_bundle',
  );
  assert.equal((await verdictAt('tile/0/000', (bytes) => bytes.subarray(0, -1)))[0], 'wrong_tile');
  assert.equal((await verdictAt('tile/entries/001', () => undefined))[0], 'unavailable');
  assert.equal((await verdictAt('checkpoint', () => undefined))[0], 'unavailable');
});

test('accepts a complete tile in place of a dropped incomplete one', async () => {
  const log = makeLog(300);
  const checkpoint = log.checkpoint();
  log.append(predictions(300, 600));
  const verdict = await verifyLedger({
    fetch: async (path, limit) => {
      if (path === 'checkpoint') return Buffer.from(checkpoint);
      return path.includes('001.p/') ? undefined : log.fetch(path, limit);
    },
  });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.size, 300);
});

test('finds logged rows that are malformed', async () => {
  const logged = async (...rows: Row[]) => {
    const log = servedLog();
    log.append(rows);
    return verdictFault(await verifyLedger({ fetch: log.fetch }));
  };
  const { seal } = prediction(0);
  const raw = (canonical: string, payload_hash = seal.payload_hash): Row => ({
    type: 'prediction',
    id: 'a',
    seal: { canonical, payload_hash },
  });
  const hashed = (text: string): Row => raw(text, `sha256:${hash('sha256', text, 'hex')}`);
  assert.deepEqual(await logged(raw(computeSeal({ a: 1 }).canonical)), [
    'bad_payload_hash',
    { leaf: 0, id: 'a' },
  ]);
  for (const forged of [
    '',
    'sha256:',
    `sha512:${'0'.repeat(64)}`,
    `${seal.payload_hash}0`,
    'ü',
  ] as `sha256:${string}`[]) {
    assert.deepEqual(await logged(raw(seal.canonical, forged)), ['bad_payload_hash', { leaf: 0, id: 'a' }]);
  }
  for (const text of [
    '{"b":1,"a":2}',
    '{"a":1,"a":2}',
    '{"a":1.0}',
    '{ "a":1}',
    '{"a":"\\u0041"}',
    '{"a":"\\ud800"}',
  ]) {
    assert.deepEqual(await logged(hashed(text)), ['bad_entry', { leaf: 0 }], text);
  }
  assert.deepEqual(await logged(hashed('[]')), ['bad_entry', { leaf: 0 }]);
  assert.deepEqual(await logged(hashed('{"a":1},"x":{}')), ['bad_entry', { leaf: 0 }]);
  assert.deepEqual(await logged({ type: 'edit' as 'reveal', id: 'a', seal }), ['bad_entry', { leaf: 0 }]);
});

test('a forecast of an unknown generator, or of another type or horizon than its own, is named', async () => {
  for (const [changed, message] of [
    [{ generator: 'tarot_60m' }, /^no generator is known as "tarot_60m", so its/],
    [{ generator: undefined }, /^no generator is known as nothing/],
    [{ generator: 'x'.repeat(10_000) }, /^no generator is known as "x{99}, so its/],
    [
      { prediction_type: 'tarot' },
      /^pocket_projection_60m is known to forecast other 60 minutes ahead, not "tarot" 60$/,
    ],
    [{ horizon_minutes: 90 }, /60 minutes ahead, not "other" 90$/],
  ] as const) {
    const log = servedLog();
    const { seal, ...row } = prediction(1);
    const payload = { ...JSON.parse(seal.canonical), ...changed };
    log.append([prediction(0), { ...row, seal: computeSeal(JSON.parse(JSON.stringify(payload))) }]);
    const verdict = await verifyLedger({ fetch: log.fetch });
    assert.deepEqual(verdictFault(verdict), ['unknown_generator', { leaf: 1, id: 'prd_1' }]);
    assert.match(verdict.ok ? '' : verdict.message, message);
  }
});

test('a detached payload is counted as withheld until published, then checked against its hash', async () => {
  const log = servedLog();
  const items = computeSeal({ nonce: '00', predictions: Array.from({ length: 1000 }, (_, i) => ({ i })) });
  const digest = items.payload_hash.slice('sha256:'.length);
  const detached = { hash: items.payload_hash, bytes: Buffer.byteLength(items.canonical) };
  const written_at = '2026-10-01T00:00:00.000Z';
  const seal = computeSeal({
    submitter_name: 'A',
    prediction_count: 1000,
    detached,
    sealed_at: written_at,
    written_at,
  });
  log.append([{ type: 'submission', id: 'sub_1', seal }]);
  const withheld = await verifyLedger({ fetch: log.fetch });
  assert.ok(withheld.ok);
  assert.equal(withheld.withheld, 1);
  log.detached.set(digest, items.canonical);
  const published = await verifyLedger({ fetch: log.fetch });
  assert.ok(published.ok);
  assert.equal(published.withheld, 0);
  log.detached.set(digest, items.canonical.replace('"i":7}', '"i":8}'));
  const place = { leaf: 0, id: 'sub_1' };
  assert.deepEqual(verdictFault(await verifyLedger({ fetch: log.fetch })), ['bad_detached', place]);
});

test('imports nothing of the writer but canonical JSON', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('testing/'),
  );
  assert.ok(files.includes('figures/compare.ts'));
  for (const file of files) {
    const source = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
    for (const [, from] of source.matchAll(/from '(\.[^']+)'/g)) {
      const target = join('verify', dirname(file), from ?? '');
      assert.ok(
        target.startsWith('verify/') || target === 'ledger/canonical-json.ts',
        `${file} imports ${from}`,
      );
      assert.ok(!from?.includes('testing'), `${file} imports ${from}`);
    }
  }
});
