// A full disk stops writing, and nothing else: it is told once, what can be read is answered, and when there is room the
// service goes on by itself, with nothing lost and nothing twice.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkStore } from '../../../scripts/faults/log-check.ts';
import { SLOT, slotStart } from '../../../src/domain/time/slot.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import { storeFaults } from '../../../src/store/engine/store.ts';
import { noSmallDisk, type SmallDisk, smallDisk } from '../../support/disks/small-disk.ts';
import { beginShortHistory } from '../../support/pipeline/short-history.ts';
import { currentSubmission } from '../../support/rows/benchmark-submission.ts';
import { post } from '../../support/services/http-client.ts';
import {
  listen,
  readiness,
  runHere,
  serviceEnvironment,
  shiftedClocks,
  untilReady,
} from '../../support/services/processes.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { embeddedBinaries, installedBinaries } from '../../support/stores/postgres-binaries.ts';
import { ordinaryUser, sparePort, startCluster } from '../../support/stores/postgres-cluster.ts';
import { noPostgres, type StorePlace } from '../../support/stores/store-places.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const [binaries] = [...installedBinaries(), ...(await embeddedBinaries())];
/** So much is left at first: enough for the tables, and too little for the history. */
const TOO_LITTLE = 256 * 1024;

interface Place extends StorePlace {
  disk: SmallDisk;
}

async function sqlitePlace(t: TestContext): Promise<Place> {
  const disk = smallDisk(t, 64);
  const dataDir = join(disk.path, 'data');
  return { databaseUrl: undefined, dataDir, remove: async () => undefined, disk };
}

/** The tables are on the small disk; the write-ahead log, without which a server stops, is not. */
async function postgresPlace(t: TestContext): Promise<Place> {
  const cluster = await startCluster(binaries ?? assert.fail());
  t.after(() => cluster.stop());
  const disk = smallDisk(t, 96);
  const tables = join(disk.path, 'tables');
  mkdirSync(tables);
  const { uid, gid } = ordinaryUser();
  spawnSync('chown', [`${uid}:${gid}`, tables]);
  spawnSync('chmod', ['755', disk.path]);
  await onServer(cluster.url, `create tablespace small location '${tables}'`);
  await onServer(cluster.url, 'create database small tablespace small');
  const url = new URL(cluster.url);
  url.pathname = '/small';
  const dataDir = mkdtempSync(join(tmpdir(), 'pocketwatch-full-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return { databaseUrl: url.href, dataDir, remove: async () => undefined, disk };
}

/** Instead of the 20 seconds after which the service tries again what the disk had no room for. */
const LONGEST_SLEEP_MS = 1_000;

/** The clock of the service is a slot behind the real one until the file exists. */
const clockUntil = (file: string) =>
  shiftedClocks(
    `() => process.getBuiltinModule('fs').existsSync(${JSON.stringify(file)}) ? 0 : -${SLOT}`,
    LONGEST_SLEEP_MS,
  );

const stopped = /the disk of the (?:store in|database small at) \S+ is full: nothing is written/;
const resumed = /the disk of the (?:store in|database small at) \S+ has room again: writing resumed/;
/** Lines of the log that are warnings or worse; but for a run that had begun when the test set the clock. */
const warnings = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { type: string } })
    .filter(({ level, err }) => level >= 40 && err?.type !== 'ClockError')
    .map(({ msg }) => msg);

async function until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    await delay(200);
  }
}

const suites = [
  ['SQLite', sqlitePlace, noSmallDisk],
  ['PostgreSQL', postgresPlace, noSmallDisk || (!binaries && noPostgres)],
] as const;

for (const [engine, makePlace, skip] of suites)
  describe(`a full disk, on ${engine}`, { skip }, () => {
    test('stops writing with a line, answers go on, and writing resumes when there is room', async (t) => {
      const place = await makePlace(t);
      const { disk } = place;
      await beginShortHistory(place, Date.now() - SLOT);
      const clock = join(tmpdir(), `pocketwatch-clock-${process.pid}-${engine}`);
      t.after(() => rmSync(clock, { force: true }));
      const metricsPort = await sparePort();
      /** The service has a clock of its own until the test sets it. */
      const commands = serviceEnvironment(place);
      const environment = {
        ...commands,
        NODE_OPTIONS: clockUntil(clock),
        METRICS_PORT: `${metricsPort}`,
        SUBMIT_RATE_LIMIT: '0',
      };

      // While the first history is written.
      disk.fill(TOO_LITTLE);
      const { url, output, child, closed } = await listen(t, environment);
      const { ready, status, reason } = await until(
        () => readiness(url),
        (seen) => seen.reason !== undefined,
      );
      assert.deepEqual([ready, status], [false, 503]);
      assert.match(reason ?? '', new RegExp(`^${storeFaults.full}, since 20`));
      assert.equal((await fetch(`${url}/`)).status, 200);
      disk.empty();
      await untilReady(url);
      await until(
        () => readiness(url),
        (seen) => seen.reason === undefined,
      );
      const toldSoFar = async (...expected: RegExp[]) => {
        // The log is written within a quarter of a second.
        const lines = await until(
          async () => warnings(output.stdout),
          ({ length }) => length >= expected.length,
        );
        assert.equal(lines.length, expected.length, output.stdout);
        for (const [n, line] of lines.entries()) assert.match(line, expected[n] ?? /^$/);
      };
      await toldSoFar(stopped, resumed);

      const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      // The jobs that are due after a history are over: what they write would tell that there is room.
      await until(metrics, (text) => /^pocketwatch_slots_total\{.*outcome="ran".*\} [1-9]/m.test(text));

      // While submissions are taken.
      const receipts: { name: string; id: string }[] = [];
      const submit = async (n: number) => {
        const name = `a system ${n}`;
        const body = { ...currentSubmission('holland'), submitter_name: name };
        const reply = await post(`${url}/api/benchmark/submit`, body);
        if (reply.status === 200)
          receipts.push({ name, id: reply.json<{ submission_id: string }>().submission_id });
        return reply;
      };
      assert.equal((await submit(0)).status, 200);
      disk.fill();
      let count = 1;
      const refused = await until(
        () => submit(count++),
        ({ status }) => status !== 200,
      );
      assert.equal(refused.status, 503);
      assert.equal(refused.headers['retry-after'], '60');
      assert.deepEqual(refused.json().error, storeFaults.full);
      const full = await readiness(url);
      assert.deepEqual([full.status, full.ready], [200, true]);
      assert.match(full.reason ?? '', new RegExp(`^${storeFaults.full}, since 20`));

      // While a slot is due, which is tried again until there is room.
      const due = slotStart(Date.now());
      writeFileSync(clock, '');
      await until(metrics, (text) => /^pocketwatch_slots_total\{.*outcome="failed".*\} [1-9]/m.test(text));
      assert.match(await metrics(), /^pocketwatch_store_full 1$/m);
      // The last two are computed by a thread that opens the store anew.
      for (const path of [
        ...['/', '/status', '/pocket/holland', '/ledger', '/api/pockets', '/api/atmosphere?pocket=holland'],
        ...['/api/checkpoint', '/api/silence-ledger?hours=720', '/api/atmosphere?format=csv'],
      ]) {
        const answer = await fetch(`${url}${path}`);
        await answer.text();
        assert.ok(answer.status < 500, `${path}: ${answer.status}`);
      }
      const heartbeat = (await (await fetch(`${url}/api/heartbeat`)).json()) as {
        checks: { name: string; status: string; value: string }[];
      };
      const worker = heartbeat.checks.find(({ name }) => name === 'agent worker');
      assert.equal(worker?.status, 'red');
      assert.match(worker?.value ?? '', /^the disk of the store has been full for \d+ minutes?$/);
      await toldSoFar(stopped, resumed, stopped);

      // A backup goes to another disk, or says that its own is full and leaves nothing.
      const elsewhere = mkdtempSync(join(tmpdir(), 'pocketwatch-copy-'));
      t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
      const copied = await runHere(t, ['backup', join(elsewhere, 'copy')], commands);
      assert.equal(copied.status, 0, copied.stderr);
      const there = join(disk.path, 'copies');
      mkdirSync(there, { recursive: true });
      const uncopied = await runHere(t, ['backup', join(there, 'copy')], commands);
      assert.deepEqual(
        [uncopied.status, uncopied.stderr],
        [1, `pocketwatch: the disk of ${there} is full: make room there; nothing of ${there}/copy is left\n`],
      );
      assert.deepEqual(readdirSync(there), []);

      // Another version is started, which would record that it runs.
      const other = await listen(t, {
        ...environment,
        PIPELINE: 'off',
        METRICS_PORT: '',
        BUILD_ID: 'another build',
      });
      assert.equal((await fetch(`${other.url}/api/atmosphere?pocket=holland`)).status, 200);
      assert.deepEqual((await readiness(other.url)).ready, true);
      other.child.kill('SIGTERM');
      await other.closed;

      disk.empty();
      await until(
        () => readiness(url),
        (seen) => seen.reason === undefined,
      );
      assert.equal((await submit(count)).status, 200);
      await toldSoFar(stopped, resumed, stopped, resumed);
      assert.doesNotMatch(output.stderr, /not kept/);
      const store = openStore(place);
      t.after(() => store.close());
      const ran = await store.all(`select slot from job_runs where job = 'atmosphere' and slot >= ?`, due);
      assert.ok(ran.length > 0, 'the slot was caught up');
      assert.deepEqual(await checkStore(store, receipts), { lost: [], doubled: [] });
      const verified = await runHere(t, ['verify', url], commands);
      assert.equal(verified.status, 0, verified.stderr);
      child.kill('SIGTERM');
      await closed;
    });
  });

test('a start on a full disk, on SQLite, says where to make room', { skip: noSmallDisk }, async (t) => {
  const place = await sqlitePlace(t);
  const environment = serviceEnvironment(place);
  await beginShortHistory(place);
  place.disk.fill();
  const { status, stderr } = await runHere(t, ['serve'], environment);
  assert.deepEqual(
    [status, stderr],
    [1, `pocketwatch: the disk of ${place.dataDir} is full: make room there (disk I/O error)\n`],
  );
});

test('a log on a full disk ends neither the service nor its pipeline', {
  skip: !existsSync('/dev/full') && 'no /dev/full',
}, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pocketwatch-full-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const place = { databaseUrl: undefined, dataDir, remove: async () => undefined };
  await beginShortHistory(place);
  const port = await sparePort();
  const log = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...process.env, ...serviceEnvironment(place), HOST: '127.0.0.1', PORT: `${port}` },
    stdio: ['ignore', log, log],
  });
  t.after(() => child.kill('SIGKILL'));
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => fetch(`${url}/api/ready`).catch(() => undefined),
    (answer) => answer?.ok || child.exitCode !== null,
  );
  assert.equal((await fetch(`${url}/`)).status, 200);
  assert.equal(child.exitCode, null);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
