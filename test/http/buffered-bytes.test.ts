// The bytes that connections hold, bodies that are being received and answers that nobody reads, are limited: by address
// and in all. The machine's loopback addresses stand for clients.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../support/services/service.ts';

const KIB = 1024;
/** New requests are refused from three quarters on. */
const buffered = { total: 400 * KIB, perAddress: 150 * KIB };

async function start(t: TestContext) {
  const sockets: Socket[] = [];
  // Before the service is stopped, which waits for requests under way.
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const { url, app } = await startService(t, {
    days: 0,
    connections: { total: 100, perAddress: 100, buffered },
  });
  const open = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  /** The status and body of a reply to a GET on a connection of its own. */
  const get = async (from: string, path: string) => {
    const socket = await open(from);
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    await once(socket, 'close');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head, body };
  };
  /** A body of which the last byte does not come. */
  const upload = async (from: string, path: string, bytes: number) => {
    const socket = await open(from);
    const headers = ['host: localhost', 'content-type: application/json', `content-length: ${bytes + 1}`];
    socket.write(`${[`POST ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n')}${'x'.repeat(bytes)}`);
    return socket;
  };
  return { app, open, get, upload };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10);
}

for (const path of ['/api/mcp', '/api/legitimacy']) {
  test(`bodies sent to ${path} count until they are complete or given up`, async (t) => {
    const { get, upload } = await start(t);
    const askStatus = async (from: string) => (await get(from, '/api/pockets')).status;
    const first = await upload('127.0.0.2', path, 120 * KIB);
    await until(async () => (await askStatus('127.0.0.2')) === 503);
    assert.equal(await askStatus('127.0.0.3'), 200, 'another address has its own share');
    await upload('127.0.0.3', path, 120 * KIB);
    await upload('127.0.0.4', path, 120 * KIB);
    await until(async () => (await askStatus('127.0.0.5')) === 503);

    const { head, body } = await get('127.0.0.5', '/');
    const { error, hint, retry_in_seconds, ...more } = JSON.parse(body);
    assert.equal(error, 'too many bytes are waiting to be read or are being received: try again in a while');
    assert.equal(hint, 'read each answer before asking for the next, on fewer connections');
    assert.match(head, new RegExp(`retry-after: ${retry_in_seconds}\\r\\n`, 'i'));
    assert.deepEqual(more, {});
    for (const from of ['127.0.0.2', '127.0.0.5'])
      for (const probe of ['/api/health', '/api/ready'])
        assert.equal((await get(from, probe)).status, 200, `${probe} from ${from}`);

    first.destroy();
    await until(async () => (await askStatus('127.0.0.5')) === 200);
  });
}

test('a body that does not fit is refused with the same error', async (t) => {
  const { get, upload } = await start(t);
  const socket = await upload('127.0.0.2', '/api/mcp', 160 * KIB);
  const [reply] = await once(socket, 'data');
  assert.match(String(reply), /^HTTP\/1.1 503 .*connection: close.*"too many bytes are waiting/is);
  await once(socket, 'close');
  assert.equal((await get('127.0.0.2', '/api/pockets')).status, 200, 'its place is free');
});

test('answers that nobody reads are counted, and past the limit they are cut', async (t) => {
  const { app, open, get } = await start(t);
  const accepted = once(app.server, 'connection');
  const socket = await open('127.0.0.2');
  const [ofService] = await accepted;
  socket.pause();
  // More than the systems of both sides take.
  socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(100));
  await once(ofService, 'close');
  const { status, body } = await get('127.0.0.2', '/openapi.json');
  assert.equal(status, 200, 'nothing is left of it');
  assert.ok(ofService.bytesWritten < 100 * body.length);
});
