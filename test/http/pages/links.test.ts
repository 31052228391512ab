// Every address that the service publishes answers.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { callableTools } from '../../../src/operations/core/define.ts';
import { ask } from '../../support/services/http-client.ts';
import { callTool, startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const base = service.baseUrl;

/** Published addresses start with the public base URL; they are requested from the server of this test. */
async function assertAnswers(published: string, from: string): Promise<void> {
  const { pathname, search, origin } = new URL(published, `${base}/`);
  assert.equal(origin, base, `${from} publishes an address elsewhere: ${published}`);
  const { status } = await ask(`${url}${pathname}${search}`);
  assert.equal(status, 200, `${published}, published by ${from}`);
}

/** Each string in a JSON value that starts with the public base URL. */
function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(base) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linksIn) : [];
}

test('the addresses of the interface', async () => {
  for (const path of [
    '/.well-known/mcp.json',
    '/api/mcp',
    '/LICENSE-CONTENT.md',
    '/mcp/CHANGELOG.md',
    '/mcp/STATUS.md',
    '/openapi.json',
    '/docs',
  ])
    await assertAnswers(path, 'the interface');
});

test('documents are served as Markdown', async () => {
  for (const path of ['/LICENSE-CONTENT.md', '/glossary.md', '/mcp/CHANGELOG.md', '/mcp/STATUS.md']) {
    const { headers, text } = await ask(url + path);
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8');
    assert.match(text, /^# /);
  }
  assert.match((await ask(`${url}/LICENSE-CONTENT.md`)).text, /BY-NC-ND 4\.0/);
});

test('links in the manifest, in OpenAPI, in tool results and in REST bodies', async () => {
  const sources: [name: string, body: unknown][] = [
    ['the manifest', (await ask(`${url}/api/mcp`)).json()],
    ['openapi.json', (await ask(`${url}/openapi.json`)).json()],
    ['server.json', (await ask(`${url}/server.json`)).json()],
    ['list_pockets', await callTool(url, 'list_pockets')],
    ['/api/lookup', (await ask(`${url}/api/lookup?query=holland`)).json()],
  ];
  for (const [name, body] of sources) {
    const links = linksIn(body);
    assert.ok(links.length > 0, `${name} has none`);
    for (const link of links) await assertAnswers(link, name);
  }
});

test('links in pages, and the fragments they point to', async () => {
  const { text } = await ask(`${url}/docs`);
  const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
  assert.ok(links.length > 5);
  for (const link of links) {
    if (link === 'data:,') continue;
    await assertAnswers(link.replaceAll('&amp;', '&'), '/docs');
  }
  assert.match(text, /id="contact"/);
  for (const { name } of callableTools(service.operations)) assert.ok(text.includes(`id="${name}"`), name);
});

test('the docs page lists the operations and says that the city is simulated', async () => {
  const { text, headers } = await ask(`${url}/docs`);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(text, /Simulated data/);
  for (const { rest } of service.operations)
    if (rest) assert.ok(text.includes(rest.path.replaceAll(/:(\w+)/g, '{$1}')), rest.path);
});
