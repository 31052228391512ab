import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fromLatin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { dispatch, MAX_BATCH, parseMessages } from './dispatcher.ts';
import type { Methods } from './methods.ts';

interface Handlers {
  tool: Methods['callTool'];
  onError: (error: unknown) => void;
}
const defaultHandlers: Handlers = {
  tool: async (name, given) => toLatin1Body(JSON.stringify({ called: name, given })),
  onError: () => assert.fail('unexpected internal error'),
};

/** As the endpoint does it once the body is read. */
async function post(text: string, given: Partial<Handlers> = {}) {
  const { tool, onError } = { ...defaultHandlers, ...given };
  const methods: Methods = {
    initialize: (protocolVersion) => toLatin1Body(JSON.stringify({ protocolVersion })),
    discover: () => assert.fail('not a method of these eras'),
    answer: (method) => (method === 'tools/list' ? { result: toLatin1Body('{"tools":[]}') } : undefined),
    callTool: tool,
  };
  const parsed = parseMessages(text);
  const { status, body } = 'reply' in parsed ? parsed.reply : await dispatch(parsed, methods, onError);
  return { status, body: body === '' ? undefined : JSON.parse(fromLatin1Body(body)) };
}
const send = (message: unknown, given: Partial<Handlers> = {}) => post(JSON.stringify(message), given);
const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const failed = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
const notRequest = failed(null, -32600, 'invalid request: not a JSON-RPC 2.0 request object');
const badBatch = failed(null, -32600, 'invalid request: a batch holds 1-20 requests');
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the four methods', () => {
  const table: [method: string, result: unknown][] = [
    ['initialize', { protocolVersion: '2024-11-05' }],
    ['ping', {}],
    ['tools/list', { tools: [] }],
  ];
  for (const [method, result] of table) {
    test(method, async () => {
      for (const params of [undefined, {}, { protocolVersion: '2099-01-01' }, null, 7]) {
        const { status, body } = await send(request(method, params));
        assert.equal(status, 200);
        assert.deepEqual(body, { jsonrpc: '2.0', id: 1, result });
      }
    });
  }

  test('tools/call passes name and arguments on unchanged', async () => {
    for (const given of [{}, { pocket_id: 'x', deep: [{ a: null }] }]) {
      const { body } = await send(request('tools/call', { name: 'any', arguments: given, _meta: {} }));
      assert.deepEqual(body.result, { called: 'any', given });
    }
    const { body } = await send(request('tools/call', { name: '__proto__' }));
    assert.deepEqual(body.result, { called: '__proto__', given: {} });
  });
});

describe('errors', () => {
  const name = failed(1, -32602, 'invalid params: name must be a string');
  const object = failed(1, -32602, 'invalid params: arguments must be an object');
  const deep = failed(1, -32602, 'invalid params: arguments are nested too deeply');
  const unknown = failed(1, -32601, 'method not found');
  const table: [text: string, status: number, body: unknown][] = [
    // Not a request object.
    ...['null', '7', '"x"', 'true', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1}'].map(
      (text): [string, number, unknown] => [text, 400, notRequest],
    ),
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, notRequest],
    ['{"id":1,"method":"ping"}', 400, notRequest],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 400, notRequest],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, notRequest],
    ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', 400, notRequest],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', 400, notRequest],
    ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', 400, notRequest],
    ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}', 400, notRequest],
    // A response is not a request either.
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 400, notRequest],
    // Unknown methods.
    ...['nope', '', 'Ping', 'tools/call ', '__proto__', 'constructor', 'resources/list', 'prompts/list'].map(
      (method): [string, number, unknown] => [JSON.stringify(request(method)), 200, unknown],
    ),
    // tools/call without a string name, or with arguments that are not an object.
    ...[undefined, null, [], 'x', {}, { name: 7 }, { name: null }, { name: ['x'] }].map(
      (params): [string, number, unknown] => [JSON.stringify(request('tools/call', params)), 200, name],
    ),
    ...[null, [], 'x', 7, true].map((given): [string, number, unknown] => [
      JSON.stringify(request('tools/call', { name: 'x', arguments: given })),
      200,
      object,
    ]),
    [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":${nested(200_000)}}}}`,
      200,
      deep,
    ],
  ];
  for (const [text, status, body] of table) {
    test(text.slice(0, 90), async () => assert.deepEqual(await post(text), { status, body }));
  }

  for (const text of ['', ' ', '{', 'hello', '\ufeff{}', '{"a":1}{', "{'a':1}", 'undefined', '\0', '[1,]']) {
    test(`${JSON.stringify(text)} is not JSON`, async () => {
      const body = failed(null, -32700, 'parse error: the body is not JSON');
      assert.deepEqual(await post(text), { status: 400, body });
    });
  }

  test('an internal error is reported to the handler and not to the client', async () => {
    const errors: unknown[] = [];
    const secret = new Error('internal detail');
    for (const tool of [
      () => {
        throw secret;
      },
      () => Promise.reject(secret),
    ]) {
      const given = { tool, onError: (error: unknown) => errors.push(error) };
      const { status, body } = await send(request('tools/call', { name: 'x' }, 'a'), given);
      assert.equal(status, 200);
      assert.deepEqual(body, failed('a', -32603, 'internal error'));
    }
    assert.deepEqual(errors, [secret, secret]);
  });
});

describe('ids', () => {
  for (const id of [0, -1, 1.5, 2 ** 53, '', 'a', '\u2028"\\', '\ud800', '__proto__', null]) {
    test(`${JSON.stringify(id)} is returned unchanged`, async () => {
      assert.deepEqual((await send(request('ping', undefined, id))).body.id, id);
      assert.deepEqual((await send(request('nope', undefined, id))).body.id, id);
    });
  }
});

describe('notifications', () => {
  const notification = (method: string) => ({ jsonrpc: '2.0', method });
  test('get 202 with an empty body, and are not executed', async () => {
    const tool = () => assert.fail('called');
    for (const method of ['notifications/initialized', 'tools/call', 'ping', 'nope']) {
      const reply = await send(notification(method), { tool });
      assert.deepEqual(reply, { status: 202, body: undefined });
    }
  });
  test('in a batch without requests as well', async () => {
    const reply = await send([notification('notifications/initialized'), notification('x')]);
    assert.deepEqual(reply, { status: 202, body: undefined });
  });
});

describe('batches', () => {
  for (const size of [1, 2, MAX_BATCH]) {
    test(`of ${size} are answered in order`, async () => {
      const { status, body } = await send(Array.from({ length: size }, (_, id) => request('ping', {}, id)));
      assert.equal(status, 200);
      assert.deepEqual(
        body,
        Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, result: {} })),
      );
    });
  }
  for (const size of [0, MAX_BATCH + 1, 1000]) {
    test(`of ${size} are refused as a whole`, async () => {
      const tool = () => assert.fail('called');
      const batch = Array(size).fill(request('tools/call', { name: 'x' }));
      assert.deepEqual(await send(batch, { tool }), { status: 400, body: badBatch });
    });
  }

  test('of mixed messages answer each request, whatever else is in them', async () => {
    const tool: Handlers['tool'] = async (name) => {
      if (name === 'broken') throw new Error('secret');
      return toLatin1Body('{"ok":true}');
    };
    const batch = [
      request('tools/call', { name: 'broken' }, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      7,
      [request('ping')],
      request('tools/call', { name: 'whole' }, 'b'),
      request('nope', {}, null),
    ];
    const { status, body } = await send(batch, { tool, onError: () => undefined });
    assert.equal(status, 200);
    assert.deepEqual(body, [
      failed('a', -32603, 'internal error'),
      notRequest,
      notRequest,
      { jsonrpc: '2.0', id: 'b', result: { ok: true } },
      failed(null, -32601, 'method not found'),
    ]);
  });
});

describe('arbitrary input', () => {
  const codes = [-32700, -32600, -32601, -32602, -32603];
  const checkReply = (reply: Record<string, unknown>) => {
    assert.equal(reply.jsonrpc, '2.0');
    assert.ok(reply.id === null || ['string', 'number'].includes(typeof reply.id));
    const { error, result } = reply as { error?: { code: number; message: string }; result?: object };
    if (error === undefined) return assert.equal(typeof result, 'object');
    assert.deepEqual(Object.keys(reply), ['jsonrpc', 'id', 'error']);
    assert.deepEqual(Object.keys(error), ['code', 'message']);
    assert.ok(codes.includes(error.code));
    assert.match(error.message, /^[a-z][^\n]{3,80}$/);
  };
  const check = async (text: string) => {
    const { status, body } = await post(text);
    if (status === 202) return assert.equal(body, undefined);
    assert.ok(status === 200 || status === 400, `${status}`);
    const replies = Array.isArray(body) ? body : [body];
    assert.ok(replies.length >= 1 && replies.length <= MAX_BATCH);
    replies.forEach(checkReply);
    const whole = !Array.isArray(body) && [-32700, -32600].includes(body.error?.code);
    assert.equal(status, whole ? 400 : 200);
  };

  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', '', null, {}, []));
  const almostRequest = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), value),
      id: value,
      method: fc.oneof(fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call'), value),
      params: fc.oneof(fc.record({ name: value, arguments: value }, { requiredKeys: [] }), value),
    },
    { requiredKeys: [] },
  );

  test('any JSON', () => fc.assert(fc.asyncProperty(fc.json(), check), { numRuns: 500 }));
  test('objects close to requests, alone and in batches', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(almostRequest, fc.array(almostRequest, { maxLength: 22 })), (message) =>
        check(JSON.stringify(message)),
      ),
      { numRuns: 500 },
    ));
  test('random bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), (bytes) => check(Buffer.from(bytes).toString('utf8'))),
      { numRuns: 500 },
    ));
  test('JSON with one corrupted byte', () =>
    fc.assert(
      fc.asyncProperty(almostRequest, fc.nat(), fc.nat(255), async (message, at, byte) => {
        const bytes = Buffer.from(JSON.stringify(message));
        bytes[at % bytes.length] = byte;
        await check(bytes.toString('utf8'));
      }),
      { numRuns: 500 },
    ));

  const huge = 'x'.repeat(1_000_000);
  const oversized: [name: string, text: string][] = [
    ['nested arrays', nested(200_000)],
    ['arrays never closed', '['.repeat(1_000_000)],
    ['nested objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['a deep id', `{"jsonrpc":"2.0","method":"ping","id":${nested(200_000)}}`],
    ['deep params', `{"jsonrpc":"2.0","method":"ping","id":1,"params":${nested(200_000)}}`],
    ['a huge id', JSON.stringify(request('ping', {}, huge))],
    ['a huge method', JSON.stringify(request(huge))],
    ['a huge tool name', JSON.stringify(request('tools/call', { name: huge }))],
    ['a huge argument', JSON.stringify(request('tools/call', { name: 'x', arguments: { huge } }))],
    ['many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])))],
    ['a long batch', JSON.stringify(Array(10_000).fill(request('ping')))],
    ['a long number', '9'.repeat(1_000_000)],
  ];
  for (const [name, text] of oversized) test(name, () => check(text));
});
