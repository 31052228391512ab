// SIGTERM while many clients send: every request that was sent before a reply said `connection: close` is answered.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../support/services/processes.ts';

const CLIENTS = 40;
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

interface Sent {
  status: number;
  closes: boolean;
}

/** Sends one request on the agent's connection; rejects when that is reset. */
const send = (agent: Agent, url: string, body?: string): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'content-type': 'application/json' };
    request(url, { agent, method, headers }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === 'close' }),
      );
    })
      .on('error', reject)
      .end(body);
  });

const start = (t: TestContext) => listen(t, { DATABASE_URL: 'none', MCP_RATE_LIMIT: '0' });

test('on SIGTERM clients that keep their connections lose no request', async (t) => {
  const { url, child, closed } = await start(t);
  let answered = 0;
  /** Sends without a pause until a reply says that the connection closes: it may not send on that one again. */
  const client = async (n: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // Answered in front of the framework, from its cache, and by the framework.
    const kinds = [
      () => send(agent, `${url}/api/mcp`, ping),
      () => send(agent, `${url}/glossary`),
      () => send(agent, `${url}/api/health`),
    ];
    for (let i = n; ; i++) {
      const { status, closes } = (await kinds[i % kinds.length]?.()) ?? assert.fail();
      assert.equal(status, 200);
      answered++;
      if (closes) return agent.destroy();
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  // A client that fails ends the wait too.
  const underLoad = async () => {
    while (answered < CLIENTS * 5) await delay(5);
  };
  await Promise.race([underLoad(), clients]);
  child.kill('SIGTERM');
  await clients;
  assert.deepEqual(await closed, [0, null]);
  await assert.rejects(fetch(`${url}/api/health`));
});

test('a new connection is still answered for a moment, with connection: close', async (t) => {
  const { url, child, closed } = await start(t);
  // An open connection, without which the listener would close at once. It never sends anything.
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  await once(silent, 'connect');
  await fetch(`${url}/api/health`);
  child.kill('SIGTERM');
  await once(child.stderr ?? assert.fail(), 'data');
  assert.deepEqual(await send(new Agent(), `${url}/api/health`), { status: 200, closes: true });
  // The silent connection does not hold the process.
  assert.deepEqual(await closed, [0, null]);
});
