// Resources over HTTP: a pocket says what the tool says, and every address that is listed can be read.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import { ask } from '../../support/services/http-client.ts';
import { callTool, rpc, startService } from '../../support/services/service.ts';

const lifetime = { after: after as TestContext['after'] };
const { url, service } = await startService(lifetime);

interface Content {
  uri: string;
  mimeType: string;
  text: string;
}
const read = async (uri: unknown, own = url) => {
  const { result, error } = await rpc(own, 'resources/read', { uri });
  return { contents: result?.contents as Content[], error };
};
const list = async (own: string, cursor?: string) => {
  const { result } = await rpc(own, 'resources/list', cursor === undefined ? {} : { cursor });
  return result as { resources: Record<string, unknown>[]; nextCursor?: string };
};

const fixed = [
  'pocketwatch://glossary',
  'pocketwatch://formulas',
  'pocketwatch://status',
  'pocketwatch://trust',
  'pocketwatch://days',
  'pocketwatch://offers',
];

test('every pocket is listed, with the documents and reports before them', async () => {
  const { resources, nextCursor } = await list(url);
  assert.equal(nextCursor, undefined);
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    [...fixed, ...service.registry.pockets.map(({ id }) => `pocket://${id}`).sort()],
  );
  for (const { uri, name, title, description, mimeType } of resources)
    for (const value of [name, title, description, mimeType]) assert.ok(value, String(uri));
});

test('what is listed can be read, has the type and size that the list states, and an answer is small', async () => {
  const { resources } = await list(url);
  for (const { uri, mimeType, size } of resources) {
    const { contents } = await read(uri);
    assert.equal(contents[0]?.mimeType, mimeType);
    for (const content of contents) assert.equal(content.uri, uri);
    const bytes = Buffer.byteLength(contents.map(({ text }) => text).join(''));
    if (size === undefined) assert.ok(bytes > 50 && bytes < 16 * 1024, `${uri}: ${bytes}`);
    else assert.equal(bytes, size);
  }
});

test('a pocket is the answer of get_pocket_moment, as text and as JSON', async () => {
  for (const { id } of service.registry.pockets) {
    const { content, structuredContent } = await callTool(url, 'get_pocket_moment', { pocket_id: id });
    const { contents } = await read(`pocket://${id}`);
    assert.deepEqual(
      contents.map(({ mimeType }) => mimeType),
      ['text/plain', 'application/json'],
    );
    assert.equal(contents[0]?.text, content[0]?.text);
    assert.deepEqual(JSON.parse(contents[1]?.text ?? ''), structuredContent);
  }
});

test('a report is the answer that REST gives, as text and as JSON', async () => {
  for (const [name, address] of [
    ['trust', '/api/trust?window=7d'],
    ['days', '/api/changelog?days=2'],
    ['offers', '/api/experiences?limit=5'],
  ] as const) {
    const { contents } = await read(`pocketwatch://${name}`);
    const { _meta, ...answer } = (await ask(url + address)).json<Record<string, unknown>>();
    assert.deepEqual(JSON.parse(contents[1]?.text ?? ''), answer, name);
    assert.match(contents[0]?.text ?? '', /\nsimulated, newest reading 12:00 SGT\.$/, name);
    assert.ok(Buffer.byteLength(contents[0]?.text ?? '') < 4 * 1024, name);
  }
});

test('the status tells of this process and of every check', async () => {
  const { contents } = await read('pocketwatch://status');
  const { _meta, ...heartbeat } = (await ask(`${url}/api/heartbeat`)).json<{
    _meta: object;
    checks: { status: string; hint: string | null }[];
  }>();
  const { version, deployed_at } = service.build;
  const { ready, history } = (await ask(`${url}/api/ready`)).json<{ ready: boolean; history: object }>();
  assert.deepEqual(JSON.parse(contents[1]?.text ?? ''), {
    ...{ ready, history: { ...history, seconds_left: 0 }, version, deployed_at },
    ...heartbeat,
  });
  const text = contents[0]?.text ?? '';
  assert.match(text, /^ready: .+\nbuild 'test', first run on this store at 12:00 SGT on 2026-11-11 /);
  for (const { hint } of heartbeat.checks) assert.ok(hint === null || text.includes(hint), hint ?? '');
});

test('the glossary and the formulas are read whole, and by term and section', async () => {
  const { contents } = await read('pocketwatch://glossary/calm-window');
  assert.match(contents[0]?.text ?? '', /^# calm window/);
  const formula = await read('pocketwatch://formulas/calm-probability');
  assert.match(formula.contents[0]?.text ?? '', /^## Calm probability/);
  const whole = (await read('pocketwatch://formulas')).contents[0]?.text ?? '';
  assert.ok(whole.includes(formula.contents[0]?.text ?? 'x'));
});

test('templates name the three kinds of addresses', async () => {
  const { result = {} } = await rpc(url, 'resources/templates/list');
  assert.deepEqual(
    (result.resourceTemplates as { uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate),
    ['pocket://{id}', 'pocketwatch://glossary/{slug}', 'pocketwatch://formulas/{slug}'],
  );
});

describe('what does not exist', () => {
  for (const uri of [
    'pocket://atlantis',
    'pocket://',
    'pocket://DEMPSEY/x',
    'pocketwatch://glossary/no-such',
    'pocketwatch://formulas/__proto__',
    'pocketwatch://constructor',
    'file:///etc/passwd',
    'pocketwatch://../../package.json',
    '',
  ])
    test(`${uri} is an error that repeats the address`, async () => {
      const { error } = await read(uri);
      assert.equal(error?.code, -32002);
      assert.equal((error as unknown as { data: { uri: string } }).data.uri, uri);
      assert.match(error?.message ?? '', /^resource not found: /);
    });

  test('a similar pocket is named', async () => {
    const { error } = await read('pocket://tiongbaru');
    assert.match(error?.message ?? '', /similar: pocket:\/\/tiongbahru/);
  });

  test('an address that is no text, and a cursor that was not given, are wrong parameters', async () => {
    assert.equal((await read(7)).error?.code, -32602);
    assert.equal((await read(undefined)).error?.code, -32602);
    for (const cursor of ['atlantis', 7, null])
      assert.equal((await rpc(url, 'resources/list', { cursor })).error?.code, -32602);
  });

  test('a long address is not repeated whole', async () => {
    const { error } = await read(`pocket://${'x'.repeat(100_000)}`);
    assert.ok(JSON.stringify(error).length < 1000);
  });
});

test('in a large city the list comes in pages, and each pocket once', async (t) => {
  const registry = loadRegistry(cityDir('singapore'));
  const [pocket] = registry.pockets;
  assert.ok(pocket);
  const pockets = Array.from({ length: 120 }, (_, n) => ({
    ...pocket,
    id: `p${String(n).padStart(4, '0')}`,
  }));
  const large = await startService(t, { days: 0, registry: { ...registry, pockets, outlets: [] } });
  const uris: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(large.url, cursor);
    assert.ok(JSON.stringify(page).length < 32 * 1024);
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(
    uris.slice(fixed.length),
    pockets.map(({ id }) => `pocket://${id}`),
  );
});

test('without a datastore the documents can be read, and a pocket says why it cannot', async (t) => {
  const bare = await startService(t, { place: 'none' });
  assert.ok((await read('pocketwatch://glossary', bare.url)).contents[0]?.text);
  const { error } = await read('pocket://dempsey', bare.url);
  assert.deepEqual([error?.code, error?.message], [-32603, 'datastore not configured']);
  assert.equal((await read('pocketwatch://trust', bare.url)).error?.message, 'datastore not configured');
  // Whether the service is ready is known without a store.
  const { contents } = await read('pocketwatch://status', bare.url);
  assert.match(
    contents[0]?.text ?? '',
    /^ready: .+\nthe checks could not be made: datastore not configured\.$/s,
  );
});

test('initialize says what is offered, and who answers', async () => {
  const { result } = await rpc(url, 'initialize', { protocolVersion: '2025-11-25' });
  const { capabilities, serverInfo } = result as {
    capabilities: object;
    serverInfo: { icons: { src: string; mimeType: string }[]; websiteUrl: string };
  };
  assert.deepEqual(capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
  const { icons, websiteUrl, ...named } = serverInfo;
  assert.deepEqual(named, { name: 'pocketwatch', version: '0.1.0', title: 'Pocketwatch Singapore' });
  assert.equal(websiteUrl, service.baseUrl);
  for (const { src, mimeType } of icons) {
    const reply = await ask(src.replace(service.baseUrl, url), { headOnly: true });
    assert.deepEqual([reply.status, reply.headers['content-type']?.split(';')[0]], [200, mimeType], src);
  }
});
