// The ledger as an outsider sees it: over HTTP, through the verifier, and through an independent implementation.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOUR, iso, SLOT } from '../../src/domain/time/slot.ts';
import type { EntryType } from '../../src/ledger/entry.ts';
import { subtreeRoot } from '../../src/ledger/merkle.ts';
import { openCheckpoint, parseVerifierKey } from '../../src/ledger/testing/open-note.ts';
import { verifyConsistency, verifyInclusion } from '../../src/ledger/testing/verify-proof.ts';
import { TILE_WIDTH } from '../../src/ledger/tiles.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { bundleOfLeaf, entriesOfBundle } from '../../src/store/ledger/entries.ts';
import { httpFetch } from '../../src/verify/http-fetch.ts';
import type { Verdict } from '../../src/verify/verify-ledger.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { run, runHere } from '../support/services/processes.ts';
import { NOON, serviceFor } from '../support/services/service.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { describeStores } from '../support/stores/store-places.ts';
import { editBundle, editPayload, storedEntries } from '../support/stores/stored-entries.ts';
import { change, dropGuards, rewriteLog } from '../support/stores/tamper-ledger.ts';
import { testSigner } from '../support/stores/test-key.ts';

interface Proof {
  id: string;
  leaf_index: number;
  leaf_hash: string;
  tree_size: number;
  proof: string[];
  checkpoint: string;
}

/** A third-party implementation of RFC 9162. */
interface Independent {
  verifyInclusionProof(root: Uint8Array, leaf: Uint8Array, proof: object): Promise<boolean>;
  verifyConsistencyProof(old: Uint8Array, root: Uint8Array, proof: object): Promise<boolean>;
}
const name = '@transmute/rfc9162';
const imported = await import(name).catch(() => undefined);
const independent: Independent | undefined = imported?.RFC9162 ?? imported;
const skip = independent ? false : `${name} is not installed`;

/** Of few pockets, since the whole log is verified many times. */
const registry = smallCity(['dempsey', 'holland', 'tiongbahru']);
/** The forecasts that a slot seals. */
const sealedBySlot = 3 * registry.pockets.length;

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const openHead = (note: string) => openCheckpoint(note, parseVerifierKey(testSigner.verifierKey));
const verdictPlace = (verdict: Verdict) => (verdict.ok ? 'ok' : [verdict.code, verdict.place]);

describeStores('the ledger', (makePlace, engine) => {
  const service = serviceFor(async () => ({ days: 1, place: makePlace, registry }));
  const at = (path: string) => `${service().url}/api/ledger/${path}`;
  const checkpoint = async () => (await ask(at('checkpoint'))).text;
  const verify = (since?: string) =>
    verifyLedger({
      fetch: httpFetch(service().url),
      api: httpFetch(service().url, 'api'),
      settle: 600,
      ...(since && { since }),
    });
  const entry = async (leaf: number) => {
    const [found] = await entriesOfBundle(service().store, bundleOfLeaf(leaf), TILE_WIDTH).then((entries) =>
      entries.filter((one) => one.leaf === leaf),
    );
    return found ?? assert.fail(`no row ${leaf}`);
  };
  const fetchProof = async (id: string) => (await ask(at(`proof/${id}`))).json<Proof>();
  /** The ids of rows across the whole log, of every type. */
  const sampleEntries = async () => {
    const sent = await post(`${service().url}/api/benchmark/submit`, submission());
    const { size } = openHead(await checkpoint());
    const leaves = [0, 1, 255, 256, 257, 1023, 1024, size >> 1, size - 2];
    const rows = await Promise.all(leaves.map((leaf) => entry(leaf)));
    return [...rows.map(({ id }) => id), String(sent.json().submission_id)];
  };

  test('a day of history verifies, and so do the rows that a later slot adds', {
    timeout: 120_000,
  }, async () => {
    const before = await checkpoint();
    const first = await verify();
    assert.ok(first.ok, JSON.stringify(first));
    const { prediction = 0, line = 0, silence = 0, reveal = 0, verdict = 0 } = first.entries;
    assert.equal(prediction + line + silence + reveal + verdict, first.size);
    assert.ok(
      silence > 80 && verdict > 80 && reveal > 650 && prediction > reveal,
      JSON.stringify(first.entries),
    );
    service().clock.now = NOON + SLOT;
    await runDue(service().pipeline, NOON + SLOT);
    await post(
      `${service().url}/api/benchmark/submit`,
      submission({ prediction_window_end: iso(NOON + 4 * HOUR) }),
    );
    const second = await verify(before);
    assert.ok(second.ok, JSON.stringify(second));
    assert.ok(second.size > first.size + sealedBySlot);
    assert.deepEqual([second.entries.submission, second.withheld], [1, 1]);
    assert.deepEqual(
      [first.sealed_before_outcome, first.written_afterwards],
      [0, prediction + line + silence],
    );
    assert.ok(second.sealed_before_outcome > sealedBySlot);
    assert.equal(second.written_afterwards, first.written_afterwards);
  });

  test('proofs of inclusion lead to the signed root', async () => {
    for (const id of await sampleEntries()) {
      const { leaf_index: index, leaf_hash: leaf, tree_size: size, proof, checkpoint } = await fetchProof(id);
      const head = openHead(checkpoint);
      assert.equal(head.size, size);
      assert.ok(verifyInclusion({ index, size, leaf, root: head.root, proof }), id);
      assert.ok(!verifyInclusion({ index: index + 1, size, leaf, root: head.root, proof }), id);
    }
    for (const id of ['nothing', '..%2f..%2fetc', '%00', 'x'.repeat(500)]) {
      assert.ok([400, 404].includes((await ask(at(`proof/${id}`))).status), id);
    }
  });

  test('proofs of consistency lead from any size to any later one', async () => {
    const { size } = openHead(await checkpoint());
    const notes = await service().store.all<{ note: string }>('select note from ledger_checkpoints');
    const heads = notes.map(({ note }) => openHead(note));
    assert.ok(heads.length > 2);
    const to = heads.find((head) => head.size === size) ?? assert.fail();
    for (const from of heads) {
      const reply = (await ask(at(`consistency?from=${from.size}&to=${size}`))).json<{ proof: string[] }>();
      const claim = { from: from.size, to: size, fromRoot: from.root, toRoot: to.root, proof: reply.proof };
      assert.ok(verifyConsistency(claim), `${from.size}`);
    }
    const refused: [query: string, status: number][] = [
      ['', 400],
      ['from=', 400],
      ['from=-1', 400],
      ['from=1e3', 400],
      [`from=${size + 1}`, 400],
      [`from=2&to=1`, 400],
      ['from=99999999999999999999', 400],
      ['from=1&from=2', 400],
      [`from=0&to=${size}`, 200],
      [`from=${size}&to=${size}`, 200],
    ];
    for (const [query, status] of refused)
      assert.equal((await ask(at(`consistency?${query}`))).status, status, query);
  });

  test('an independent implementation accepts both kinds of proof', { skip }, async () => {
    assert.ok(independent);
    for (const id of await sampleEntries()) {
      const { leaf_index, leaf_hash, tree_size, proof, checkpoint } = await fetchProof(id);
      const inclusion = { log_id: '', tree_size, leaf_index, inclusion_path: proof.map(bytes) };
      const root = bytes(openHead(checkpoint).root);
      assert.equal(await independent.verifyInclusionProof(root, bytes(leaf_hash), inclusion), true, id);
      const other = { ...inclusion, leaf_index: leaf_index ^ 1 };
      assert.equal(await independent.verifyInclusionProof(root, bytes(leaf_hash), other), false, id);
    }
    const notes = await service().store.all<{ note: string }>(
      'select note from ledger_checkpoints order by size',
    );
    const heads = notes.map(({ note }) => openHead(note));
    const to = heads.at(-1) ?? assert.fail();
    // The tile above the leaves has the roots of the trees whose size is a power of two.
    const above = Buffer.from(await (await fetch(at('tile/1/000.p/4'))).arrayBuffer());
    const perfectTrees = [1, 2, 4].map((tiles) => ({
      size: tiles * 256,
      root: subtreeRoot(above, 0, tiles),
    }));
    for (const from of [...perfectTrees, ...heads.slice(0, -1)]) {
      const { proof } = (await ask(at(`consistency?from=${from.size}&to=${to.size}`))).json<{
        proof: string[];
      }>();
      // RFC 9162 leaves the old root out when it is a node of the new tree; this implementation requires it.
      const perfect = Number.isInteger(Math.log2(from.size));
      const consistency_path = (perfect ? [from.root, ...proof] : proof).map(bytes);
      const consistency = { log_id: '', tree_size_1: from.size, tree_size_2: to.size, consistency_path };
      const [old, root] = [bytes(from.root), bytes(to.root)];
      const claim = { from: from.size, to: to.size, fromRoot: from.root, toRoot: to.root, proof };
      assert.ok(verifyConsistency(claim), `${from.size}`);
      assert.equal(await independent.verifyConsistencyProof(old, root, consistency), true, `${from.size}`);
    }
  });

  test('full and partial tiles are immutable', async () => {
    const { size } = openHead(await checkpoint());
    const [last, width] = [Math.floor(size / 256), size % 256];
    const index = String(last).padStart(3, '0');
    for (const path of [
      'tile/0/000',
      'tile/entries/000',
      `tile/1/000.p/${last}`,
      `tile/0/${index}.p/${width}`,
    ]) {
      const reply = await ask(at(path));
      assert.equal(reply.status, 200, path);
      assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable', path);
    }
    const hashes = async (path: string) => Buffer.from(await (await fetch(at(path))).arrayBuffer());
    const whole = await hashes('tile/0/000');
    assert.equal(whole.length, 256 * 32);
    for (const part of [1, 7, 255])
      assert.deepEqual(await hashes(`tile/0/000.p/${part}`), whole.subarray(0, part * 32));
    assert.equal((await ask(at(`tile/0/${index}.p/${width + 1}`))).status, 404);
    assert.equal((await ask(at(`tile/0/${index}`))).status, 404);
    for (const path of ['checkpoint', 'key'])
      assert.match(String((await ask(at(path))).headers['cache-control']), /^public, max-age=5$/);
  });

  test('a tile is served under an encoded path too, and is not kept for ever under that', async () => {
    const width = openHead(await checkpoint()).size % 256;
    const partial = `tile/0/${String(Math.floor(openHead(await checkpoint()).size / 256)).padStart(3, '0')}.p`;
    for (const [path, other] of [
      ['tile/0/000', 'tile/0%2F000'],
      ['tile/0/000', 'tile/%30%2f000'],
      ['tile/0/000', 'tile/0/000?x=1'],
      ['tile/entries/000', 'tile/entries%2F000'],
      [`${partial}/${width}`, `${partial.replace('tile/0/', 'tile/0%2F')}%2F${width}`],
    ] as const) {
      const [plain, encoded] = [await ask(at(path)), await ask(at(other))];
      assert.deepEqual([encoded.status, encoded.text], [200, plain.text], other);
      assert.equal(encoded.headers['cache-control'], 'public, max-age=5', other);
    }
  });

  test('a malformed path to a tile or a detached payload is a 400 or 404, never an error of the service', async () => {
    const hostile = [
      ...['', '0', '0/', '0/0', '0/00', '0/0000', '7/000', '-1/000', '0/x000/000', '0/000/', '0/000.p'],
      ...[
        '0/000.p/0',
        '0/000.p/256',
        '0/000.p/257',
        '0/000.p/01',
        '0/000.p/1/2',
        '0/x999/x999/x999/x999/999',
      ],
      ...['0/x999/x999/x999/x999/x999/999', 'entries/x001/000', 'entries/abc', 'data/000', '0%252F000'],
      ...['..%2f..%2fkey', '0/000%00', '0/٠٠٠', '0/1e3', '9'.repeat(2000)],
    ];
    for (const path of hostile)
      assert.ok(
        [400, 404].includes((await ask(at(`tile/${encodeURI(path).replaceAll('%25', '%')}`))).status),
        path,
      );
    for (const hash of ['', '0', 'g'.repeat(64), 'A'.repeat(64), '0'.repeat(64), '0'.repeat(65), '..%2fkey'])
      assert.equal((await ask(at(`detached/${hash}`))).status, 404, hash);
  });

  test('no entry can be deleted', async () => {
    for (const table of ['ledger_entries', 'ledger_bundles'])
      await assert.rejects(change(service().store, `delete from ${table}`), /append-only/);
  });

  // The verifier asks over HTTP, by the statements that both engines have run above: what it finds in edited rows is tested
  // on one.
  if (engine === 'postgres') return;

  test('an edited or deleted row and an altered tile are each found and named', {
    timeout: 180_000,
  }, async () => {
    const { store } = service();
    await dropGuards(store);
    const edits: [field: 'calm' | 'completeness' | 'revealed_at', type: EntryType][] = [
      ['completeness', 'prediction'],
      ['calm', 'silence'],
      ['revealed_at', 'reveal'],
      ['revealed_at', 'verdict'],
    ];
    for (const [field, type] of edits) {
      const row = (await storedEntries(store, type)).find(({ leaf }) => leaf > 1000);
      assert.ok(row, type);
      const edited = row.payload.replace(new RegExp(`"${field}":("[^"]*"|[0-9.]+)`), `"${field}":0.5`);
      assert.notEqual(edited, row.payload);
      await editPayload(store, row.leaf, edited);
      assert.deepEqual(verdictPlace(await verify()), ['wrong_leaf', { leaf: row.leaf, id: row.id }], type);
      await editPayload(store, row.leaf, row.payload);
    }

    let gone = '';
    const at = 700 % TILE_WIDTH;
    await editBundle(store, bundleOfLeaf(700), (lines) => {
      gone = lines[at] ?? '';
      return lines.toSpliced(at, 1);
    });
    // Without it the entries make no tile.
    assert.deepEqual(verdictPlace(await verify()), ['wrong_tile', { leaf: 700 - at }]);
    await editBundle(store, bundleOfLeaf(700), (lines) => lines.toSpliced(at, 0, gone));

    const alterEdge = async (level: number, hash: number) => {
      const edge = await store.get<{ hashes: string }>(
        'select hashes from ledger_edges where level = ?',
        level,
      );
      assert.ok(edge);
      const altered = Buffer.from(edge.hashes, 'base64');
      altered[hash * 32] = (altered[hash * 32] ?? 0) ^ 1;
      const setEdge = 'update ledger_edges set hashes = ? where level = ?';
      await change(store, setEdge, altered.toString('base64'), level);
      const found = verdictPlace(await verify());
      await change(store, setEdge, edge.hashes, level);
      return found;
    };
    const { size } = (await store.get<{ size: number }>('select size from ledger_size')) ?? assert.fail();
    const leaf = size - (size % TILE_WIDTH) + 10;
    assert.deepEqual(await alterEdge(0, 10), ['wrong_leaf', { leaf, id: (await entry(leaf)).id }]);
    assert.deepEqual(await alterEdge(1, 2), ['wrong_tile', { leaf: 2 * TILE_WIDTH }]);
    assert.ok((await verify()).ok);
  });

  test('the verify command exits with 0 when all is valid, 1 naming the row, 2 for a usage error', {
    timeout: 180_000,
  }, async (t) => {
    const { store, url } = service();
    const folder = await mkdtemp(join(tmpdir(), 'pocketwatch-test-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const saved = join(folder, 'checkpoint');
    const here = (...args: string[]) => runHere(t, ['verify', ...args]);
    const whole = await run(['verify', url, '--save', saved]);
    assert.deepEqual(
      [
        whole.status,
        /^verified \d+ rows; root \S+\n\d+ sealed before their outcome, \d+ written afterwards; \d+ are reveals/.test(
          whole.stderr,
        ),
      ],
      [0, true],
      whole.stderr,
    );
    assert.equal((await here(url, '--since', saved)).status, 0);

    const { id, payload } = await entry(42);
    await editPayload(store, 42, '{}');
    const edited = await run(['verify', url]);
    await editPayload(store, 42, payload);
    assert.equal(edited.status, 1);
    assert.match(edited.stderr, new RegExp(`leaf 42, ${id}: .* \\(wrong_leaf\\)`));

    assert.equal((await here('http://127.0.0.1:9')).status, 1);
    writeFileSync(saved, 'not a checkpoint');
    assert.equal((await here(url, '--since', saved)).status, 1);
    for (const args of [[], ['ftp://x'], [url, url], [url, '--since', join(folder, 'none')], [url, '--fast']])
      assert.equal((await here(...args)).status, 2, args.join(' '));
  });

  test('a log rewritten and signed again verifies alone, and fails against an earlier checkpoint', {
    timeout: 180_000,
  }, async () => {
    const { store } = service();
    const since = await checkpoint();
    const unjudged = (await storedEntries(store, 'silence')).find(({ leaf }) => leaf > 100);
    await rewriteLog(store, (entries) =>
      entries.map((entry) =>
        entry.leaf === unjudged?.leaf
          ? { ...entry, payload: { ...entry.payload, candidate_confidence: 0.999 } }
          : entry,
      ),
    );
    // The table beside the log tells until it is made to fit.
    assert.deepEqual(verdictPlace(await verify()), ['wrong_row', { leaf: unjudged?.leaf, id: unjudged?.id }]);
    await dropGuards(store, ['silence_figures']);
    await change(
      store,
      'update silence_figures set candidate_confidence_milli = 999 where leaf = ?',
      unjudged?.leaf ?? -1,
    );
    const alone = await verify();
    assert.ok(alone.ok, JSON.stringify(alone));
    assert.deepEqual(verdictPlace(await verify(since)), ['rewritten', {}]);
  });
});
