// The service against real clients: the official SDK, inspector and conformance suite.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { toolsOf } from '../../src/operations/core/define.ts';
import { toolTable } from '../support/answers/tool-table.ts';
import { startService } from '../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const mcp = `${url}/api/mcp`;
const names = toolsOf(service.operations).map(({ name }) => name);

const programs = join(import.meta.dirname, '../../node_modules/.bin');
const home = mkdtempSync(join(tmpdir(), 'pocketwatch-clients-'));
after(() => rmSync(home, { recursive: true, force: true }));

async function run(program: string, ...args: string[]) {
  const env = { ...process.env, HOME: home, NO_COLOR: '1' };
  const child = spawn(process.execPath, [join(programs, program), ...args], { cwd: home, env });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (text.stdout += data));
  child.stderr.on('data', (data) => (text.stderr += data));
  const [code] = await once(child, 'close');
  return { code, ...text };
}

describe('the SDK client', () => {
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

  test('connects, without a session', async (t) => {
    const { client, transport } = await connected(t);
    assert.deepEqual(client.getServerVersion(), { name: 'pocketwatch', version: '0.1.0' });
    assert.deepEqual(client.getServerCapabilities(), { tools: {} });
    assert.match(client.getInstructions() ?? '', /list_pockets/);
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

  test('lists the tools', async (t) => {
    const { client } = await connected(t);
    const { tools, nextCursor } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    );
    assert.equal(nextCursor, undefined);
    for (const tool of tools) assert.equal(tool.outputSchema, undefined);
  });

  for (const name of names) {
    test(`calls ${name}`, async (t) => {
      const { client } = await connected(t);
      const given = Object.entries(toolTable[name] ?? {}).flatMap(([argument, { required, sample }]) =>
        required ? [[argument, sample]] : [],
      );
      const result = await client.callTool({ name, arguments: Object.fromEntries(given) });
      assert.equal(result.isError, undefined);
      const [content] = result.content as { type: string; text: string }[];
      assert.equal(content?.type, 'text');
      assert.notEqual(content.text, '');
      assert.equal(typeof result.structuredContent, 'object');
    });
  }

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
    await assert.rejects(client.request({ method: 'resources/list' }, {} as never), { code: -32601 });
  });
});

describe('the inspector', () => {
  const inspect = (...args: string[]) => run('mcp-inspector', '--cli', mcp, '--transport', 'http', ...args);

  test('finds no fault in any schema', async () => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
    assert.deepEqual([code, stderr], [0, '']);
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    );
  });

  test('calls a tool', async () => {
    const { code, stdout, stderr } = await inspect(
      ...['--method', 'tools/call', '--tool-name', 'get_pocket_atmosphere'],
      ...['--tool-arg', 'pocket_id=tiongbahru', 'hours=2'],
    );
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).structuredContent.window_hours, 2);
  });
});

describe('the conformance suite', () => {
  const applicable = ['server-initialize', 'ping', 'tools-list'];

  const ownTool = "calls a tool of the suite's own; the tools here are those of the interface and no others";
  const noResources = 'resources are not offered';
  const noPrompts = 'prompts are not offered';
  const noStream = 'needs a stream to the client; each request is answered by itself, in JSON';
  const notApplicable: Record<string, string> = {
    'logging-set-level': 'logging to the client is not offered',
    'completion-complete': 'completions are not offered',
    'tools-call-simple-text': `${ownTool} (it would pass, on the text of the error)`,
    'tools-call-error': `${ownTool} (it would pass, since an unknown tool is a tool error)`,
    'tools-call-image': ownTool,
    'tools-call-audio': ownTool,
    'tools-call-embedded-resource': ownTool,
    'tools-call-mixed-content': ownTool,
    'json-schema-2020-12': ownTool,
    'tools-call-with-logging': noStream,
    'tools-call-with-progress': noStream,
    'tools-call-sampling': noStream,
    'tools-call-elicitation': noStream,
    'elicitation-sep1034-defaults': noStream,
    'elicitation-sep1330-enums': noStream,
    'server-sse-polling': noStream,
    'server-sse-multiple-streams': noStream,
    'resources-list': noResources,
    'resources-read-text': noResources,
    'resources-read-binary': noResources,
    'resources-templates-read': noResources,
    'resources-subscribe': noResources,
    'resources-unsubscribe': noResources,
    'prompts-list': noPrompts,
    'prompts-get-simple': noPrompts,
    'prompts-get-with-args': noPrompts,
    'prompts-get-embedded-resource': noPrompts,
    'prompts-get-with-image': noPrompts,
    'dns-rebinding-protection':
      'guards a server that only its own machine may reach; this one is public, knows no credentials and serves any Origin',
  };

  test('has no scenario that is not listed here', async () => {
    const { code, stdout } = await run('conformance', 'list', '--server');
    assert.equal(code, 0);
    const listed = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
    assert.deepEqual(listed.sort(), [...applicable, ...Object.keys(notApplicable)].sort());
  });

  for (const scenario of applicable) {
    test(`passes ${scenario}`, async () => {
      const { code, stdout, stderr } = await run(
        'conformance',
        'server',
        '--url',
        mcp,
        '--scenario',
        scenario,
      );
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
    });
  }
});
