// Rate limits over HTTP, and which address a request is counted for.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ask, post, type Reply } from '../support/services/http-client.ts';
import { NOON, type Settings, startService } from '../support/services/service.ts';

const SECOND = 1000;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function limited(t: TestContext, given: Partial<Settings> = {}) {
  const { url, clock, service } = await startService(t, { days: 0, mcpLimit: 30, ...given });
  const send = (body: unknown = ping, headers = {}) => post(`${url}/api/mcp`, body, headers);
  const spend = async (times: number, headers = {}) => {
    for (let n = 0; n < times; n++) assert.equal((await send(ping, headers)).status, 200);
  };
  return { url, clock, service, send, spend };
}

const from = (address: string) => ({ 'x-forwarded-for': address });

function assertRefused(reply: Reply, limit: number, retry_in_seconds: number, id: unknown = ping.id) {
  const message = `rate limit exceeded: at most ${limit} requests in 60 seconds`;
  const data = { limit, window_seconds: 60, retry_in_seconds };
  assertLimited(reply, { jsonrpc: '2.0', id, error: { code: -32000, message, data }, ...data });
}

function assertLimited(reply: Reply, body: object) {
  assert.equal(reply.status, 429);
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.equal(reply.headers['retry-after'], undefined);
  assert.deepEqual(reply.json(), body);
}

describe('the limit of MCP requests', () => {
  test('30 in a minute pass; the 31st gets the seconds to wait, and passes after them', async (t) => {
    const { clock, send, spend } = await limited(t);
    await spend(30);
    clock.now = NOON + 20 * SECOND;
    assertRefused(await send(), 30, 40);
    clock.now = NOON + 60 * SECOND - 1;
    assertRefused(await send(), 30, 1);
    clock.now = NOON + 60 * SECOND;
    await spend(30);
    assertRefused(await send(), 30, 60);
  });

  test('each item of a batch counts', async (t) => {
    const { send, spend } = await limited(t);
    assert.equal((await send(Array(20).fill(ping))).status, 200);
    assertRefused(await send(Array(11).fill(ping)), 30, 60, null);
    assert.equal((await send(Array(9).fill(ping))).status, 200);
    await spend(1);
    assertRefused(await send(), 30, 60);
  });

  test('notifications and refused requests count as well', async (t) => {
    const { send } = await limited(t, { mcpLimit: 4 });
    assert.equal((await send({ jsonrpc: '2.0', method: 'x' })).status, 202);
    assert.equal((await send('not JSON')).status, 400);
    assert.equal((await send(Array(1000).fill(ping))).status, 400);
    assert.equal((await send([])).status, 400);
    assertRefused(await send(), 4, 60);
    assertRefused(await send({ ...ping, id: 'a' }), 4, 60, 'a');
    assertRefused(await send({ jsonrpc: '2.0', method: 'x' }), 4, 60, null);
    assertRefused(await send('not JSON'), 4, 60, null);
    assertRefused(await send([ping]), 4, 60, null);
  });

  test('reading a resource, getting a prompt and completing count as a call does', async (t) => {
    const { send } = await limited(t, { mcpLimit: 3 });
    const asked: [method: string, params: object][] = [
      ['resources/read', { uri: 'pocket://dempsey' }],
      ['prompts/get', { name: 'explain_silence', arguments: { pocket: 'dempsey' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'pocket://{id}' }, argument: { name: 'id', value: '' } },
      ],
    ];
    for (const [method, params] of asked) assert.equal((await send({ ...ping, method, params })).status, 200);
    assertRefused(await send(), 3, 60);
  });

  test('pages, the manifest and REST are not limited, except operations that share the MCP limit', async (t) => {
    const { url, service, spend, send } = await limited(t, { mcpLimit: 1 });
    await spend(1);
    for (const path of ['/api/mcp', '/docs', '/api/health', '/api/pockets', '/api/lookup?query=holland'])
      for (let n = 0; n < 3; n++) assert.equal((await ask(url + path)).status, 200);
    assertRefused(await send(), 1, 60);
    const shares = '/api/composed-narrative';
    if (service.operations.some(({ rest }) => rest?.path === shares))
      assertLimited(await ask(`${url}${shares}?pocket=tiongbahru`), {
        error: 'rate limit exceeded: at most 1 requests in 60 seconds',
        limit: 1,
        window_seconds: 60,
        retry_in_seconds: 60,
      });
  });

  test('0 means no limit', async (t) => {
    const { spend } = await limited(t, { mcpLimit: 0 });
    await spend(50);
  });
});

describe('the address of a request', () => {
  test('X-Forwarded-For from a client is ignored', async (t) => {
    const { send, spend } = await limited(t, { mcpLimit: 2 });
    await spend(1, from('203.0.113.1'));
    await spend(1, from('203.0.113.2'));
    assertRefused(await send(ping, from('203.0.113.3')), 2, 60);
  });

  test('behind trusted proxies it is the last address in X-Forwarded-For that is not a trusted proxy', async (t) => {
    const { send, spend } = await limited(t, { mcpLimit: 1, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] });
    await spend(1, from('203.0.113.1'));
    assertRefused(await send(ping, from('203.0.113.1')), 1, 60);
    assertRefused(await send(ping, from('198.51.100.7, 203.0.113.1, 10.1.2.3')), 1, 60);
    await spend(1, from('203.0.113.2'));
    await spend(1);
  });

  test('an invalid value is counted as an address of its own', async (t) => {
    const { spend } = await limited(t, { mcpLimit: 1, trustedProxies: ['127.0.0.1'] });
    for (const invalid of ['x', '::', ',,,', '__proto__', '999.1.1.1', `${'1.1.1.1,'.repeat(500)}2.2.2.2`])
      await spend(1, from(invalid));
  });

  test('X-Forwarded-For from a proxy that is not trusted is ignored', async (t) => {
    const { send, spend } = await limited(t, { mcpLimit: 1, trustedProxies: ['10.0.0.1'] });
    await spend(1, from('203.0.113.1'));
    assertRefused(await send(ping, from('203.0.113.2')), 1, 60);
  });
});
