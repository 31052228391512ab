// Caddy with the Caddyfile of ops/compose in front of two processes, of which one has ended: what it does with many requests
// of the same moment, whether the other one is ready or not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCaddy, noCaddy, startCaddy } from '../../support/services/deployment.ts';
import { sparePort } from '../../support/stores/postgres-cluster.ts';

const CLIENTS = 64;
const REQUESTS = 60;

/** A process that is or is not ready, and answers everything else with the body that it was sent. */
async function startProcess(t: TestContext, ready: boolean): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/api/ready') response.writeHead(ready ? 200 : 503);
    request.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const send = (agent: Agent, url: string, body?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { agent, method: body ? 'POST' : 'GET' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => resolve(`${response.statusCode} ${text}`));
    })
      .on('error', reject)
      .end(body);
  });

/** How often each answer came: all clients send their next request at once. */
async function tally(t: TestContext, site: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  t.after(() => {
    for (const agent of agents) agent.destroy();
  });
  for (let n = 0; n < REQUESTS; n++)
    for (const answer of await Promise.all(
      agents.map((agent) => send(agent, site, n % 2 ? 'body' : undefined)),
    ))
      counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

for (const ready of [true, false])
  test(`no request is lost where one process has ended and the other is ${ready ? '' : 'not '}ready`, {
    skip: !hasCaddy() && noCaddy,
  }, async (t) => {
    const ended = `127.0.0.1:${await sparePort()}`;
    const site = await startCaddy(t, [ended, await startProcess(t, ready)]);
    // Until it has asked both.
    await delay(1_500);
    const half = (CLIENTS * REQUESTS) / 2;
    assert.deepEqual(await tally(t, site), { '200 ': half, '200 body': half });
  });
