// MCP over stdio as clients start it, and the set-ups of the page /mcp, tried where their client can run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { SLOT } from '../../src/domain/time/slot.ts';
import { callableTools } from '../../src/operations/core/define.ts';
import { inToolsets } from '../../src/operations/core/toolsets.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { readingsBetween, writeReadings } from '../../src/store/observation/readings.ts';
import { setupsFor } from '../../src/web/site/mcp-setups.ts';
import { requiredArguments } from '../support/answers/tool-table.ts';
import { ask } from '../support/services/http-client.ts';
import { run } from '../support/services/processes.ts';
import { NOON, startService } from '../support/services/service.ts';
import { sqlitePlace } from '../support/stores/store-places.ts';

const { url, service, store: ownStore } = await startService({ after: after as TestContext['after'] });
const tools = inToolsets(callableTools(service.operations), []);
const names = tools.map(({ name }) => name);

const place = await sqlitePlace(1);
const home = mkdtempSync(join(tmpdir(), 'pocketwatch-stdio-'));
after(async () => {
  rmSync(home, { recursive: true, force: true });
  await place.remove();
});
const environment = { DATA_DIR: place.dataDir, DATABASE_URL: '' };
const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
/** What clients pass on, and where the modules are that other processes of the tests have compiled. */
const passed = { PATH, NODE_COMPILE_CACHE, ...environment };
const root = join(import.meta.dirname, '../..');
const program = join(root, 'bin/pocketwatch.mjs');

/** The SDK's client, connected to a command that it has started. */
async function connected(t: TestContext, command: string, args: string[]) {
  const transport = new StdioClientTransport({
    command,
    args,
    env: passed,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  t.after(() => client.close());
  return { client, errors };
}

describe('the SDK client over stdio', () => {
  test('lists and calls every tool from the local store; submissions are refused', async (t) => {
    const { client, errors } = await connected(t, process.execPath, [program, 'mcp']);
    assert.equal(client.getServerVersion()?.name, 'pocketwatch');
    const listed = await client.listTools();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      names,
    );
    for (const { name, effect } of tools) {
      const { isError, content } = await client.callTool({ name, arguments: requiredArguments(name) });
      assert.equal(isError ?? false, effect === 'append', name);
      if (isError) assert.match(JSON.stringify(content), /this command only reads: give it --url/);
    }
    await readResources(client);
    // No address of the service is known.
    assert.equal(client.getServerVersion()?.icons, undefined);
    assert.deepEqual(errors, []);
  });

  test('asks a service, as the page sets it up, for one toolset', async (t) => {
    const stdio = setupsFor(url).find(({ client }) => client.includes('stdio'));
    const { command, args } = JSON.parse(stdio?.text ?? '').mcpServers.pocketwatch;
    const own = args.map((arg: string) => arg.replace('/path/to/pocketwatch', root));
    const node = command === 'node' ? process.execPath : command;
    const { client, errors } = await connected(t, node, [...own, '--toolset', 'benchmark']);
    const listed = await client.listTools();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      inToolsets(tools, ['benchmark']).map(({ name }) => name),
    );
    for (const name of names) {
      const { isError } = await client.callTool({ name, arguments: requiredArguments(name) });
      assert.equal(isError, undefined, name);
    }
    await readResources(client);
    assert.deepEqual(errors, []);
  });
});

async function readResources(client: Client) {
  assert.deepEqual(client.getServerCapabilities()?.resources, {});
  const { contents } = await client.readResource({ uri: 'pocket://dempsey' });
  const { content } = await client.callTool({
    name: 'get_pocket_moment',
    arguments: { pocket_id: 'dempsey' },
  });
  const [first] = contents as { text: string }[];
  assert.equal(first?.text, (content as { text: string }[])[0]?.text);
  const argument = { name: 'id', value: 'dem' };
  const ref = { type: 'ref/resource' as const, uri: 'pocket://{id}' };
  assert.deepEqual((await client.complete({ ref, argument })).completion.values, ['dempsey']);
  assert.equal((await client.listPrompts()).prompts.length, 3);
}

describe('a subscription over stdio', () => {
  /** What a client of 2026-07-28 is told after `write` has written a reading of the pocket. */
  async function collectUpdates(
    t: TestContext,
    args: string[],
    write: () => Promise<void>,
  ): Promise<string[]> {
    const client = new Client2(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(
      new Stdio2({
        command: process.execPath,
        args: [program, 'mcp', ...args],
        env: passed,
        stderr: 'pipe',
      }),
    );
    t.after(() => client.close());
    const updated: string[] = [];
    const { promise: first, resolve } = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
      resolve();
    });
    const subscription = await client.listen({ resourceSubscriptions: ['pocket://dempsey'] });
    await write();
    await first;
    await subscription.close();
    assert.deepEqual(errors, []);
    return updated;
  }

  async function writeReading(store: Store, slot: number) {
    const [row] = await readingsBetween(store, 'dempsey', 0, slot);
    assert.ok(row);
    await store.transaction((tx) => writeReadings(tx, [{ ...row, slot, anomaly_flag: false }]));
  }

  test('from the local store', async (t) => {
    const store = openStore(place);
    t.after(() => store.close());
    assert.deepEqual(await collectUpdates(t, [], () => writeReading(store, NOON + SLOT)), [
      'pocket://dempsey',
    ]);
  });

  test('does not keep the command from ending with its input', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { resourceSubscriptions: ['pocket://dempsey'] };
    const params = { _meta, notifications };
    const input = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'subscriptions/listen', params });
    for (const args of [[], ['--url', url]]) {
      const { status, stdout } = await run(['mcp', ...args], environment, input);
      assert.equal(status, 0);
      // Through a service the stream may be closed before its first message has come.
      for (const line of stdout.trim().split('\n').filter(Boolean))
        assert.equal(JSON.parse(line).method, 'notifications/subscriptions/acknowledged');
    }
  });

  test('through a service', async (t) => {
    const write = async () => {
      await writeReading(ownStore, NOON + SLOT);
      await service.dataVersion.refresh();
    };
    assert.deepEqual(await collectUpdates(t, ['--url', url], write), ['pocket://dempsey']);
  });
});

describe('a raw pipe', () => {
  const request = (id: number, method: string, params = {}) => ({ jsonrpc: '2.0', id, method, params });
  const call = request(3, 'tools/call', { name: 'list_pockets' });
  const input = [
    JSON.stringify(request(1, 'ping')),
    '{broken',
    '',
    `{"huge":"${'x'.repeat(2 * 1024 * 1024)}"}`,
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    JSON.stringify([request(2, 'ping'), call]),
    // Without a newline at the end of the input.
    JSON.stringify(request(4, 'tools/list')),
  ].join('\n');

  test('is answered line by line until its end', async () => {
    const { status, stdout } = await run(['mcp'], environment, input);
    assert.equal(status, 0);
    const replies = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ids = (reply: { id: unknown } | { id: unknown }[]): unknown =>
      Array.isArray(reply) ? reply.map(({ id }) => id) : reply.id;
    assert.deepEqual(replies.map((reply) => JSON.stringify(ids(reply))).sort(), [
      ...['1', '4', '[2,3]'],
      ...['null', 'null'],
    ]);
    const codes = replies.flatMap(({ error }) => (error ? [error.code] : []));
    assert.deepEqual(codes.sort(), [-32600, -32700].sort());
  });
});

describe('the set-ups of the page', () => {
  const setups = setupsFor(url);
  const textFor = (name: string) => setups.find(({ client }) => client === name)?.text ?? '';

  test('are on the page, unchanged', async () => {
    const { text } = await ask(`${url}/mcp`);
    const unescaped = text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
    for (const setup of setupsFor(service.baseUrl))
      assert.ok(unescaped.includes(setup.text), `${setup.client}: ${setup.text}`);
  });

  test('name the MCP address in the field that each client reads', () => {
    const address = `${url}/api/mcp`;
    const json = (name: string) => JSON.parse(textFor(name));
    assert.equal(json('Cursor').mcpServers.pocketwatch.url, address);
    assert.deepEqual(json('VS Code').servers.pocketwatch, { type: 'http', url: address });
    assert.equal(json('Windsurf').mcpServers.pocketwatch.serverUrl, address);
    assert.equal(json('Gemini CLI').mcpServers.pocketwatch.httpUrl, address);
    assert.equal(json('Zed').context_servers.pocketwatch.url, address);
    assert.equal(textFor('Codex'), `[mcp_servers.pocketwatch]\nurl = "${address}"`);
    assert.equal(textFor('Claude Desktop'), address);
    assert.ok(textFor('Claude Code').endsWith(` ${address}`));
  });

  /** What the line prints, with the installed inspector in place of the one that npx would fetch. */
  async function shell(line: string): Promise<string> {
    const inspector = `'${process.execPath}' '${join(root, 'node_modules/.bin/mcp-inspector')}'`;
    const child = spawn('sh', ['-c', line.replace('npx @modelcontextprotocol/inspector', inspector)], {
      cwd: home,
      env: { ...process.env, HOME: home, NO_COLOR: '1' },
    });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.resume();
    const [status] = await once(child, 'close');
    assert.equal(status, 0, output);
    return output;
  }

  test('the line for the inspector lists the tools', async () => {
    const { tools } = JSON.parse(await shell(textFor('MCP Inspector')));
    assert.equal(tools.length, names.length);
  });

  test('the line for curl calls a tool', async (t) => {
    if ((await once(spawn('sh', ['-c', 'command -v curl']), 'close'))[0] !== 0) return t.skip('no curl');
    const { result } = JSON.parse(await shell(textFor('curl')));
    assert.equal(result._meta.tool, 'find_calm_pocket_now');
  });
});
