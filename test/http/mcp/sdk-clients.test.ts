// Resources, prompts and completion, asked by the official SDKs in every era and by the inspector.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { inspect } from '../../support/services/mcp-programs.ts';
import { callTool, startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const mcp = new URL(`${url}/api/mcp`);

const uri = 'pocket://dempsey';
const completion = {
  ref: { type: 'ref/resource' as const, uri: 'pocket://{id}' },
  argument: { name: 'id', value: 'tiong b' },
};
const prompt = { name: 'explain_silence', arguments: { pocket: 'Tiong Bahru' } };
const promptCompletion = {
  ref: { type: 'ref/prompt' as const, name: 'plan_afternoon' },
  argument: { name: 'purpose', value: 'work' },
};

/** What both SDKs have in common. */
interface SdkClient {
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: typeof prompt): Promise<{ messages: { content: object }[] }>;
  complete(
    params: typeof completion | typeof promptCompletion,
  ): Promise<{ completion: { values: string[] } }>;
}

/** The documents and reports that are listed beside the pockets. */
const FIXED = 6;

async function askEverything(client: SdkClient, notFound: number) {
  const { resources } = await client.listResources();
  assert.equal(resources.length, service.registry.pockets.length + FIXED);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0]?.uriTemplate, completion.ref.uri);
  const { contents } = await client.readResource({ uri });
  const { content } = await callTool(url, 'get_pocket_moment', { pocket_id: 'dempsey' });
  assert.equal((contents[0] as { text: string }).text, content[0]?.text);
  const { contents: report } = await client.readResource({ uri: 'pocketwatch://status' });
  assert.match((report[0] as { text: string }).text, /of 9 checks are green/);
  await assert.rejects(client.readResource({ uri: 'pocket://atlantis' }), { code: notFound });

  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['plan_afternoon', 'explain_silence', 'brief_merchant'],
  );
  const { messages } = await client.getPrompt(prompt);
  const [{ content: said } = assert.fail()] = messages;
  assert.match((said as { text: string }).text, /`get_pocket_silence`.*"tiongbahru"/);
  await assert.rejects(client.getPrompt({ ...prompt, name: 'no_such' }), { code: -32602 });

  assert.deepEqual((await client.complete(completion)).completion.values, ['tiongbahru']);
  assert.ok((await client.complete(promptCompletion)).completion.values.includes('work-friendly'));
}

test('the SDK v1', async (t) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(mcp) as Parameters<Client['connect']>[0]);
  t.after(() => client.close());
  await askEverything(client as unknown as SdkClient, -32002);
});

// This SDK has one code for a resource that does not exist, whatever the era of the reply.
for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`the SDK v2, in mode ${JSON.stringify(mode)}`, async (t) => {
    const client = new Client2({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(new Transport2(mcp));
    t.after(() => client.close());
    await askEverything(client as unknown as SdkClient, -32602);
    assert.deepEqual(errors, []);
  });

test('the inspector', async () => {
  const [listed, templates, read, prompts, got] = (await inspect(mcp.href, [
    ['--method', 'resources/list'],
    ['--method', 'resources/templates/list'],
    ['--method', 'resources/read', '--uri', uri],
    ['--method', 'prompts/list'],
    ['--method', 'prompts/get', '--prompt-name', prompt.name, '--prompt-args', 'pocket=dempsey'],
  ])) as Record<string, object[]>[];
  assert.equal(listed?.resources?.length, service.registry.pockets.length + FIXED);
  assert.equal(templates?.resourceTemplates?.length, 3);
  assert.equal(read?.contents?.length, 2);
  assert.equal(prompts?.prompts?.length, 3);
  assert.equal(got?.messages?.length, 1);
});

test('beyond the rate limit an SDK reports the refusal, and goes on afterwards', async (t) => {
  const limited = await startService(t, { days: 0, mcpLimit: 3 });
  const client = new Client2(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new Transport2(new URL(`${limited.url}/api/mcp`)));
  t.after(() => client.close());
  await client.callTool({ name: 'list_pockets', arguments: {} });
  await client.callTool({ name: 'list_pockets', arguments: {} });
  await assert.rejects(client.callTool({ name: 'list_pockets', arguments: {} }), (error: Error) => {
    assert.match(error.message, /rate limit exceeded: at most 3 requests in 60 seconds/);
    return true;
  });
  limited.clock.now += 60_000;
  assert.equal((await client.callTool({ name: 'list_pockets', arguments: {} })).isError, undefined);
});
