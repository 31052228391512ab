// The service as processes over a primary and a streaming replica: what it answers while one of them lags, stops or is
// promoted, without a restart of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { beginShortHistory } from '../../support/pipeline/short-history.ts';
import {
  type ClusterPair,
  noReplication,
  replicatedBinaries,
  startPair,
} from '../../support/replication/cluster-pair.ts';
import { currentSubmission } from '../../support/rows/benchmark-submission.ts';
import { ask, post } from '../../support/services/http-client.ts';
import {
  listen,
  type Readiness,
  runHere,
  serve,
  serviceEnvironment,
} from '../../support/services/processes.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';

const binaries = await replicatedBinaries();

interface ReplicaReadiness extends Readiness {
  replica?: { answers: boolean; seconds_behind: number | null };
}

describe('a service over a primary and a replica', { skip: !binaries && noReplication }, () => {
  let pair: ClusterPair;
  let url: string;
  let environment: Record<string, string>;
  const dataDir = mkdtempSync(join(tmpdir(), 'pocketwatch-replica-'));
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.push(end) };
  before(async () => {
    pair = await startPair(binaries ?? assert.fail());
    const place = { databaseUrl: pair.both, dataDir, remove: async () => undefined };
    await beginShortHistory(place);
    environment = {
      ...serviceEnvironment(place),
      READ_DATABASE_URL: pair.replica.url,
      SUBMIT_RATE_LIMIT: '0',
    };
    ({ url } = await serve(t, environment));
  });
  after(async () => {
    for (const end of ends) await end();
    await pair.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const readiness = async () => (await ask(`${url}/api/ready`)).json<ReplicaReadiness>();
  async function untilReady(is: (seen: ReplicaReadiness) => boolean): Promise<ReplicaReadiness> {
    for (let tries = 0; ; tries++) {
      const seen = await readiness();
      if (is(seen)) return seen;
      if (tries === 300) assert.fail(JSON.stringify(seen));
      await delay(50);
    }
  }
  const answers = ({ replica }: ReplicaReadiness) => replica?.answers === true;
  const computedAt = async (path: string) => {
    const reply = await ask(`${url}${path}`);
    assert.equal(reply.status, 200, reply.text);
    return Date.parse(reply.json<{ _meta: { computed_at: string } }>()._meta.computed_at);
  };
  const submit = () => post(`${url}/api/benchmark/submit`, currentSubmission('holland'));
  const submitted = async (server: string) =>
    Number((await onServer<{ n: string }>(server, 'select count(*) as n from submissions'))[0]?.n);

  test('a submission can be read back while the replica lacks it, and answers say how old they are', async () => {
    await untilReady(answers);
    await pair.caughtUp();
    await pair.pause();
    const paused = Date.now();
    const reply = await submit();
    assert.equal(reply.status, 200, reply.text);
    const id = String(reply.json().submission_id);
    const written = Date.now();
    assert.deepEqual([await submitted(pair.primary.url), await submitted(pair.replica.url)], [1, 0]);
    for (const path of [`/api/benchmark/scores/${id}`, `/api/ledger/proof/${id}`, `/ledger/${id}`])
      assert.equal((await ask(`${url}${path}`)).status, 200, path);
    assert.equal((await ask(`${url}/api/ledger/proof/${id.replace(/^./, 'x')}`)).status, 404);
    await delay(1_500);
    assert.ok(answers(await readiness()), 'it is still within the bound');
    // The second is computed by the thread of heavy answers.
    for (const path of ['/api/heartbeat', '/api/trust']) {
      const at = await computedAt(path);
      assert.ok(at > paused - 10_000 && at <= written, `${path} ${paused} ${at} ${written}`);
    }
    await pair.resume();
    await pair.caughtUp();
    await untilReady(({ replica }) => replica?.seconds_behind === 0);
    assert.ok((await computedAt('/api/heartbeat')) > written);
  });

  test('a replica that stops is told of, answers go on, and it is read again when it is back', async () => {
    await pair.replica.halt('fast');
    assert.equal((await ask(`${url}/api/heartbeat`)).status, 200);
    const { reason } = await untilReady((seen) => !answers(seen));
    assert.equal(reason, 'the replica cannot be reached: answers come from the primary');
    const { checks } = (await ask(`${url}/api/heartbeat`)).json<{
      checks: { name: string; value: string }[];
    }>();
    assert.match(checks[0]?.value ?? '', /the replica cannot be reached/);
    assert.equal((await submit()).status, 200);
    await pair.replica.start();
    const { reason: none } = await untilReady(answers);
    assert.equal(none, undefined);
  });

  test('a process that knows the replica alone answers, and writes nothing', async (t) => {
    const { DATABASE_URL: _, ...reading } = environment;
    const other = await listen(t, { ...reading, PIPELINE: 'off' });
    const own = await ask(`${other.url}/api/heartbeat`);
    assert.equal(own.status, 200, own.text);
    assert.equal((await ask(`${other.url}/api/ledger/key`)).text, (await ask(`${url}/api/ledger/key`)).text);
    const refused = await post(`${other.url}/api/benchmark/submit`, currentSubmission('holland'));
    assert.deepEqual(
      [refused.status, refused.json()],
      [503, { error: 'this process only reads: another one of the service takes what is to be written' }],
    );
    other.child.kill('SIGTERM');
    assert.equal((await other.closed)[0], 0);
    const serving = await runHere(t, ['serve'], reading);
    const command = await runHere(t, ['outlet', 'list'], reading);
    assert.match(serving.stderr, /without DATABASE_URL this process only reads: set PIPELINE=off/);
    assert.match(command.stderr, /this process only reads: .*; set DATABASE_URL/);
  });

  test('while the primary is away answers go on and submissions get a 503; after the promotion all goes on', async (t) => {
    await pair.caughtUp();
    const before = await submitted(pair.replica.url);
    await pair.primary.halt('immediate');
    const stopped = Date.now();
    const { reason, ready } = await untilReady(({ reason }) => reason?.startsWith('the primary') ?? false);
    assert.ok(ready);
    assert.match(
      reason ?? '',
      /^the primary cannot be reached: nothing is written, and answers come from the replica/,
    );
    assert.ok((await computedAt('/api/heartbeat')) <= stopped);
    assert.equal((await submit()).status, 503);
    await pair.promote();
    await untilReady(({ reason }) => reason === undefined);
    const reply = await submit();
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await submitted(pair.replica.url), before + 1);
    assert.ok((await computedAt('/api/heartbeat')) > stopped);
    // The first server that the address names is away.
    const copy = await runHere(t, ['backup', join(dataDir, 'copy')], environment);
    assert.equal(copy.status, 0, copy.stderr);
    const { status, stdout, stderr } = await runHere(t, ['verify', url]);
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
});
