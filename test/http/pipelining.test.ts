// Requests that are sent before the answers to earlier ones, and bodies that come in ways no client needs: what a
// connection can make the service hold is bounded.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, beforeEach, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_WAITING } from '../../src/http/connections/in-order.ts';
import { buildServer } from '../../src/http/server/server.ts';
import { ask, post } from '../support/services/http-client.ts';
import { noLimits, quietLog, startService } from '../support/services/service.ts';

const t = { after: after as TestContext['after'] };
const { service } = await startService(t, { days: 0 });
const app = buildServer(service, noLimits, quietLog);
/** Is answered when the test says so. */
let held = Promise.withResolvers<object>();
app.get('/held', () => held.promise);
app.get('/n/:n', async ({ params }) => params);
/** Requests that Node has made objects of, and the service's sides of connections. */
let parsed = 0;
const sockets: Socket[] = [];
app.server.on('request', () => parsed++).on('connection', (socket) => sockets.push(socket));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
t.after(() => app.close());

beforeEach(() => {
  held = Promise.withResolvers();
  parsed = 0;
});

const request = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n');

async function open(test: TestContext, localAddress = '127.0.0.1'): Promise<Socket & { text: string }> {
  const socket = Object.assign(
    connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }),
    { text: '' },
  );
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    socket.text += data;
  });
  test.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(5);
}

const closed = (socket: Socket) => socket.closed || once(socket, 'close');
const numbers = (text: string) => [...text.matchAll(/"n":"(\d+)"/g)].map(([, n]) => Number(n));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('behind a live stream', () => {
  const stream = request('/api/stream/live');
  const behind: [name: string, bytes: string][] = [
    ['a request', request('/a')],
    ['a request that Node would answer by itself, for want of a host', 'GET /a HTTP/1.1\r\n\r\n'],
    ['a request that Node would answer by itself, for what it expects', request('/a', 'expect: x')],
    ['a request that waits to be told to go on', request('/a', 'expect: 100-continue')],
    ['a body in chunks', request('/a', 'transfer-encoding: chunked')],
  ];
  for (const [name, bytes] of behind) {
    test(`${name} closes the connection`, async (t) => {
      const socket = await open(t);
      socket.write(stream);
      await until(() => socket.text.includes('text/event-stream'));
      socket.write(bytes);
      await closed(socket);
      assert.doesNotMatch(socket.text, /HTTP\/1.1 [^2]/);
    });
    test(`${name} in the same packet closes the connection`, async (t) => {
      const socket = await open(t);
      socket.write(stream + bytes.repeat(50));
      await closed(socket);
    });
  }
});

describe('behind an answer that takes long', () => {
  test('requests wait, nothing more is read, and all are answered in order', async (t) => {
    const socket = await open(t);
    const [first = '', ...rest] = upTo(MAX_WAITING).map((n) => request(`/n/${n}`));
    socket.write(request('/held') + first);
    await until(() => parsed === 2);
    for (const one of rest) {
      socket.write(one);
      await delay(1);
    }
    // What had been read when the first one began to wait, and no more.
    const bytesRead = sockets.at(-1)?.bytesRead;
    await delay(50);
    assert.equal(sockets.at(-1)?.bytesRead, bytesRead);
    assert.ok(parsed <= 3, `${parsed} requests were parsed`);
    assert.equal(socket.text, '');
    held.resolve({});
    await until(() => numbers(socket.text).length === MAX_WAITING);
    assert.deepEqual(numbers(socket.text), upTo(MAX_WAITING));
    // The connection can still be used.
    socket.write(request('/n/1000'));
    await until(() => numbers(socket.text).at(-1) === 1000);
  });

  test('as many as may wait can come at once, again and again', async (t) => {
    const socket = await open(t);
    for (let round = 1; round <= 5; round++) {
      socket.write(
        upTo(MAX_WAITING)
          .map((n) => request(`/n/${n}`))
          .join(''),
      );
      await until(() => numbers(socket.text).length === round * MAX_WAITING);
    }
    assert.deepEqual(
      numbers(socket.text),
      [1, 2, 3, 4, 5].flatMap(() => upTo(MAX_WAITING)),
    );
  });

  test('a packet with more of them closes the connection, and is not parsed to its end', async (t) => {
    const socket = await open(t);
    socket.write(request('/held') + request('/a').repeat(1_500));
    await closed(socket);
    assert.ok(parsed <= MAX_WAITING + 1, `${parsed} requests were parsed`);
    assert.equal((await ask(`${url}/api/health`)).status, 200);
  });

  test('requests that wait on a connection that closes are never begun', async (t) => {
    let begun = 0;
    const counting = buildServer(service, noLimits, { ...quietLog, access: () => begun++ });
    const answer = Promise.withResolvers<object>();
    counting.get('/held', () => answer.promise);
    const { port } = new URL(await counting.listen({ host: '127.0.0.1', port: 0 }));
    t.after(() => counting.close());
    let arrived = 0;
    counting.server.on('request', () => arrived++);
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.write(request('/held') + request('/a').repeat(20));
    await until(() => arrived === 21);
    socket.resetAndDestroy();
    await delay(50);
    answer.resolve({});
    await delay(50);
    assert.ok(begun <= 1, `${begun} were answered`);
  });

  test('a body in chunks closes the connection', async (t) => {
    const socket = await open(t);
    const head = ['POST /api/mcp HTTP/1.1', 'host: localhost', 'transfer-encoding: chunked', '', ''];
    socket.write(request('/held') + head.join('\r\n'));
    await closed(socket);
  });
});

test('a connection that was closed for this does not make room for the next one at once', async (t) => {
  const { url } = await startService(t, { days: 0, connections: { total: 10, perAddress: 1 } });
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => undefined);
  socket.write(request('/api/stream/live') + request('/a'));
  await once(socket.resume(), 'close');
  const reply = await ask(`${url}/api/health`);
  assert.deepEqual([reply.status, reply.json()], [503, { error: 'too many connections' }]);
});

describe('bodies', () => {
  const mcp = `${url}/api/mcp`;
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const inChunks = (path: string, chunks: readonly string[]) => [
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    ...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`),
    '0\r\n\r\n',
  ];

  test('in chunks of any size are put together', async (t) => {
    for (const size of [1, 7, 1000]) {
      const socket = await open(t);
      const chunks = ping.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      for (const part of inChunks('/api/mcp', chunks)) socket.write(part);
      await until(() => socket.text.endsWith('"result":{}}'));
    }
    const text = JSON.stringify({ claim: 'é大'.repeat(50_000) });
    for (const path of ['/api/mcp', '/api/legitimacy']) {
      const whole = await post(url + path, text);
      const socket = await open(t);
      const bytes = Buffer.from(text).toString('latin1');
      const chunks = bytes.match(/.{1,777}/gs) ?? [];
      for (const part of inChunks(path, chunks)) socket.write(part, 'latin1');
      await until(() => socket.text.includes(whole.text));
    }
  });

  test('in thousands of tiny chunks close the connection', async (t) => {
    for (const path of ['/api/mcp', '/api/legitimacy', '/held']) {
      const socket = await open(t);
      socket.write(inChunks(path, Array(5_000).fill('x')).join(''));
      await closed(socket);
    }
    const socket = await open(t);
    socket.write(
      request('/held', 'transfer-encoding: chunked') +
        inChunks('/', Array(5_000).fill('x')).slice(1).join(''),
    );
    await closed(socket);
    assert.equal((await post(mcp, ping)).status, 200);
  });

  test('of a GET have no meaning, and the next request is answered', async (t) => {
    const socket = await open(t);
    socket.write(`${request('/held', 'content-length: 300000')}${'x'.repeat(300_000)}${request('/n/7')}`);
    held.resolve({});
    await until(() => numbers(socket.text).includes(7));
  });

  test('that are slow to come are counted: a few in chunks of one address at a time', async (t) => {
    const slow = await Promise.all(upTo(12).map(() => open(t, '127.0.0.9')));
    for (const socket of slow) socket.write(inChunks('/api/mcp', ['{'])[0] ?? '');
    await until(() => slow.filter(({ closed }) => closed).length === 4);
  });
});

test('other protocols are not spoken, and a request that offers one is answered', async (t) => {
  const socket = await open(t);
  socket.write(
    request('/n/1', 'connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAMAAABk'),
  );
  await until(() => numbers(socket.text).includes(1));
  const tunnel = await open(t);
  tunnel.write('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n');
  await closed(tunnel);
});
