// Clients that hand a model the text half of an answer alone: what they pass on must say what REST says.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { callableTools } from '../../../src/operations/core/define.ts';
import { inToolsets } from '../../../src/operations/core/toolsets.ts';
import { requiredArguments } from '../../support/answers/tool-table.ts';
import { ask } from '../../support/services/http-client.ts';
import { callTool, startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const mcp = `${url}/api/mcp`;
const listed = inToolsets(callableTools(service.operations), []);
const names = listed.map(({ name }) => name);

interface TextClient {
  names: string[];
  /** What reaches the model; a refusal is a text too. */
  text(name: string, given: object): Promise<string>;
  resource(uri: string): Promise<string>;
  resources(): Promise<string[]>;
}

async function withAiSdk(t: TestContext): Promise<TextClient> {
  const client = await createMCPClient({ transport: { type: 'http', url: mcp } });
  t.after(() => client.close());
  const tools = await client.tools();
  return {
    names: Object.keys(tools),
    text: async (name, given) => {
      const tool = tools[name] ?? assert.fail(name);
      const options = { toolCallId: '1', messages: [] };
      // Its type also allows an answer in parts, which tools of MCP do not give.
      const output = (await tool.execute(given, options)) as never;
      const shown = await tool.toModelOutput?.({ toolCallId: '1', input: given, output });
      assert.ok(shown?.type === 'content');
      return shown.value.map((part) => (part.type === 'text' ? part.text : assert.fail(part.type))).join();
    },
    resource: async (uri) => firstText((await client.readResource({ uri })).contents),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
  };
}

async function withLangChain(t: TestContext): Promise<TextClient> {
  const client = new MultiServerMCPClient({ mcpServers: { pocketwatch: { url: mcp } } });
  t.after(() => client.close());
  const tools = await client.getTools();
  return {
    names: tools.map(({ name }) => name),
    text: async (name, given) => {
      const tool = tools.find((one) => one.name === name) ?? assert.fail(name);
      const answer: unknown = await tool.invoke(given).catch((error: Error) => error.message);
      return typeof answer === 'string' ? answer : (answer as { text: string }).text;
    },
    resource: async (uri) => firstText(await client.readResource('pocketwatch', uri)),
    resources: async () =>
      ((await client.listResources()).pocketwatch ?? []).map((resource: { uri: string }) => resource.uri),
  };
}

const firstText = ([first]: readonly object[]): string => (first as { text: string }).text;
const get = async (path: string) => (await ask(url + path)).json();

const clients: [name: string, connect: (t: TestContext) => Promise<TextClient>][] = [
  ['@ai-sdk/mcp', withAiSdk],
  ['@langchain/mcp-adapters', withLangChain],
];

for (const [name, connect] of clients) {
  describe(name, () => {
    test('lists every tool', async (t) => {
      assert.deepEqual((await connect(t)).names.toSorted(), names.toSorted());
    });

    test('the text has the facts that REST gives', async (t) => {
      const { text } = await connect(t);
      const { pockets } = (await get('/api/pockets')) as { pockets: string[] };
      const named = await text('list_pockets', {});
      for (const id of pockets) assert.ok(named.includes(id), id);

      const moment = (await get('/api/moment?pocket=dempsey')) as Record<string, unknown>;
      const said = await text('get_pocket_moment', { pocket_id: 'dempsey' });
      for (const field of ['pocket_id', 'primary_state', 'signal_saturation', 'fragility'])
        assert.ok(said.includes(String(moment[field])), `${field}: ${said}`);

      const { matches } = (await get('/api/lookup?query=tiong%20bahru')) as {
        matches: { pocket_id: string }[];
      };
      assert.ok(
        (await text('lookup_pocket_by_name', { query: 'tiong bahru' })).includes(
          matches[0]?.pocket_id ?? '-',
        ),
      );

      const { primary_state } =
        ((await get('/api/pockets')) as { details: Record<string, unknown>[] }).details.find(
          ({ pocket_id }) => pocket_id === 'siglap',
        ) ?? assert.fail();
      assert.ok((await text('get_pocket_moment', { pocket_id: 'siglap' })).includes(String(primary_state)));
    });

    test('every tool that reads has a text, the same as by hand', async (t) => {
      const { text } = await connect(t);
      for (const { name, effect } of listed) {
        if (effect === 'append') continue;
        const given = requiredArguments(name);
        const { content } = await callTool(url, name, given);
        assert.equal(await text(name, given), content[0]?.text, name);
      }
    });

    test('an answer about a pocket that does not exist is a text, with what may have been meant', async (t) => {
      const { text } = await connect(t);
      assert.match(await text('get_pocket_atmosphere', { pocket_id: 'tiongbaru' }), /similar: tiongbahru/);
    });

    test('reads resources', async (t) => {
      const { resource, resources, text } = await connect(t);
      assert.ok((await resources()).includes('pocket://dempsey'));
      assert.equal(
        await resource('pocket://dempsey'),
        await text('get_pocket_moment', { pocket_id: 'dempsey' }),
      );
      assert.match(await resource('pocketwatch://glossary/pocket'), /^# pocket/);
    });
  });
}
