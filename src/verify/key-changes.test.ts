import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../test/support/services/verify-ledger.ts';
import { createSigner, privateKeyFromSeed, type Signer } from '../ledger/key.ts';
import type { KeyChange } from '../ledger/key-change.ts';
import type { FetchBytes } from './source.ts';
import { prediction, servedLog, signer } from './testing/served-log.ts';
import type { Verdict } from './verify-ledger.ts';

const seededSigner = (seed: number, name = signer.name): Signer =>
  createSigner(name, privateKeyFromSeed(Buffer.alloc(32, seed)));
const [second, third] = [seededSigner(2), seededSigner(3)];
const verdictCode = (verdict: Verdict) => (verdict.ok ? 'ok' : verdict.code);

/** Entries before, between and after changes of the key; with the checkpoint and the key that came before each. */
function changedLog(next: readonly Signer[], lost: readonly number[] = []) {
  const log = servedLog();
  const earlier: { since: string; key: string }[] = [];
  for (const [i, key] of next.entries()) {
    log.append(Array.from({ length: 200 }, (_, n) => prediction(i * 200 + n)));
    earlier.push({ since: log.checkpoint(), key: log.key });
    log.changeKey(key, lost.includes(i));
  }
  log.append([prediction(next.length * 200)]);
  return { log, earlier };
}

test('a log whose key was changed verifies, also against checkpoints and with keys from before', async () => {
  const { log, earlier } = changedLog([second, third]);
  for (const options of [{}, { key: log.key }, ...earlier, ...earlier.map(({ since }) => ({ since }))]) {
    const verdict = await verifyLedger({ fetch: log.fetch, ...options });
    assert.ok(verdict.ok, JSON.stringify(verdict));
    assert.deepEqual(verdict.entries, { prediction: 401, key: 2 });
    assert.equal(verdict.key, third.verifierKey);
    assert.deepEqual(verdict.key_changes, [
      { leaf: 200, old_key: signer.verifierKey, new_key: second.verifierKey, endorsed: true },
      { leaf: 401, old_key: second.verifierKey, new_key: third.verifierKey, endorsed: true },
    ]);
  }
});

test('a key that was lost is reported, and nobody who has only that key accepts the new one', async () => {
  const { log, earlier } = changedLog([second, third], [0]);
  const verdict = await verifyLedger({ fetch: log.fetch });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual(
    verdict.key_changes.map(({ endorsed }) => endorsed),
    [false, true],
  );
  const codes = earlier.map(async ({ key }) => verdictCode(await verifyLedger({ fetch: log.fetch, key })));
  assert.deepEqual(await Promise.all(codes), ['bad_signature', 'ok']);
  // The checkpoint from before still proves that nothing under it was rewritten.
  assert.equal(verdictCode(await verifyLedger({ fetch: log.fetch, since: earlier[0]?.since ?? '' })), 'ok');
});

test('a log rewritten before a change of the key is found by a checkpoint from before it', async () => {
  const { earlier } = changedLog([second]);
  const rewritten = servedLog();
  rewritten.append(Array.from({ length: 200 }, (_, n) => prediction(n + 1)));
  rewritten.changeKey(second);
  const since = earlier[0]?.since ?? '';
  assert.equal(verdictCode(await verifyLedger({ fetch: rewritten.fetch, since })), 'rewritten');
  const stranger = servedLog(third);
  assert.equal(verdictCode(await verifyLedger({ fetch: stranger.fetch, since })), 'bad_signature');
});

test('a change of the key that is forged, of another log or out of order is refused', async () => {
  const other = seededSigner(2, 'other.example/ledger');
  const endorsementBy = (by: Signer) => {
    const log = servedLog(by);
    let endorsement: string | null = null;
    log.changeKey(third, false, (change) => {
      endorsement = change.endorsement;
      return change;
    });
    return endorsement;
  };
  const cases: [what: string, edit: (change: KeyChange) => object, code: string][] = [
    ['as it is', (change) => change, 'ok'],
    ['signed by a stranger', (change) => ({ ...change, endorsement: endorsementBy(third) }), 'bad_key'],
    ['signed for another key', (change) => ({ ...change, endorsement: endorsementBy(signer) }), 'bad_key'],
    [
      'with a signature that does not fit',
      (change) => ({ ...change, endorsement: change.endorsement?.replace('key-2', 'key-3') }),
      'bad_signature',
    ],
    ['without an endorsement', ({ endorsement: _, ...change }) => change, 'bad_key'],
    [
      'to another key than the one that signs',
      (change) => ({ ...change, new_key: third.verifierKey }),
      'bad_key',
    ],
    ['to no key', (change) => ({ ...change, new_key: 'x' }), 'bad_key'],
    ['of another log', (change) => ({ ...change, origin: other.name }), 'bad_key'],
    ['from a key of another log', (change) => ({ ...change, old_key: other.verifierKey }), 'bad_key'],
  ];
  for (const [what, edit, code] of cases) {
    const log = servedLog();
    log.append([prediction(0)]);
    log.changeKey(second, false, edit);
    assert.equal(verdictCode(await verifyLedger({ fetch: log.fetch })), code, what);
  }
  const log = servedLog();
  log.changeKey(second, true);
  log.changeKey(third, true, (change) => ({ ...change, old_key: signer.verifierKey }));
  assert.equal(
    verdictCode(await verifyLedger({ fetch: log.fetch })),
    'bad_key',
    'not the key that was in force',
  );
});

test('a key that is changed while it is asked for is no fault, and the reason names the checkpoint', async () => {
  const log = servedLog();
  log.append(Array.from({ length: 20 }, (_, n) => prediction(n)));
  let asked = 0;
  const changing: FetchBytes = async (path, limit) => {
    // The checkpoint was read already.
    if (path === 'key' && asked++ === 0) log.changeKey(second);
    return log.fetch(path, limit);
  };
  const verdict = await verifyLedger({ fetch: changing, settle: 0 });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.key, second.verifierKey);

  // Restored from before the change: it does not know the key that signed since.
  const restored = servedLog();
  restored.append(Array.from({ length: 20 }, (_, n) => prediction(n)));
  const fault = await verifyLedger({ fetch: restored.fetch, since: log.checkpoint(), settle: 0 });
  assert.ok(!fault.ok);
  assert.equal(fault.code, 'bad_signature');
  assert.match(fault.message, /the earlier checkpoint.*older than the key/);
});
