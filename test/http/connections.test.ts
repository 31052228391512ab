// Connections that take more than their share: too many of one address, and answers that nobody reads.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { buildServer } from '../../src/http/server/server.ts';
import { ask } from '../support/services/http-client.ts';
import { noLimits, quietLog, startService } from '../support/services/service.ts';

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

async function open(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('connections past the limit of an address are refused, and it is free again when they close', async (t) => {
  const { url } = await startService(t, { days: 0, connections: { total: 100, perAddress: 3 } });
  const sockets = [await open(url), await open(url), await open(url)];
  const [refusal] = await once(await open(url), 'data');
  assert.match(String(refusal), /^HTTP\/1.1 503 .*"too many connections"\}$/s);
  for (const socket of sockets) {
    socket.write(request('/api/health'));
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200 /);
    socket.destroy();
  }
  for (let tries = 0; ; tries++) {
    const reply = await ask(`${url}/api/health`).catch(() => undefined);
    if (reply?.status === 200) break;
    assert.ok(tries < 100);
    await delay(10);
  }
});

test('no further request is begun while the answers before it are unread', async (t: TestContext) => {
  const { service } = await startService(t, { days: 1 });
  let begun = 0;
  const app = buildServer(service, noLimits, { ...quietLog, access: () => begun++ });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const path = '/openapi.json';
  const { headers } = await ask(url + path);
  const size = Number(headers['content-length']);
  begun = 0;
  const socket = await open(url);
  t.after(async () => {
    socket.destroy();
    await app.close();
  });
  socket.pause();
  const requests = 100;
  socket.write(request(path).repeat(requests));
  let before = -1;
  while (before !== begun) {
    before = begun;
    await delay(100);
  }
  // What fits into the buffers of both systems, and no more.
  assert.ok(begun > 0 && begun * size < 32 * 1024 * 1024, `${begun} answers of ${size} bytes`);
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  socket.resume();
  while (received < 40 * size) await delay(10);
  assert.ok(begun > before);
});
