// Every address that the service publishes answers, and OpenAPI describes the REST surface as it is.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { toolsOf } from '../../src/operations/core/define.ts';
import { ask } from '../support/services/http-client.ts';
import { callTool, startService } from '../support/services/service.ts';

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
  for (const { name } of toolsOf(service.operations)) assert.ok(text.includes(`id="${name}"`), name);
});

test('the docs page lists the operations and says that the city is simulated', async () => {
  const { text, headers } = await ask(`${url}/docs`);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(text, /substrate: simulated/);
  for (const { rest } of service.operations) if (rest) assert.ok(text.includes(rest.path), rest.path);
});

describe('openapi.json', async () => {
  type Parameter = { name: string; in: string; required?: boolean; schema: object };
  type Endpoint = {
    operationId: string;
    summary: string;
    parameters?: Parameter[];
    requestBody?: { content: object };
    responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
  };
  const document = (await ask(`${url}/openapi.json`)).json<{
    openapi: string;
    info: Record<string, unknown>;
    servers: { url: string }[];
    paths: Record<string, Record<string, Endpoint>>;
    components: { schemas: Record<string, object> };
  }>();
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ path, method, ...endpoint })),
  );

  test('is an OpenAPI 3.1 document', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.equal(document.info.title, 'pocketwatch');
    assert.equal(document.info.version, '0.1.0');
    assert.deepEqual(document.servers, [{ url: base }]);
    const known = ['openapi', 'info', 'servers', 'paths', 'components', 'tags', 'externalDocs'];
    assert.deepEqual(
      Object.keys(document).filter((key) => !known.includes(key)),
      [],
    );
  });

  test('describes each endpoint completely', () => {
    const ids = endpoints.map(({ operationId }) => operationId);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const { path, method, summary, parameters = [], requestBody, responses } of endpoints) {
      const at = `${method} ${path}`;
      assert.match(path, /^\/[\w/{}.-]*$/);
      assert.ok(['get', 'post'].includes(method), at);
      assert.ok(summary, at);
      assert.equal(requestBody !== undefined, method === 'post', at);
      assert.ok(responses['200'], at);
      for (const [status, { description }] of Object.entries(responses)) {
        assert.match(status, /^[2-5]\d\d$/, at);
        assert.ok(description, at);
      }
      const inPath = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
      assert.deepEqual(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        inPath,
        at,
      );
      for (const parameter of parameters) {
        assert.ok(['query', 'path', 'header'].includes(parameter.in), at);
        assert.equal(typeof parameter.schema, 'object', at);
        if (parameter.in === 'path') assert.equal(parameter.required, true, at);
      }
    }
  });

  test('every reference resolves', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, ref = '']) => ref,
    );
    assert.ok(references.length > 0);
    for (const reference of references) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1] ?? '';
      assert.ok(document.components.schemas[name], reference);
    }
  });

  test('lists every REST operation with the parameters that it takes', () => {
    for (const { name, input, rest, table } of service.operations) {
      if (!rest) continue;
      const endpoint = endpoints.find(({ operationId }) => operationId === name);
      assert.equal(endpoint?.path, rest.path.replaceAll(/:(\w+)/g, '{$1}'));
      if (endpoint?.method !== 'get') continue;
      const own = Object.keys(input.properties).map((argument) => rest.names?.[argument] ?? argument);
      const taken = table && !own.includes('format') ? [...own, 'format'] : own;
      assert.deepEqual(
        endpoint.parameters?.map((parameter) => parameter.name),
        taken,
      );
      for (const status of ['400', '503']) assert.ok(endpoint.responses[status], `${name}: ${status}`);
    }
  });

  test('a parameter is required exactly when leaving it out is refused', async () => {
    for (const { path, method, parameters = [] } of endpoints) {
      if (method !== 'get' || path.includes('{')) continue;
      const { status } = await ask(url + path);
      assert.equal(status, parameters.some(({ required }) => required) ? 400 : 200, path);
    }
  });

  test('every endpoint exists', async () => {
    for (const { path, method } of endpoints) {
      const { status } = await ask(url + path.replaceAll(/{\w+}/g, 'x'), { method: method.toUpperCase() });
      assert.notEqual(status, 405, `${method} ${path}`);
      if (!path.includes('{')) assert.notEqual(status, 404, `${method} ${path}`);
    }
  });
});
