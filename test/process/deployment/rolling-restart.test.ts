// The deployment of ops/compose as processes: PostgreSQL behind PgBouncer, two processes that answer, two workers, and
// Caddy in front. Every process is restarted, one after the other, while clients go on asking.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { beginShortHistory } from '../../support/pipeline/short-history.ts';
import {
  composeEnvironment,
  hasCaddy,
  noCaddy,
  root,
  startCaddy,
} from '../../support/services/deployment.ts';
import { ask } from '../../support/services/http-client.ts';
import { listen, readiness, serviceEnvironment, untilReady } from '../../support/services/processes.ts';
import { openStream } from '../../support/services/stream-client.ts';
import { hasPgBouncer, noPgBouncer, startPgBouncer } from '../../support/stores/pgbouncer.ts';
import { sparePort } from '../../support/stores/postgres-cluster.ts';
import { noPostgres, postgresPlace, postgresUrl } from '../../support/stores/store-places.ts';

const skip = (!postgresUrl() && noPostgres) || (!hasPgBouncer() && noPgBouncer) || (!hasCaddy() && noCaddy);

const CLIENTS = 4;
const PAUSE_MS = 50;
/** Longer than the interval at which Caddy asks whether a process is ready, and than a busy one takes to answer. */
const NOTICED_MS = 4_000;

const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_pocket_atmosphere', arguments: { pocket_id: 'holland' } },
});
const kinds: [path: string, body?: string][] = [
  ['/'],
  ['/api/mcp', call],
  ['/api/atmosphere?pocket=holland&hours=4'],
  ['/api/mcp', call],
  ['/api/heartbeat'],
];

/** The secrets as the script makes them, for this server. */
function makeSecrets(folder: string, database: string): Record<string, string> {
  const { password } = new URL(database);
  execFileSync('sh', [join(root, 'ops/compose/make-secrets.sh'), folder], {
    env: { ...process.env, POSTGRES_PASSWORD: password },
  });
  const lines = readFileSync(join(folder, 'pocketwatch.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? assert.fail(line)));
}

/** Sends one request and returns what is wrong with its reply; rejects when its connection is reset. */
const send = (agent: Agent, url: string, body?: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve(statusCode < 500 ? undefined : `${statusCode} ${JSON.stringify(headers)} ${text}`);
      });
    })
      .on('error', reject)
      .end(body);
  });

test('a rolling restart of every process loses no request', { skip }, async (t) => {
  const place = await postgresPlace();
  t.after(() => place.remove());
  await beginShortHistory(place);
  const { databaseUrl = '', dataDir } = place;
  const { LEDGER_KEY = '' } = makeSecrets(join(dataDir, 'secrets'), databaseUrl);
  const common = {
    ...serviceEnvironment(place),
    LEDGER_KEY,
    DATABASE_URL: await startPgBouncer(t, databaseUrl),
    MCP_RATE_LIMIT: '0',
    READ_RATE_LIMIT: '0',
  };
  const start = async (name: string, port: number) => {
    const own = join(dataDir, name);
    mkdirSync(own, { recursive: true });
    const settings = { ...composeEnvironment(name), BASE_URL: '', TRUSTED_PROXIES: '127.0.0.1' };
    return listen(t, { ...settings, ...common, DATA_DIR: own, PORT: `${port}` });
  };
  const findPort = async (name: string) => ({ name, port: await sparePort() });
  const startAll = (places: { name: string; port: number }[]) =>
    Promise.all(places.map(async ({ name, port }) => ({ name, port, process: await start(name, port) })));

  const places = await Promise.all(['answer-1', 'answer-2'].map(findPort));
  // Before them: it has asked in vain when they listen.
  const site = await startCaddy(
    t,
    places.map(({ port }) => `127.0.0.1:${port}`),
  );
  const answering = await startAll(places);
  // Caddy knows of no process that is ready, and asks one all the same once it has seen that it runs.
  await delay(NOTICED_MS);
  assert.equal((await readiness(site)).status, 503);
  const page = await ask(site);
  assert.match(page.text, /The history is not written yet|Writing the history/);
  assert.equal(page.status, 200);

  const workers = await startAll(await Promise.all(['worker-1', 'worker-2'].map(findPort)));
  await untilReady(site);

  const live = `${site}/api/stream/live`;
  const stream = await openStream(live);
  // Where the stream begins is sent as soon as it opens: nothing on the way waits for more.
  await stream.until(() => stream.lastEventId !== '');
  stream.cut();

  let stopped = false;
  let cut = () => {};
  const stopClients = () => {
    stopped = true;
    cut();
  };
  t.after(stopClients);
  let answered = 0;
  const lost: string[] = [];
  const client = async (n: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = n; !stopped; i++) {
      const [path, body] = kinds[i % kinds.length] ?? assert.fail();
      const what = `${body ? 'POST' : 'GET'} ${path}`;
      await send(agent, site + path, body).then(
        (fault) => (fault === undefined ? answered++ : lost.push(`${what}: ${fault}`)),
        (error) => lost.push(`${what}: ${error}`),
      );
      await delay(PAUSE_MS);
    }
    agent.destroy();
  };
  let streams = 0;
  const follow = async () => {
    while (!stopped) {
      const stream = await openStream(live);
      if (stream.status !== 200) lost.push(`GET ${live}: ${stream.status}`);
      streams++;
      cut = stream.cut;
      await stream.ended;
      await delay(PAUSE_MS);
    }
  };
  const clients = [follow(), ...Array.from({ length: CLIENTS }, (_, n) => client(n))];
  await delay(200);

  const restart = async ({ name, port, process }: (typeof answering)[number]) => {
    const before = answered;
    process.child.kill('SIGTERM');
    const [status, signal] = await process.closed;
    const answers = answering.some((one) => one.name === name);
    // On a busy machine the job of a worker, which has the lowest priority, may take longer than is allowed: it is
    // rolled back, and another worker runs it.
    assert.ok(signal === null && (status === 0 || !answers), `${name}: ${status} ${process.output.stderr}`);
    const { url } = await start(name, port);
    await untilReady(url);
    assert.ok(answered > before + CLIENTS, `${answered - before} while ${name} was restarted`);
  };
  for (const [n, answers] of answering.entries()) {
    await restart(answers);
    // The next one that answers waits until Caddy has noticed this one; a worker need not.
    await Promise.all([delay(NOTICED_MS), restart(workers[n] ?? assert.fail())]);
    assert.deepEqual(lost, [], `while ${answers.name} or worker ${n + 1} was restarted`);
  }
  stopClients();
  await Promise.all(clients);
  assert.ok(streams > 1, 'the stream was cut with its process and opened again');
});
