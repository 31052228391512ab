// Errors as `{error}` and as problem details (RFC 9457), on every path that an error can take.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { MAX_BODY_BYTES } from '../../../src/http/connections/read-body.ts';
import { ask, post, type Reply } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const lifetime = { after: after as TestContext['after'] };
const { url } = await startService(lifetime, { days: 0 });
/** Without a datastore, and with a limit of one request a minute. */
const bare = await startService(lifetime, { place: 'none', legitimacyLimit: 1 });

type Send = (accept: string | undefined) => Promise<Reply>;
const accepting = (accept: string | undefined) => (accept === undefined ? {} : { accept });
const get =
  (address: string, method = 'GET', more = {}): Send =>
  (accept) =>
    ask(address, { method, headers: { ...more, ...accepting(accept) } });
const send =
  (address: string, body: unknown, more = {}): Send =>
  (accept) =>
    post(address, body, { ...more, ...accepting(accept) });
const large = JSON.stringify({ pocket_id: 'x'.repeat(MAX_BODY_BYTES) });

const cases: [status: number, where: string, send: Send][] = [
  [400, 'an argument', get(`${url}/api/moment`)],
  [400, 'an address that cannot be decoded', get(`${url}/api/%zz`)],
  [400, 'a body', send(`${url}/api/legitimacy`, '{')],
  [400, 'a page', get(`${url}/trust?window=1y`)],
  [403, 'the fast path', get(`${url}/api/health`, 'GET', { host: 'evil.example' })],
  [404, 'an address', get(`${url}/nothing`)],
  [404, 'a pocket', get(`${url}/api/moment?pocket=atlantis`)],
  [405, 'a method', get(`${url}/api/moment`, 'DELETE')],
  [413, 'MCP, on the fast path', send(`${url}/api/mcp`, large)],
  [413, 'REST', send(`${url}/api/legitimacy`, large)],
  [415, 'REST', send(`${url}/api/legitimacy`, '', { 'content-type': 'text/plain' })],
  [429, 'REST', send(`${bare.url}/api/legitimacy`, {})],
  [503, 'the store', get(`${bare.url}/api/moment?pocket=tiongbahru`)],
];

// The first request uses up the limit.
for (const [status, , request] of cases) if (status === 429) await request(undefined);

for (const [status, where, request] of cases)
  test(`${status} of ${where}: the error, or a problem for those who ask for one`, async () => {
    const plain = await request('application/json');
    assert.equal(plain.status, status, plain.text);
    assert.equal(plain.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(plain.headers.vary), /\baccept\b/);
    const { error, ...details } = plain.json<Record<string, unknown>>();
    assert.match(String(error), /\w{3}/);
    assert.deepEqual((await request(undefined)).json().error, error);

    const { headers, ...reply } = await request('application/json, application/problem+json');
    assert.equal(reply.status, status);
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers.allow, plain.headers.allow);
    const { type, title, status: stated, detail, instance, ...more } = reply.json<Record<string, unknown>>();
    assert.deepEqual([type, stated, detail], ['about:blank', status, error]);
    assert.match(String(title), /^[A-Z]/);
    assert.equal(instance, `urn:uuid:${headers['x-request-id']}`);
    // Seconds may pass between the two.
    assert.deepEqual(Object.keys(more), Object.keys(details));
  });

test('a browser gets a page, unless it asks for a problem', async () => {
  const typeFor = async (accept: string) =>
    (await ask(`${url}/nothing`, { headers: { accept } })).headers['content-type'];
  assert.equal(await typeFor('text/html, */*;q=0.8'), 'text/html; charset=utf-8');
  assert.equal(await typeFor('text/html;q=0.5, application/problem+json'), 'application/problem+json');
});
