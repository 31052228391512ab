// Compares the OpenAPI document with the service: every route that is served, and a real answer of every operation.
import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import type { FastifyInstance } from 'fastify';
import { HOUR } from '../../src/domain/time/slot.ts';
import { MAX_BODY_BYTES } from '../../src/http/connections/read-body.ts';
import { MCP_PATH } from '../../src/http/mcp/endpoint.ts';
import { restInputSchema } from '../../src/operations/core/rest-input.ts';
import { closeSchema, type Schema, schemaChecker, visitSchemas } from '../support/answers/json-schema.ts';
import {
  allEndpoints,
  type Body,
  documentedReply,
  type Endpoint,
  listEndpoints,
  openApiFaults,
  readOpenApi,
} from '../support/answers/openapi-document.ts';
import { argumentsFor, collectAnswers, sampleIds } from '../support/answers/operation-answers.ts';
import { replyChecker } from '../support/answers/published-replies.ts';
import { sampleAddress } from '../support/answers/sample-addresses.ts';
import { writeReports } from '../support/rows/reports.ts';
import { ask, post, type Reply } from '../support/services/http-client.ts';
import { NOON, startService } from '../support/services/service.ts';

/** Method and path of every route, without HEAD, which the framework adds to each GET. */
const routes = new Set([`post ${MCP_PATH}`]);
const collectRoutes = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url: path }) => {
    for (const own of [method].flat()) if (own !== 'HEAD') routes.add(`${own.toLowerCase()} ${path}`);
  });
};
diagnostics.subscribe('fastify.initialization', collectRoutes);
const ended = { after: after as TestContext['after'] };
const { url, service, store, clock } = await startService(ended);
diagnostics.unsubscribe('fastify.initialization', collectRoutes);
await writeReports(store);

const ids = await sampleIds(url);
const document = await readOpenApi(url);
const endpoints = listEndpoints(document);
/** With those of pages, feeds and files, which are not in the document. */
const all = await allEndpoints(url);
const { schemas: components } = document.components;

test('the paths of the document are the routes of the API, and every other route is listed too', () => {
  const templates = [...routes].map((route) => route.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}'));
  assert.deepEqual(all.map(({ path, method }) => `${method} ${path}`).sort(), templates.sort());
  for (const { path } of endpoints) assert.match(path, /^\/(?:api|\.well-known)\//);
  for (const { path } of all.slice(endpoints.length)) assert.doesNotMatch(path, /^\/api\//);
});

test('the document is OpenAPI 3.1, and its schemas are JSON Schema', () => {
  assert.deepEqual(openApiFaults(document), []);
});

test('a strict linter finds nothing to say', async () => {
  const config = await loadConfig({ configPath: join(import.meta.dirname, '../../redocly.yaml') });
  const { text: source } = await ask(`${url}/openapi.json`);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} (${at?.pointer})`),
    [],
  );
});

test('every parameter has a description and an example, and every field a description', () => {
  // A cursor is opaque, the schema names the fields, no feed of the simulated city has a body, and no submission is over.
  const without = /\?cursor$|\?fields$|^feed_body\?|^ledger_detached\?/;
  const faults: string[] = [];
  const visit = (owner: string, schema: Schema) =>
    visitSchemas(schema, ({ description, $ref }, keyword, path) => {
      if (keyword === 'properties' && !description && !$ref) faults.push(`${owner}${path}`);
    });
  for (const { operationId, parameters = [], requestBody, responses } of endpoints) {
    for (const { name, description, example } of parameters)
      if (!description || (example === undefined) !== without.test(`${operationId}?${name}`))
        faults.push(`${operationId}?${name}`);
    for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)] as Partial<Body>[])
      for (const { schema } of Object.values(content)) visit(operationId, schema);
  }
  for (const [name, schema] of Object.entries(components)) visit(name, schema);
  assert.deepEqual(faults, []);
});

test('the document is short: what occurs again is named once, and every name is used', async () => {
  const { text } = await ask(`${url}/openapi.json`);
  assert.ok(Buffer.byteLength(text) < 300_000, `${Buffer.byteLength(text)} bytes`);
  for (const [kind, named] of Object.entries(document.components))
    for (const name of Object.keys(named))
      assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
});

test('the document has its examples, whatever the one who asks for it first has used up', async (t) => {
  const limited = await startService(t, { readLimit: 60 });
  while ((await ask(`${limited.url}/api/pockets?${Math.random()}`)).status !== 429);
  const own = listEndpoints(await readOpenApi(limited.url));
  const entry = own.find(({ operationId }) => operationId === 'get_ledger_entry');
  assert.ok(entry?.parameters?.[0]?.example);
});

test('every endpoint has one of the declared tags, and every tag an endpoint', () => {
  const used = new Set(endpoints.flatMap(({ tags }) => tags));
  assert.deepEqual([...used].sort(), document.tags.map(({ name }) => name).sort());
});

test('the document names the service, its version and its public address', async () => {
  const { info, servers } = (await ask(`${url}/openapi.json`)).json<{
    info: { title: string; version: string };
    servers: { url: string }[];
  }>();
  assert.deepEqual([info.title, info.version], ['pocketwatch', '0.1.0']);
  assert.deepEqual(servers, [{ url: service.baseUrl }]);
});

test('paths have no odd characters, and a POST alone has a request body', () => {
  for (const { path, method, requestBody } of endpoints) {
    assert.match(path, /^\/[\w/{}.-]*$/);
    assert.equal(requestBody !== undefined, method === 'post', `${method} ${path}`);
  }
});

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
  assert.ok(references.length > 0);
  for (const reference of references) {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(reference) ?? [];
    assert.ok((document.components as Record<string, Record<string, object>>)[kind]?.[name], reference);
  }
});

test('every REST operation is listed with the parameters that it takes', () => {
  for (const operation of service.operations) {
    const { name, rest, table } = operation;
    if (!rest) continue;
    const endpoint = findEndpoint(name);
    const { path, method, parameters } = endpoint;
    assert.equal(path, rest.path.replaceAll(/:(\w+)/g, '{$1}'));
    if (method !== 'get') continue;
    const own = Object.keys(restInputSchema(operation).properties).map(
      (argument) => rest.names?.[argument] ?? argument,
    );
    const taken = table && !own.includes('format') ? [...own, 'format'] : own;
    assert.deepEqual(
      parameters?.map((parameter) => parameter.name),
      taken,
    );
    for (const status of [400, 404, 429, 500, 503])
      assert.ok(documentedReply(endpoint, status), `${name}: ${status}`);
  }
});

test('a parameter is required exactly when leaving it out is refused', async () => {
  for (const { path, method, parameters = [] } of all) {
    if (method !== 'get' || path.includes('{')) continue;
    const { status } = await ask(url + path);
    assert.equal(status, parameters.some(({ required }) => required) ? 400 : 200, path);
  }
});

describe('no success body is without its fields', () => {
  for (const { operationId, responses } of endpoints) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const [type, { schema }] of Object.entries(content)) {
        if (!type.endsWith('json')) continue;
        test(`${operationId} ${status}`, () => {
          visitSchemas(schema, assertDescribed);
        });
      }
    }
  }

  // Some tools have no REST address.
  for (const { name, output } of service.operations) {
    test(`${name} as a tool`, () => visitSchemas(output(), assertDescribed));
  }

  /** An object without fixed fields must have a description. */
  function assertDescribed(schema: Schema, keyword: string, path: string): void {
    const { type, properties = {}, patternProperties, description } = schema;
    if (keyword !== 'patternProperties') assert.ok(Object.keys(schema).length, `${path} may be anything`);
    const open = patternProperties || !Object.keys(properties as object).length;
    if (type === 'object' && open) assert.ok(description, `${path} has no fields and does not say why`);
  }
});

describe('real answers fit the schema of their operation, with no other field', () => {
  for (const operation of service.operations) {
    test(operation.name, async () => {
      const output = closeSchema(operation.output());
      const answers = await collectAnswers(operation, service, ids);
      assert.ok(answers.length);
      const findFaults = schemaChecker(output);
      for (const { asked, structured } of answers) assert.deepEqual(findFaults(structured), [], asked);
      for (const variant of (output.anyOf ?? []) as Schema[]) {
        const findOthers = schemaChecker(variant);
        assert.ok(
          answers.some(({ structured }) => !findOthers(structured).length),
          `no answer was ${Object.keys(variant.properties ?? {})}`,
        );
      }
    });
  }
});

const findFaults = replyChecker(components);
const assertPublished = (endpoint: Endpoint, reply: Reply): void =>
  assert.deepEqual(findFaults(endpoint, reply), []);

const findEndpoint = (operationId: string): Endpoint => {
  const found = all.find((endpoint) => endpoint.operationId === operationId);
  assert.ok(found, operationId);
  return found;
};

describe('the reply of each address is in the document', () => {
  for (const endpoint of all) {
    const { operationId, path, method } = endpoint;
    if (method !== 'get' || operationId === 'ledger_detached' || operationId === 'feed_body') continue;
    test(`GET ${path}`, async () => {
      const reply = await ask(url + sampleAddress(endpoint, service, ids));
      assert.equal(reply.status, 200, reply.text.slice(0, 200));
      assertPublished(endpoint, reply);
    });
  }

  for (const operation of service.operations) {
    const { name, rest } = operation;
    if (rest?.method !== 'POST') continue;
    test(`POST ${rest.path}`, async () => {
      const reply = await post(url + rest.path, argumentsFor(operation, service));
      assert.equal(reply.status, 200, reply.text);
      assertPublished(findEndpoint(name), reply);
    });
  }

  test('the items of a submission, once its window has closed', async (t) => {
    t.after(() => {
      clock.now = NOON;
    });
    clock.now = NOON + 4 * HOUR;
    const entry = (await ask(`${url}/api/ledger/entry/${ids.submission}`)).json<{
      payload: { detached: { hash: string } };
    }>();
    const hash = entry.payload.detached.hash.replace('sha256:', '');
    assertPublished(findEndpoint('ledger_detached'), await ask(`${url}/api/ledger/detached/${hash}`));
  });

  test('every kind of JSON-RPC reply', async () => {
    const call = (name: unknown, args?: object) => ({
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const messages = [
      { method: 'initialize', params: {} },
      { method: 'ping' },
      { method: 'tools/list' },
      { method: 'resources/list' },
      { method: 'resources/templates/list' },
      { method: 'resources/read', params: { uri: 'pocket://dempsey' } },
      { method: 'resources/read', params: { uri: 'pocket://atlantis' } },
      { method: 'prompts/list' },
      { method: 'prompts/get', params: { name: 'explain_silence', arguments: { pocket: 'dempsey' } } },
      {
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/resource', uri: 'pocket://{id}' },
          argument: { name: 'id', value: 'd' },
        },
      },
      call('list_pockets'),
      call('get_pocket_moment', { pocket_id: 'atlantis' }),
      call('get_pocket_moment'),
      call('no_such_tool'),
      call(7),
      { method: 'none' },
      { method: 7 },
    ].map((message, id) => ({ jsonrpc: '2.0', id, ...message }));
    for (const body of [...messages, messages, '{', []])
      assertPublished(findEndpoint('mcp'), await post(url + MCP_PATH, body));
    for (const [method, version] of [
      ['server/discover', '2026-07-28'],
      ['tools/list', '2026-07-28'],
      ['tools/call', '2026-07-28'],
      ['resources/list', '2026-07-28'],
      ['prompts/list', '2026-07-28'],
      ['none', '2026-07-28'],
      ['tools/list', '2099-01-01'],
    ] as const) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const body = { jsonrpc: '2.0', id: 1, method, params: { name: 'list_pockets', _meta } };
      const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': 'list_pockets' };
      assertPublished(findEndpoint('mcp'), await post(url + MCP_PATH, body, headers));
      assertPublished(findEndpoint('mcp'), await post(url + MCP_PATH, body));
    }
  });
});

describe('errors are in the document', () => {
  const large = JSON.stringify({ pocket_id: 'x'.repeat(MAX_BODY_BYTES) });
  const table: [operationId: string, status: number, reply: () => Promise<Reply>][] = [
    ['get_pocket_moment', 400, () => ask(`${url}/api/moment`)],
    ['get_pocket_moment', 404, () => ask(`${url}/api/moment?pocket=atlantis`)],
    ['list_predictions', 400, () => ask(`${url}/api/predictions?format=xml`)],
    ['get_explanation', 404, () => ask(`${url}/api/explanations/none`)],
    ['json_feed', 404, () => ask(`${url}/feed.json?pocket=atlantis`)],
    ['page_trust', 400, () => ask(`${url}/trust?window=1y`)],
    ['page_trust', 400, () => ask(`${url}/trust?window=1y`, { headers: { accept: 'text/html' } })],
    ['ledger_tile', 404, () => ask(`${url}/api/ledger/tile/none`)],
    ['ledger_proof', 404, () => ask(`${url}/api/ledger/proof/none`)],
    ['ledger_consistency', 400, () => ask(`${url}/api/ledger/consistency`)],
    ['manifest', 405, () => ask(url + MCP_PATH, { headers: { accept: 'text/event-stream' } })],
    ['mcp', 413, () => post(url + MCP_PATH, large)],
    ['score_legitimacy', 400, () => post(`${url}/api/legitimacy`, '{')],
    ['score_legitimacy', 413, () => post(`${url}/api/legitimacy`, large)],
    ['score_legitimacy', 415, () => post(`${url}/api/legitimacy`, '', { 'content-type': 'text/plain' })],
  ];
  for (const [operationId, status, send] of table) {
    test(`${operationId} ${status}`, async () => {
      const reply = await send();
      assert.equal(reply.status, status, reply.text);
      assertPublished(findEndpoint(operationId), reply);
    });
  }

  test('the rate limit, wherever one is set', async (t) => {
    const limits = { mcpLimit: 1, legitimacyLimit: 1, submitLimit: 1 };
    const limited = await startService(t, { days: 0, ...limits });
    for (const { name, rest } of service.operations) {
      if (!rest?.limit) continue;
      const send = () =>
        rest.method === 'POST' ? post(limited.url + rest.path, {}) : ask(limited.url + rest.path);
      await send();
      const reply = await send();
      assert.equal(reply.status, 429, name);
      assertPublished(findEndpoint(name), reply);
    }
    assertPublished(findEndpoint('mcp'), await post(limited.url + MCP_PATH, {}));
  });

  test('no datastore', async (t) => {
    const bare = await startService(t, { place: 'none' });
    for (const { operationId, path, method, parameters = [] } of all) {
      if (method !== 'get' || path.includes('{') || parameters.some(({ required }) => required)) continue;
      const reply = await ask(bare.url + path);
      if (reply.status !== 200) assertPublished(findEndpoint(operationId), reply);
    }
  });
});
