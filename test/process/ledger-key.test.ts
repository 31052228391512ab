// The key of the ledger, with real processes: settings that do not fit the store are refused, and a change of the key is
// an entry of the log, which verifies before and after it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../src/cli/runtime/command.ts';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { createSigner, privateKeyPem } from '../../src/ledger/key.ts';
import { currentKey } from '../../src/store/ledger/ledger-keys.ts';
import { httpFetch } from '../../src/verify/http-fetch.ts';
import { beginShortHistory } from '../support/pipeline/short-history.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { operatorSetup } from '../support/services/operator-commands.ts';
import { listen, runHere } from '../support/services/processes.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { sqlitePlace } from '../support/stores/store-places.ts';
import { testKey } from '../support/stores/test-key.ts';

type CheckProof = (proof: unknown, key: string, seal: string, report: () => void) => Promise<boolean>;
const { check } = (await import(join(import.meta.dirname, '../../src/web/assets/ledger.js'))) as {
  check: CheckProof;
};

const forecasts = () =>
  submission({ prediction_window_start: iso(Date.now()), prediction_window_end: iso(Date.now() + HOUR) });
const submit = async (url: string) => (await post(`${url}/api/benchmark/submit`, forecasts())).status;

const isUsageError = (message: RegExp) => (error: unknown) =>
  error instanceof UsageError && message.test(error.message);

// On one engine: that both change a key is tested beside `publishLedger` and in `src/cli/runtime/ledger`.
test('other settings and a lost key file are refused; the key is rotated, and the log verifies', async (t) => {
  const { place, environment, command, here, store } = await operatorSetup(t, sqlitePlace);
  const serving = { ...environment, PIPELINE: 'off' };
  const keyFile = join(environment.DATA_DIR, 'ledger.key');
  const shown = async () => (await currentKey(store)) ?? assert.fail();
  const refused = async (changed: Record<string, string>, line: RegExp) => {
    const { status, stderr } = await runHere(t, ['tick'], { ...environment, ...changed });
    assert.equal(status, 1, stderr);
    assert.match(stderr, line);
    assert.equal(stderr.split('\n').length, 2, 'one line');
  };

  await assert.rejects(here(['key', 'show']), isUsageError(/the ledger has no key yet/));
  await beginShortHistory(place);
  assert.equal((await command(['backfill'])).status, 0);
  const first = await shown();
  const { stdout } = await command(['key', 'show']);
  assert.equal(
    stdout,
    `origin        pocketwatch\nkey id        ${first.key_id}\nverifier key  ${first.verifier_key}\n`,
  );
  const otherKey = { LEDGER_KEY: privateKeyPem(testKey) };
  await refused(otherKey, new RegExp(`but the ledger's key is ${first.key_id}: set LEDGER_KEY`));
  await refused({ LEDGER_ORIGIN: 'x' }, /this ledger is 'pocketwatch': set LEDGER_ORIGIN=pocketwatch\n/);

  // Changed while a service runs: it goes on reading, publishes the new key, and acknowledges nothing until restarted.
  const before = await listen(t, serving);
  assert.equal(await submit(before.url), 200);
  const sent = forecasts();
  const keyed = (url: string) =>
    post(`${url}/api/benchmark/submit`, sent, { 'idempotency-key': 'before the change' });
  const acknowledged = (await keyed(before.url)).json<{ submission_id: string }>().submission_id;
  const since = (await ask(`${before.url}/api/ledger/checkpoint`)).text;
  const rotated = await here(['key', 'rotate']);
  const second = await shown();
  assert.equal(
    rotated,
    `the ledger's key is ${second.key_id} now (entry key-2); it is in ${keyFile}; restart every process of the service\n`,
  );
  assert.notEqual(second.key_id, first.key_id);
  const kept = `ledger.key.${first.key_id}`;
  assert.deepEqual(
    readdirSync(environment.DATA_DIR).filter((name) => /key/.test(name)),
    ['ledger.key', kept],
  );
  assert.equal((await ask(`${before.url}/api/ledger/key`)).text, `${second.verifier_key}\n`);
  const refusal = await post(`${before.url}/api/benchmark/submit`, forecasts());
  const error =
    "the ledger's key was changed: nothing is sealed until this process is restarted with the new key";
  assert.deepEqual([refusal.status, refusal.json().error], [503, error]);
  const { checks } = (await ask(`${before.url}/api/heartbeat`)).json<{
    checks: { name: string; status: string; value: string; hint: string }[];
  }>();
  const { status, value, hint } = checks.find(({ name }) => name === 'agent worker') ?? assert.fail();
  assert.deepEqual([status, value], ['red', 'the key of the ledger was changed']);
  assert.match(hint, /^restart every process of the service with the new key/);
  // A process that still has the old key is told that it was replaced, not to replace it.
  await refused(
    { LEDGER_KEY: readFileSync(join(environment.DATA_DIR, kept), 'utf8') },
    new RegExp(
      `^pocketwatch: LEDGER_KEY has the key ${first.key_id}, which the entry key-2 replaced; the ledger's key is ${second.key_id} now: give this process that key, as LEDGER_KEY or as .*ledger.key\n$`,
    ),
  );
  before.child.kill('SIGTERM');
  await before.closed;

  // What was acknowledged before the change is known after it.
  const between = await listen(t, serving);
  const again = await keyed(between.url);
  assert.deepEqual([again.status, again.json().submission_id], [200, acknowledged]);
  between.child.kill('SIGTERM');
  await between.closed;

  // A lost key cannot sign the next change, which must be said.
  rmSync(keyFile);
  await refused({}, /ledger\.key is missing, .* run "pocketwatch key rotate --lost"\n/);
  assert.ok(!existsSync(keyFile));
  await assert.rejects(here(['key', 'rotate']), isUsageError(/the old key [0-9a-f]{8} is not available/));
  const lost = await command(['key', 'rotate', '--lost', '--json']);
  const { leaf, ...third } = JSON.parse(lost.stdout);
  assert.deepEqual([third.id, third.old_key_id, third.file], ['key-3', second.key_id, keyFile]);
  await assert.rejects(here(['key', 'rotate', '--lost']), isUsageError(/is available and can sign/));
  await assert.rejects(here(['key', 'rotate', '--key', keyFile]), isUsageError(/key is already [0-9a-f]{8}/));

  const after = await listen(t, serving);
  assert.equal(await submit(after.url), 200);
  const verdict = await verifyLedger({
    fetch: httpFetch(after.url),
    api: httpFetch(after.url, 'api'),
    since,
  });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.key, third.verifier_key);
  assert.deepEqual(
    verdict.key_changes.map(({ endorsed }) => endorsed),
    [true, false],
  );
  assert.equal(verdict.key_changes[1]?.leaf, leaf);
  const told = (await runHere(t, ['verify', after.url])).stderr;
  assert.match(
    told,
    /the key changed, signed by the old key\n.*not signed by the old key, which was lost\n$/,
  );

  // A change is an entry like others: it has a page, and a proof that the browser's script accepts.
  const proof = (await ask(`${after.url}/api/ledger/proof/key-2`)).json<{ payload_hash: string }>();
  const key = (await ask(`${after.url}/api/ledger/key`)).text;
  assert.equal(await check(proof, key, proof.payload_hash, () => undefined), true);
  assert.match((await ask(`${after.url}/ledger/key-2`)).text, /The old key has signed the change/);
  const listed = (await ask(`${after.url}/api/ledger/entries?type=key`)).json<{
    entries: { id: string }[];
  }>();
  assert.deepEqual(
    listed.entries.map(({ id }) => id),
    ['key-3', 'key-2'],
  );
  const history = (await ask(`${after.url}/api/ledger/history`)).json<Record<string, number>>();
  assert.ok(Number(history.reveals) > 0);
  assert.deepEqual(
    [history.key_changes, history.reveals],
    [2, (verdict.entries.reveal ?? 0) + (verdict.entries.verdict ?? 0)],
  );

  // With LEDGER_KEY the key file is not touched, and the operator is told what to set.
  const inForce = readFileSync(keyFile, 'utf8');
  const given = join(environment.DATA_DIR, 'given.pem');
  writeFileSync(given, privateKeyPem(testKey));
  const set = await runHere(t, ['key', 'rotate', '--key', given], { ...environment, LEDGER_KEY: inForce });
  const fourth = await shown();
  assert.equal(fourth.verifier_key, createSigner('pocketwatch', testKey).verifierKey);
  assert.ok(
    set.stderr.includes(`set LEDGER_KEY to the contents of ${keyFile}.${fourth.key_id};`),
    set.stderr,
  );
  assert.equal(readFileSync(keyFile, 'utf8'), inForce);
});
