// What clients can make the service hold: floods of requests, bodies and connections, with the limits that it has by
// default, against a process that was started as operators start it. Loopback addresses stand for clients.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { privateKeyPem } from '../../src/ledger/key.ts';
import { listChildren, noProcessFigures, readMemory } from '../support/services/process-figures.ts';
import { untilReady } from '../support/services/processes.ts';
import { sqlitePlace } from '../support/stores/store-places.ts';
import { testKey } from '../support/stores/test-key.ts';

const root = join(import.meta.dirname, '../..');
const MB = 1_000_000;
const CONNECTIONS = 256;
const ROUND_MS = 2_500;

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n');
const postHead = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json', ...headers, '', ''].join(
    '\r\n',
  );
const packet = (text: string) => text.repeat(Math.ceil((64 * 1024) / text.length));

const tinyChunks = packet('1\r\nx\r\n');
const heavy = '/api/counterfactuals?hours=720&limit=500';
const manyHeaders = get('/a', ...Array.from({ length: 900 }, (_, n) => `a${n}: ${n}`));
/** What each kind of client sends. None of them reads, except the last. */
const kinds: [name: string, send: () => string[]][] = [
  ['requests behind a live stream', () => [get('/api/stream/live'), packet(get('/a'))]],
  ['requests without end', () => [packet(get('/a')), packet(get('/a'))]],
  ['requests behind a heavy question', () => [get(heavy), packet('GET /a HTTP/1.1\r\n\r\n')]],
  ['as many as may wait', () => [get(heavy) + get('/a').repeat(99)]],
  ['large answers', () => [get('/openapi.json').repeat(90)]],
  ['large headers that wait', () => [get('/openapi.json').repeat(50), manyHeaders.repeat(6)]],
  ['a body that never ends', () => [postHead('/api/mcp', 'content-length: 1048576'), 'x'.repeat(1_000_000)]],
  [
    'the same over REST',
    () => [postHead('/api/legitimacy', 'content-length: 1048576'), 'x'.repeat(1_000_000)],
  ],
  [
    'a body in tiny chunks',
    () => [postHead('/api/mcp', 'transfer-encoding: chunked'), tinyChunks, tinyChunks],
  ],
  [
    'such a body that waits',
    () => [get(heavy) + postHead('/api/mcp', 'transfer-encoding: chunked') + tinyChunks],
  ],
  ['headers that never end', () => ['GET / HTTP/1.1\r\nhost: localhost\r\n', 'ab: cd\r\n'.repeat(900)]],
  ['large answers, read at once', () => [get('/openapi.json').repeat(20)]],
];

async function start(t: TestContext) {
  const place = await sqlitePlace(1);
  const launcher = spawn(process.execPath, ['scripts/launch.mjs', 'src/main.ts', 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ DATABASE_URL: '', DATA_DIR: place.dataDir, LEDGER_KEY: privateKeyPem(testKey) },
      LEDGER_ORIGIN: 'pocketwatch.test',
      ...{ HOST: '0.0.0.0', PORT: '0', PIPELINE: 'off' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(launcher, 'close');
  t.after(async () => {
    launcher.kill('SIGTERM');
    await ended;
    await place.remove();
  });
  const port = await waitForPort(launcher);
  await untilReady(`http://127.0.0.1:${port}`);
  const [service = 0] = listChildren(launcher.pid ?? 0);
  return { port, memory: () => readMemory(service) };
}

function waitForPort(launcher: ChildProcess): Promise<number> {
  let text = '';
  return new Promise((resolve, reject) => {
    launcher.stdout?.on('data', (data) => {
      if (text.length > 100_000) return;
      text += data;
      const [, port] = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
      if (port) resolve(Number(port));
    });
    let errors = '';
    launcher.stderr?.on('data', (data) => {
      errors = String(data);
    });
    launcher.on('exit', () => reject(new Error(`ended: ${errors}`)));
  });
}

/** The status of /api/health, from an address that does nothing else. */
const health = (port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      localAddress: '127.0.0.99',
      path: '/api/health',
      agent: false,
    };
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

/** As many connections as an address may have, of all kinds; those that are closed come back. */
function attack(port: number, localAddress: string): () => void {
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = (n: number): void => {
    if (isOver) return;
    const [, send] = kinds[n % kinds.length] ?? assert.fail();
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (n % kinds.length === kinds.length - 1) socket.resume();
    for (const bytes of send()) socket.write(bytes);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, 200, n);
    });
  };
  for (let n = 0; n < CONNECTIONS; n++) open(n);
  return () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
}

test('floods of one address and of several leave the memory within bounds, and the health check answered', {
  skip: noProcessFigures,
}, async (t) => {
  const ends: (() => void)[] = [];
  // Before the service is stopped, which waits for requests under way.
  t.after(() => {
    for (const end of ends) end();
  });
  const { port, memory } = await start(t);
  await health(port);
  const idle = memory();
  const most = async (addresses: readonly string[]) => {
    for (const address of addresses) ends.push(attack(port, address));
    let peak = 0;
    let answered = 0;
    for (const until = Date.now() + ROUND_MS; Date.now() < until; answered++) {
      assert.equal(await health(port), 200);
      peak = Math.max(peak, memory());
      await delay(50);
    }
    assert.ok(answered > 0);
    return (peak - idle) / MB;
  };
  const ofOne = await most(['127.0.0.1']);
  t.diagnostic(`idle ${Math.round(idle / MB)} MB, ${Math.round(ofOne)} MB more by one address`);
  assert.ok(ofOne < 150, `${ofOne} MB more`);
  const ofFour = await most(['127.0.0.2', '127.0.0.3', '127.0.0.4']);
  t.diagnostic(`${Math.round(ofFour)} MB more by four addresses`);
  assert.ok(ofFour < 300, `${ofFour} MB more`);
});
