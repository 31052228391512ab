// The public surface over real HTTP: status, body and headers of each address.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { callableTools, publishedTool } from '../../src/operations/core/define.ts';
import { inToolsets } from '../../src/operations/core/toolsets.ts';
import { ask, post } from '../support/services/http-client.ts';
import { callTool, rpc, startService } from '../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const mcp = `${url}/api/mcp`;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const MEBIBYTE = 1024 * 1024;

describe('the manifest', () => {
  const expected = {
    name: 'pocketwatch',
    version: '0.1.0',
    protocolVersion: '2024-11-05',
    transport: 'http',
    endpoint: '/api/mcp',
    capabilities: { tools: {} },
    documentation: 'http://pocketwatch.test/docs',
    contact: 'http://pocketwatch.test/docs#contact',
  };
  test('has the fields of the interface at both addresses', async () => {
    for (const address of [mcp, `${url}/.well-known/mcp.json`]) {
      const reply = await ask(address);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
      const { description, tools, ...rest } = reply.json<{ description: string; tools: object[] }>();
      assert.deepEqual(rest, expected);
      assert.ok(description.length > 40);
      assert.deepEqual(
        tools,
        JSON.parse(JSON.stringify(inToolsets(callableTools(service.operations), []).map(publishedTool))),
      );
    }
  });

  const accepts: [accept: string | undefined, status: number][] = [
    [undefined, 200],
    ['*/*', 200],
    ['text/html', 200],
    ['application/json', 200],
    ['application/json, text/event-stream', 200],
    ['text/event-stream;q=0.5, application/json;q=0.1', 200],
    ['text/event-stream', 405],
    ['text/event-stream, */*', 405],
  ];
  for (const [accept, status] of accepts) {
    test(`Accept ${accept} → ${status}`, async () => {
      const reply = await ask(mcp, accept ? { headers: { accept } } : {});
      assert.equal(reply.status, status);
      if (status === 200) return assert.equal(reply.headers.vary, 'accept');
      assert.equal(reply.headers.allow, 'POST, GET');
      assert.deepEqual(Object.keys(reply.json()), ['error']);
    });
  }
});

describe('POST /api/mcp', () => {
  test('initialize answers the version that is asked for if it is served, and issues no session', async () => {
    const table: [asked: string | undefined, answered: string][] = [
      ['2024-11-05', '2024-11-05'],
      ['2025-11-25', '2025-11-25'],
      ['1999-01-01', '2024-11-05'],
      [undefined, '2024-11-05'],
    ];
    for (const [asked, answered] of table) {
      const params = { protocolVersion: asked };
      const reply = await post(mcp, { ...ping, method: 'initialize', params });
      assert.equal(reply.headers['mcp-session-id'], undefined);
      const { result } = reply.json<{ result: Record<string, unknown> }>();
      const { instructions, serverInfo, ...rest } = result;
      assert.deepEqual(rest, {
        protocolVersion: answered,
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      });
      const { name, version } = serverInfo as Record<string, unknown>;
      assert.deepEqual([name, version], ['pocketwatch', '0.1.0']);
      assert.match(String(instructions), /list_pockets.+simulated/s);
    }
  });

  test('any Accept, content type, session or origin is served', async () => {
    for (const headers of [
      { accept: 'text/html' },
      { accept: 'application/json, text/event-stream' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'mcp-session-id': 'left over', 'mcp-protocol-version': '2025-11-25' },
      { origin: 'https://elsewhere.test' },
    ]) {
      const reply = await post(mcp, ping, headers);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual(reply.json(), { jsonrpc: '2.0', id: 1, result: {} });
    }
    const untyped = await ask(mcp, { method: 'POST', body: JSON.stringify(ping) });
    assert.equal(untyped.status, 200);
  });

  test('a notification gets 202 and an empty body', async () => {
    const reply = await post(mcp, { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([reply.status, reply.text], [202, '']);
  });

  test('statuses and codes', async () => {
    const table: [body: unknown, status: number, code: number][] = [
      ['', 400, -32700],
      ['{', 400, -32700],
      [Buffer.from([0xff, 0xfe, 0x00]), 400, -32700],
      ['[]', 400, -32600],
      [Array(21).fill(ping), 400, -32600],
      [{ ...ping, method: 7 }, 400, -32600],
      [{ ...ping, method: 'nope' }, 200, -32601],
      [{ ...ping, method: 'tools/call' }, 200, -32602],
      [{ ...ping, method: 'tools/call', params: { name: 'list_pockets', arguments: [] } }, 200, -32602],
    ];
    for (const [body, status, code] of table) {
      const reply = await post(mcp, body);
      assert.equal(reply.status, status);
      assert.equal(reply.json<{ error: { code: number } }>().error.code, code);
    }
    const bodiless = await ask(mcp, { method: 'POST' });
    assert.deepEqual(
      [bodiless.status, bodiless.json<{ error: { code: number } }>().error.code],
      [400, -32700],
    );
  });

  test('tools/list is the tool list of the manifest', async () => {
    const { result } = await rpc(url, 'tools/list');
    assert.deepEqual(result?.tools, (await ask(mcp)).json().tools);
    assert.deepEqual(Object.keys(result ?? {}), ['tools']);
  });

  test('arguments that break the schema are tool errors', async () => {
    const table: [tool: string, given: object, message: string][] = [
      ['get_pocket_atmosphere', {}, 'pocket_id is required'],
      [
        'get_pocket_atmosphere',
        { pocket_id: 'siglap', when: 1 },
        'unknown argument: when (known: pocket_id, hours)',
      ],
      ['get_pocket_atmosphere', { pocket_id: 'siglap', hours: 25 }, 'hours must be 1-24'],
      ['get_pocket_atmosphere', { pocket_id: 'a\0b' }, 'pocket_id must not hold a NUL character'],
      ['lookup_pocket_by_name', { query: 'x'.repeat(81) }, 'query too long (max 80 chars)'],
      ['no_such_tool', {}, 'unknown tool: no_such_tool'],
    ];
    for (const [tool, given, message] of table) {
      const { content, isError, structuredContent } = await callTool(url, tool, given);
      assert.deepEqual(content, [{ type: 'text', text: `error: ${message}` }]);
      assert.equal(isError, true);
      assert.equal(structuredContent, undefined);
    }
  });

  test('neither a not-found reply nor an answer is null or an array', async () => {
    for (const [tool, given] of [
      ['get_pocket_atmosphere', { pocket_id: 'atlantis' }],
      ['get_pocket_atmosphere', { pocket_id: 'tiongbahru' }],
      ['lookup_pocket_by_name', { query: 'zzqq' }],
      ['list_pockets', {}],
    ] as const) {
      const { structuredContent, isError } = await callTool(url, tool, given);
      assert.equal(isError, undefined);
      assert.ok(structuredContent && !Array.isArray(structuredContent));
    }
  });
});

describe('paths match exactly', () => {
  for (const path of [
    '/api/mcp/',
    '/API/mcp',
    '/api//mcp',
    '/api/mcp.json',
    '/api/atmosphere/',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/api/mcp',
    '/.well-known/oauth-protected-resource',
    '/.well-known/openid-configuration',
    '/register',
    '/__proto__',
    '/nowhere:(',
  ]) {
    test(`${path} is a JSON 404`, async () => {
      for (const method of ['GET', 'POST']) {
        const reply = await ask(url + path, { method });
        assert.equal(reply.status, 404);
        assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
        assert.deepEqual(reply.json(), { error: 'no such address' });
      }
    });
  }
});

describe('headers', () => {
  const everywhere = [
    mcp,
    `${url}/api/pockets`,
    `${url}/docs`,
    `${url}/api/health`,
    `${url}/nowhere`,
    `${url}/%zz`,
    `${url}/api/atmosphere`,
  ];
  test('every reply has the CORS and security headers and a request id of its own', async () => {
    const ids = new Set<string>();
    for (const address of everywhere) {
      const { headers } = await ask(address, { headers: { 'x-request-id': 'mine' } });
      assert.equal(headers['access-control-allow-origin'], '*', address);
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.equal(headers['access-control-expose-headers'], 'etag, x-request-id');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-powered-by'], undefined);
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
      ids.add(String(headers['x-request-id']));
    }
    assert.equal(ids.size, everywhere.length);
  });

  test('a page may load nothing from another origin', async () => {
    const { headers } = await ask(`${url}/docs`);
    assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'/);
  });

  test('a preflight allows every header that the service reads', async () => {
    for (const path of ['/api/mcp', '/api/atmosphere', '/nowhere']) {
      const reply = await ask(url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' },
      });
      assert.deepEqual([reply.status, reply.text], [204, '']);
      assert.equal(reply.headers['access-control-allow-origin'], '*');
      assert.match(String(reply.headers['access-control-allow-methods']), /GET.*POST/);
      const allowed = String(reply.headers['access-control-allow-headers']).split(', ');
      for (const name of [
        'content-type',
        'accept',
        'if-none-match',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
        'mcp-session-id',
        'last-event-id',
        'idempotency-key',
        'x-pocketwatch-toolsets',
      ])
        assert.ok(allowed.includes(name), name);
    }
  });

  test('replies that are not cached forbid storing', async () => {
    for (const address of [`${url}/api/health`, `${url}/api/version`, `${url}/nowhere`, `${url}/api/lookup`])
      assert.equal((await ask(address)).headers['cache-control'], 'no-store', address);
    assert.equal((await post(mcp, ping)).headers['cache-control'], 'no-store');
  });
});

describe('a body of more than 1 MiB', () => {
  const tooLarge = { error: 'body too large (max 1 MiB)' };
  const padded = (bytes: number) => JSON.stringify(ping).padEnd(bytes);
  test('gets 413; one of exactly 1 MiB is read', async () => {
    const reply = await post(mcp, padded(MEBIBYTE + 1));
    assert.deepEqual([reply.status, reply.json()], [413, tooLarge]);
    assert.equal((await post(mcp, padded(MEBIBYTE))).status, 200);
  });

  test('gets it also without a content-length, and on any address', async () => {
    for (const address of [mcp, `${url}/api/atmosphere`]) {
      const reply = await post(address, padded(MEBIBYTE + 1), { 'transfer-encoding': 'chunked' });
      assert.deepEqual([reply.status, reply.json()], [413, tooLarge]);
    }
  });

  test('gets it at the limit when it is compressed and does not end: nothing is unpacked', async () => {
    for (const address of [mcp, `${url}/api/legitimacy`]) {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const sending = request(address, { method: 'POST', headers, agent: false });
      sending.on('error', () => undefined);
      const part = gzipSync(Buffer.alloc(64 * MEBIBYTE));
      // Never ended: it is answered while the client still sends.
      for (let sent = 0; sent <= MEBIBYTE; sent += part.length) sending.write(part);
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      assert.equal(response.statusCode, 413);
      sending.destroy();
    }
  });
});
