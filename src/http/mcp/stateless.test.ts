import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fromLatin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { dispatch, parseMessages } from './dispatcher.ts';
import type { Methods } from './methods.ts';
import { type McpHeaders, supportedVersions } from './versions.ts';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const discovered = { [SERVER_INFO]: { name: 'pocketwatch', version: '0.1.0', title: 'Pocketwatch' } };

const methods: Methods = {
  initialize: () => assert.fail('not a method of this era'),
  discover: () => toLatin1Body(JSON.stringify({ capabilities: { tools: {} }, _meta: discovered })),
  answer: (method, { uri }) => {
    if (method === 'tools/list')
      return { result: toLatin1Body('{"tools":[]}'), kept: { seconds: 300, scope: 'public' } };
    if (method === 'completion/complete') return { result: toLatin1Body('{"completion":{"values":[]}}') };
    if (method === 'resources/read') return { code: -32002, message: 'resource not found', data: { uri } };
    return undefined;
  },
  callTool: async (name, given) =>
    toLatin1Body(JSON.stringify({ content: [], called: name, given, _meta: { tool: name } })),
};

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const serverInfo = { [SERVER_INFO]: { name: 'pocketwatch', version: '0.1.0' } };
const meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} };

const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { _meta: meta, ...params },
});
const mcpHeaders = (method: string, more: McpHeaders = {}): McpHeaders => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...more,
});

async function send(message: unknown, headers?: McpHeaders, given: Partial<Methods> = {}) {
  const parsed = parseMessages(JSON.stringify(message));
  assert.ok('messages' in parsed);
  const onError = () => undefined;
  const { status, body } = await dispatch(parsed, { ...methods, ...given }, onError, headers);
  return { status, body: body === '' ? undefined : JSON.parse(fromLatin1Body(body)) };
}
const failed = (id: unknown, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code, message, ...(data && { data }) },
});

describe('results', () => {
  const cacheable = { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public', _meta: serverInfo };
  const call = request('tools/call', { name: 'any', arguments: { a: [1] } });
  const table: [message: { method: string }, result: object][] = [
    [request('server/discover'), { ...cacheable, capabilities: { tools: {} }, _meta: discovered }],
    [
      request('completion/complete'),
      { resultType: 'complete', completion: { values: [] }, _meta: serverInfo },
    ],
    [request('tools/list'), { ...cacheable, tools: [] }],
    [
      call,
      {
        resultType: 'complete',
        content: [],
        called: 'any',
        given: { a: [1] },
        _meta: { tool: 'any', ...serverInfo },
      },
    ],
  ];
  for (const [message, result] of table) {
    test(`of ${message.method}, with headers and without a transport that has them`, async () => {
      const reply = { status: 200, body: { jsonrpc: '2.0', id: 1, result } };
      assert.deepEqual(await send(message, mcpHeaders(message.method, { 'mcp-name': 'any' })), reply);
      assert.deepEqual(await send(message), reply);
    });
  }

  test('an error of the tool has the fields of this era too', async () => {
    const callTool: Methods['callTool'] = () =>
      toLatin1Body('{"content":[],"isError":true,"_meta":{"tool":"x"}}');
    const { body } = await send(request('tools/call', { name: 'x' }), undefined, { callTool });
    assert.deepEqual(body.result, {
      resultType: 'complete',
      content: [],
      isError: true,
      _meta: { tool: 'x', ...serverInfo },
    });
  });

  test('a notification gets 202 and is not executed', async () => {
    const { id: _, ...notification } = call;
    const callTool = () => assert.fail('called');
    for (const headers of [undefined, mcpHeaders('tools/call'), { 'mcp-protocol-version': '2026-07-28' }])
      assert.deepEqual(await send(notification, headers, { callTool }), { status: 202, body: undefined });
  });
});

test('a resource that does not exist is a wrong parameter (SEP-2164)', async () => {
  const headers = mcpHeaders('resources/read', { 'mcp-name': 'pocket://x' });
  assert.deepEqual(await send(request('resources/read', { uri: 'pocket://x' }), headers), {
    status: 200,
    body: failed(1, -32602, 'resource not found', { uri: 'pocket://x' }),
  });
});

describe('refused requests', () => {
  const noVersion = `invalid params: _meta must have ${VERSION}`;
  const noCapabilities = `invalid params: _meta must have ${CAPABILITIES}`;
  const notRequest = 'invalid request: not a JSON-RPC 2.0 request object';
  const list = (own: unknown) => ({ ...request('tools/list'), params: { _meta: own } });
  const unsupported = (requested: unknown) =>
    failed(1, -32022, 'unsupported protocol version', { supported: supportedVersions, requested });
  const versions = (name: string) => ({ ...mcpHeaders('tools/list'), 'mcp-protocol-version': name });
  const table: [name: string, message: unknown, headers: McpHeaders, status: number, body: object][] = [
    ['no params', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, 400, failed(1, -32602, noVersion)],
    ['no _meta', { ...request('tools/list'), params: {} }, {}, 400, failed(1, -32602, noVersion)],
    ['an empty _meta', list({}), {}, 400, failed(1, -32602, noVersion)],
    ['a version that is no text', list({ ...meta, [VERSION]: 7 }), {}, 400, failed(1, -32602, noVersion)],
    ['no capabilities', list({ [VERSION]: '2026-07-28' }), {}, 400, failed(1, -32602, noCapabilities)],
    [
      'capabilities in a list',
      list({ ...meta, [CAPABILITIES]: [] }),
      {},
      400,
      failed(1, -32602, noCapabilities),
    ],
    [
      'another version',
      list({ [VERSION]: '2099-01-01' }),
      versions('2099-01-01'),
      400,
      unsupported('2099-01-01'),
    ],
    [
      'another version in the body alone',
      list({ ...meta, [VERSION]: '2099-01-01' }),
      {},
      400,
      failed(1, -32020, 'header mcp-protocol-version does not match the body'),
    ],
    [
      'a legacy version in the header',
      request('tools/list'),
      versions('2025-11-25'),
      400,
      failed(1, -32020, 'header mcp-protocol-version does not match the body'),
    ],
    [
      'no id that can be answered',
      { ...request('tools/list'), id: null },
      {},
      400,
      failed(undefined, -32600, notRequest),
    ],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, {}, 400, failed(undefined, -32600, notRequest)],
    ['no object', 7, {}, 400, failed(undefined, -32600, notRequest)],
  ];
  for (const [name, message, headers, status, body] of table) {
    test(name, async () =>
      assert.deepEqual(await send(message, { ...mcpHeaders('tools/list'), ...headers }), { status, body }),
    );
  }

  test('no version header', async () => {
    const error = failed(1, -32020, 'header missing: mcp-protocol-version');
    const reply = await send(request('tools/list'), { 'mcp-method': 'tools/list' });
    assert.deepEqual(reply, { status: 400, body: error });
  });

  test('another version where the transport has no headers', async () => {
    const reply = await send(list({ [VERSION]: 'v999' }));
    assert.deepEqual(reply, { status: 400, body: unsupported('v999') });
  });

  for (const method of ['initialize', 'ping', 'nope', 'prompts/list', 'subscriptions/listen', '__proto__']) {
    test(`the method ${method}`, async () => {
      const reply = await send(request(method, {}, 'a'), mcpHeaders(method));
      assert.deepEqual(reply, { status: 404, body: failed('a', -32601, 'method not found') });
    });
  }

  test('arguments and faults are errors of a request that was understood', async () => {
    const headers = mcpHeaders('tools/call', { 'mcp-name': 'x' });
    const bad = await send(request('tools/call', { name: 'x', arguments: [] }), headers);
    assert.deepEqual([bad.status, bad.body.error.code], [200, -32602]);
    const unnamed = await send(request('tools/call', { name: 7 }), mcpHeaders('tools/call'));
    assert.deepEqual([unnamed.status, unnamed.body.error.code], [200, -32602]);
    const callTool = () => Promise.reject(new Error('internal detail'));
    const fault = await send(request('tools/call', { name: 'x' }), headers, { callTool });
    assert.deepEqual(fault, { status: 200, body: failed(1, -32603, 'internal error') });
  });
});

describe('headers that repeat the body', () => {
  const refusal = (message: string) => ({ status: 400, body: failed(1, -32020, message) });
  const list = request('tools/list');
  const call = (name: string) => request('tools/call', { name });

  test('the method, with case', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    assert.deepEqual(await send(list, headers), refusal('header missing: mcp-method'));
    for (const method of ['tools/call', 'TOOLS/LIST', '', 'tools/list, tools/list'])
      assert.deepEqual(
        await send(list, mcpHeaders(method)),
        refusal('header mcp-method does not match the body'),
      );
  });

  test('the name of the tool', async () => {
    assert.deepEqual(await send(call('x'), mcpHeaders('tools/call')), refusal('header missing: mcp-name'));
    for (const name of ['y', 'X', '', 'x, x', '=?base64?eQ==?=', '=?base64?x?=', '=?BASE64?eA==?='])
      assert.deepEqual(
        await send(call('x'), mcpHeaders('tools/call', { 'mcp-name': name })),
        refusal('header mcp-name does not match the body'),
      );
  });

  test('any name is accepted in base64', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (name) => {
        const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
        const { body } = await send(call(name), mcpHeaders('tools/call', { 'mcp-name': encoded }));
        assert.equal(body.result.called, name);
      }),
      { numRuns: 50 },
    ));
});

test('any value in _meta and in the headers gets a reply of this form', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('2026-07-28', '2025-11-25', '__proto__', {}));
  const header = fc.constantFrom(undefined, '2026-07-28', '2025-11-25', 'tools/list', 'tools/call', 'x', '');
  return fc.assert(
    fc.asyncProperty(value, value, value, header, header, header, async (version, own, id, ...named) => {
      const headers = { 'mcp-protocol-version': named[0], 'mcp-method': named[1], 'mcp-name': named[2] };
      const params = { name: 'x', _meta: { [VERSION]: version, [CAPABILITIES]: own } };
      const { status, body } = await send({ jsonrpc: '2.0', id, method: 'tools/list', params }, headers);
      assert.ok([200, 202, 400].includes(status), `${status}`);
      if (status === 200) assert.ok(body.result);
      if (status === 400) assert.ok([-32600, -32602, -32020, -32022].includes(body.error.code));
    }),
    { numRuns: 300 },
  );
});
