// The service against real clients of every era: the official SDKs, the inspector, the conformance suite, and a client
// of 2024-11-05 written by hand. All use the same address.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { callableTools } from '../../src/operations/core/define.ts';
import { inToolsets } from '../../src/operations/core/toolsets.ts';
import { requiredArguments } from '../support/answers/tool-table.ts';
import { conformanceChecks, inspect } from '../support/services/mcp-programs.ts';
import { startService } from '../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const mcp = `${url}/api/mcp`;
const names = inToolsets(callableTools(service.operations), []).map(({ name }) => name);

const offered = { tools: {}, resources: {}, prompts: {}, completions: {} };

function assertServer(info: unknown) {
  const { name, version, title, websiteUrl, icons } = info as Record<string, unknown>;
  assert.deepEqual(
    [name, version, title, websiteUrl],
    ['pocketwatch', '0.1.0', 'Pocketwatch Singapore', service.baseUrl],
  );
  assert.equal((icons as object[]).length, 2);
}

interface AnyClient {
  list(): Promise<{ tools: { name: string; outputSchema?: unknown }[]; nextCursor?: unknown }>;
  call(name: string, given: Record<string, unknown>): Promise<unknown>;
}

async function listAndCallAll({ list, call }: AnyClient) {
  const { tools, nextCursor } = await list();
  assert.deepEqual(
    tools.map(({ name }) => name),
    names,
  );
  assert.equal(nextCursor, undefined);
  for (const name of names) checkAnswer(await call(name, requiredArguments(name)), name);
}

function checkAnswer(answer: unknown, name: string) {
  const { isError, content, structuredContent } = answer as Record<string, unknown>;
  assert.equal(isError, undefined, name);
  const [first] = content as { type: string; text: string }[];
  assert.equal(first?.type, 'text', name);
  assert.notEqual(first.text, '', name);
  assert.equal(typeof structuredContent, 'object', name);
}

describe('the SDK v1 client', () => {
  async function connected(t: TestContext) {
    const requests: string[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(mcp), {
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        requests.push(`${init?.method ?? 'GET'} ${response.status}`);
        return response;
      },
      reconnectionOptions: {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 1000,
      },
    });
    const errors: Error[] = [];
    const client = new Client({ name: 'test', version: '1' });
    client.onerror = (error) => errors.push(error);
    await client.connect(transport as Parameters<Client['connect']>[0]);
    t.after(() => client.close());
    return { client, transport, requests, errors };
  }

  test('connects with the version that it asks for, without a session', async (t) => {
    const { client, transport } = await connected(t);
    assertServer(client.getServerVersion());
    assert.deepEqual(client.getServerCapabilities(), offered);
    assert.match(client.getInstructions() ?? '', /list_pockets/);
    assert.equal(transport.protocolVersion, '2025-11-25');
    assert.equal(transport.sessionId, undefined);
    assert.deepEqual(await client.ping(), {});
  });

  test('asks once for an event stream, accepts the 405 and does not retry', async (t) => {
    const { client, requests, errors } = await connected(t);
    await client.listTools();
    while (!requests.some((request) => request.startsWith('GET'))) await pause(10);
    await pause(200);
    assert.deepEqual(requests.sort(), ['GET 405', 'POST 200', 'POST 200', 'POST 202']);
    assert.deepEqual(errors, []);
  });

  test('lists and calls all tools', async (t) => {
    const { client } = await connected(t);
    const { tools } = await client.listTools();
    for (const tool of tools) assert.equal(tool.outputSchema, undefined);
    await listAndCallAll({
      list: () => client.listTools(),
      call: (name, given) => client.callTool({ name, arguments: given }),
    });
  });

  test('gets invalid calls as tool errors', async (t) => {
    const { client } = await connected(t);
    const text = async (name: string, given = {}) => {
      const { isError, content } = await client.callTool({ name, arguments: given });
      assert.equal(isError, true);
      return (content as { text: string }[])[0]?.text;
    };
    assert.equal(await text('no_such_tool'), 'error: unknown tool: no_such_tool');
    assert.equal(await text('get_pocket_atmosphere'), 'error: pocket_id is required');
  });

  test('gets an error for unknown methods', async (t) => {
    const { client } = await connected(t);
    await assert.rejects(
      client.request({ method: 'resources/subscribe', params: { uri: 'pocket://dempsey' } }, {} as never),
      { code: -32601 },
    );
  });
});

describe('the SDK v2 client', () => {
  const modes = [
    { mode: 'legacy', version: '2025-11-25' },
    { mode: 'auto', version: '2026-07-28' },
    { mode: { pin: '2026-07-28' }, version: '2026-07-28' },
  ] as const;
  for (const { mode, version } of modes) {
    test(`in mode ${JSON.stringify(mode)} speaks ${version}, and lists and calls all tools`, async (t) => {
      const client = new Client2({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const errors: Error[] = [];
      client.onerror = (error) => errors.push(error);
      await client.connect(new Transport2(new URL(mcp)));
      t.after(() => client.close());
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assertServer(client.getServerVersion());
      const resources = version === '2026-07-28' ? { subscribe: true } : {};
      assert.deepEqual(client.getServerCapabilities(), { ...offered, resources });
      await listAndCallAll({
        list: () => client.listTools(),
        call: (name, given) => client.callTool({ name, arguments: given }),
      });
      assert.deepEqual(errors, []);
    });
  }
});

test('a client of 2024-11-05, written by hand, lists and calls all tools', async () => {
  let id = 0;
  const post = (message: object) =>
    fetch(mcp, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const request = async (method: string, params: object = {}) => {
    id += 1;
    const reply = (await (await post({ id, method, params })).json()) as { id: number; result: object };
    assert.equal(reply.id, id);
    assert.ok(!('resultType' in reply.result));
    return reply.result;
  };
  const clientInfo = { name: 'by hand', version: '1' };
  const started = await request('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo,
  });
  assert.equal((started as { protocolVersion: string }).protocolVersion, '2024-11-05');
  assert.equal((await post({ method: 'notifications/initialized' })).status, 202);
  await listAndCallAll({
    list: () => request('tools/list') as ReturnType<AnyClient['list']>,
    call: (name, given) => request('tools/call', { name, arguments: given }),
  });
});

test('the inspector finds no fault in any schema, and calls all tools', async () => {
  const toolArguments = (name: string) =>
    Object.entries(requiredArguments(name)).flatMap(([argument, value]) => [
      '--tool-arg',
      `${argument}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
  const [listed, ...answers] = await inspect(mcp, [
    ['--method', 'tools/list', '--strict'],
    ...names.map((name) => ['--method', 'tools/call', '--tool-name', name, ...toolArguments(name)]),
  ]);
  assert.deepEqual(
    (listed as { tools: { name: string }[] }).tools.map(({ name }) => name),
    names,
  );
  assert.equal(answers.length, names.length);
  for (const [at, name] of names.entries()) checkAnswer(answers[at], name);
});

describe('the conformance suite', () => {
  // Each check that does not pass, with the key of its reason. It must be about something that is not offered.
  const { reasons, ...expected } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'conformance-expected.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  const applicable: Record<string, string[]> = {
    '2025-11-25': [
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ],
    '2026-07-28': [
      'server-stateless',
      'http-header-validation',
      'tools-list',
      'resources-list',
      'prompts-list',
      'sep-2164-resource-not-found',
      'caching',
      'dns-rebinding-protection',
    ],
  };

  test('every check that is expected to fail has a reason', () => {
    const used = Object.values(expected).flatMap((checks) => Object.values(checks));
    assert.deepEqual([...new Set(used)].sort(), Object.keys(reasons ?? {}).sort());
  });

  for (const [version, scenarios] of Object.entries(applicable)) {
    test(`passes for ${version}, except in what is not offered`, async () => {
      const checks = await conformanceChecks(mcp, version);
      const passed = new Set(
        checks.filter(({ status }) => status === 'SUCCESS').map(({ scenario }) => scenario),
      );
      for (const scenario of scenarios) assert.ok(passed.has(scenario), scenario);
      // A warning is a recommendation of the specification that is not followed.
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      assert.deepEqual(
        [...new Set(failed.map(({ scenario, id }) => `${scenario}: ${id}`))].sort(),
        Object.keys(expected[version] ?? {}).sort(),
        failed.map(({ scenario, errorMessage }) => `${scenario}: ${errorMessage}`).join('\n'),
      );
    });
  }
});
