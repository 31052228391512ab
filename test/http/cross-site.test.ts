// Pages of other sites, in the browser of somebody who can reach the service: they may read and not write.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post, type Reply } from '../support/services/http-client.ts';
import { startService } from '../support/services/service.ts';

const { url, store } = await startService(
  { after: after as TestContext['after'] },
  { days: 0, sites: { origins: ['https://lab.example'], hosts: ['inner.example'] } },
);
const submissions = async () =>
  (await store.get<{ n: number }>('select count(*) as n from submissions'))?.n ?? 0;

const call = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
/** The same call in the era without a handshake: its headers repeat parts of the body. */
const statelessCall = (name: string, args: object) => {
  const { params, ...message } = call(name, args);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: { ...message, params: { ...params, _meta } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  };
};
const toolText = (reply: Reply) =>
  reply.json<{ result: { isError?: boolean; content: { text: string }[] } }>().result;

describe('a submission from a page of another site', () => {
  const foreign = { origin: 'https://evil.example' };
  const badOrigin = "origin not allowed to write: 'https://evil.example'. set ALLOWED_ORIGINS to allow it";
  const badType = 'content-type must be application/json';
  const table: [headers: Record<string, string>, status: number, error: string][] = [
    [foreign, 403, badOrigin],
    [{ ...foreign, 'content-type': 'text/plain' }, 415, badType],
    [{ 'content-type': 'text/plain' }, 415, badType],
    [{ 'content-type': 'text/plain;application/json' }, 415, badType],
    [{ origin: 'null' }, 403, "origin not allowed to write: 'null'. set ALLOWED_ORIGINS to allow it"],
  ];
  for (const [headers, status, error] of table) {
    test(`${JSON.stringify(headers)} is refused over REST and as a tool`, async () => {
      const before = await submissions();
      const reply = await post(`${url}/api/benchmark/submit`, submission(), headers);
      assert.deepEqual([reply.status, reply.json()], [status, { error }]);
      const write = call('submit_benchmark_predictions', submission());
      const stateless = statelessCall('submit_benchmark_predictions', submission());
      for (const asTool of [
        await post(`${url}/api/mcp`, write, headers),
        await post(`${url}/api/mcp`, stateless.body, { ...stateless.headers, ...headers }),
      ]) {
        assert.equal(asTool.status, 200);
        const { isError, content } = toolText(asTool);
        assert.deepEqual([isError, content[0]?.text], [true, `error: ${error}`]);
      }
      assert.equal(await submissions(), before);
    });
  }

  test('does not refuse the other calls of its batch', async () => {
    const batch = [call('submit_benchmark_predictions', submission()), call('list_pockets', {})];
    const replies = (await post(`${url}/api/mcp`, batch, foreign)).json<
      { result: { isError?: boolean } }[]
    >();
    assert.deepEqual(
      replies.map(({ result }) => result.isError),
      [true, undefined],
    );
  });

  test('is sealed if that site is allowed', async () => {
    for (const [n, origin] of ['https://lab.example', 'http://pocketwatch.test', url].entries()) {
      const reply = await post(`${url}/api/benchmark/submit`, submission({ submitter_name: `site ${n}` }), {
        origin,
      });
      assert.equal(reply.status, 200, origin);
    }
  });
});

test('reading is open to every origin, over MCP whatever the content type', async () => {
  const headers = { origin: 'https://evil.example' };
  for (const path of ['/api/pockets', '/', '/api/ledger/checkpoint'])
    assert.notEqual((await ask(url + path, { headers })).status, 403, path);
  const asText = { ...headers, 'content-type': 'text/plain' };
  const reply = await post(`${url}/api/mcp`, call('list_pockets', {}), asText);
  assert.deepEqual([reply.status, toolText(reply).isError], [200, undefined]);
  assert.equal(reply.headers['access-control-allow-origin'], '*');
});

describe('a name that was made to lead to a loopback address', () => {
  const error =
    "host not allowed on a loopback address: 'evil.example:3000'. set BASE_URL or ALLOWED_HOSTS to serve it";
  test('is refused at every address, cached or not', async () => {
    const headers = { host: 'evil.example:3000' };
    for (const path of ['/api/health', '/api/pockets', '/api/pockets', '/', '/nowhere']) {
      await ask(url + path);
      const reply = await ask(url + path, { headers });
      assert.deepEqual([reply.status, reply.json()], [403, { error }], path);
    }
    const stateless = statelessCall('list_pockets', {});
    for (const reply of [
      await post(`${url}/api/mcp`, call('list_pockets', {}), headers),
      await post(`${url}/api/mcp`, stateless.body, { ...stateless.headers, ...headers }),
    ])
      assert.deepEqual([reply.status, reply.json()], [403, { error }]);
    assert.equal((await post(`${url}/api/benchmark/submit`, submission(), headers)).status, 403);
  });

  test('is served if it is that of BASE_URL or allowed, and links stay those of BASE_URL', async () => {
    for (const host of ['pocketwatch.test', 'inner.example:3000', 'localhost']) {
      const reply = await ask(`${url}/api/pockets`, { headers: { host } });
      assert.equal(reply.status, 200, host);
      const { _meta } = reply.json<{ _meta: { source_url: string } }>();
      assert.equal(_meta.source_url, 'http://pocketwatch.test');
    }
  });
});
