import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromLatin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { dispatch, parseMessages } from './dispatcher.ts';
import type { Methods } from './methods.ts';
import { legacyVersions, type McpHeaders, supportedVersions } from './versions.ts';

const methods: Methods = {
  initialize: (protocolVersion) => toLatin1Body(JSON.stringify({ protocolVersion })),
  discover: () => assert.fail('not a method of these eras'),
  answer: (method) => (method === 'tools/list' ? { result: toLatin1Body('{"tools":[]}') } : undefined),
  callTool: () => toLatin1Body('{"content":[]}'),
};

async function send(message: unknown, headers: McpHeaders = {}) {
  const parsed = parseMessages(JSON.stringify(message));
  assert.ok('messages' in parsed);
  const { status, body } = await dispatch(
    parsed,
    methods,
    () => assert.fail('unexpected internal error'),
    headers,
  );
  return { status, body: body === '' ? undefined : JSON.parse(fromLatin1Body(body)) };
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const pong = { status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } };
const initialize = (protocolVersion: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const version = (name: string) => ({ 'mcp-protocol-version': name });

describe('initialize', () => {
  for (const asked of legacyVersions) {
    test(`answers ${asked} when it is asked for`, async () => {
      const { body } = await send(initialize(asked));
      assert.deepEqual(body.result, { protocolVersion: asked });
    });
  }
  for (const asked of ['2099-01-01', '2026-07-28', '2024-10-07', '', '__proto__', 7, null, ['2025-11-25']]) {
    test(`answers 2024-11-05 when ${JSON.stringify(asked)} is asked for`, async () => {
      const { body } = await send(initialize(asked));
      assert.deepEqual(body.result, { protocolVersion: '2024-11-05' });
    });
  }
  test('does not check the header: the version is agreed on in the body', async () => {
    const { status, body } = await send(initialize('2099-01-01'), version('2099-01-01'));
    assert.deepEqual([status, body.result], [200, { protocolVersion: '2024-11-05' }]);
  });
});

describe('the version header', () => {
  test('may be left out, or name a legacy version', async () => {
    assert.deepEqual(await send(ping), pong);
    for (const name of legacyVersions) assert.deepEqual(await send(ping, version(name)), pong);
  });

  for (const name of ['2099-01-01', '2025-11-26', '', '__proto__', '2025-11-25, 2025-11-25']) {
    test(`is refused if it is ${JSON.stringify(name)}`, async () => {
      const data = { supported: supportedVersions, requested: name };
      const error = { code: -32022, message: 'unsupported protocol version', data };
      const refused = (id: unknown) => ({ status: 400, body: { jsonrpc: '2.0', id, error } });
      assert.deepEqual(await send(ping, version(name)), refused(1));
      assert.deepEqual(await send([ping], version(name)), refused(null));
      const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
      assert.deepEqual(await send(notification, version(name)), refused(null));
      assert.deepEqual(await send(7, version(name)), refused(null));
    });
  }

  test('does not make other headers of the stateless era count', async () => {
    const headers = { ...version('2025-11-25'), 'mcp-method': 'tools/list', 'mcp-name': 'other' };
    assert.deepEqual(await send(ping, headers), pong);
  });

  test('may stand beside a legacy version in _meta', async () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } };
    assert.deepEqual(await send({ ...ping, params }, version('2025-11-25')), pong);
    assert.deepEqual(await send({ ...ping, params }), pong);
  });
});

describe('batches', () => {
  const batch = [ping, { ...ping, id: 2 }];
  for (const headers of [{}, version('2024-11-05'), version('2025-03-26')]) {
    test(`are served with the headers ${JSON.stringify(headers)}`, async () => {
      const { status, body } = await send(batch, headers);
      assert.deepEqual([status, body.length], [200, 2]);
    });
  }
  for (const name of ['2025-06-18', '2025-11-25', '2026-07-28']) {
    test(`are refused in ${name}, which has none`, async () => {
      const { status, body } = await send(batch, version(name));
      const message = `invalid request: protocol version ${name} has no batches`;
      assert.equal(status, 400);
      assert.deepEqual(body, { jsonrpc: '2.0', id: null, error: { code: -32600, message } });
    });
  }
  test('are refused by the header whatever their first message is', async () => {
    const first = initialize('2025-11-25');
    assert.equal((await send([first, ping], version('2025-11-25'))).body.error.code, -32600);
    assert.equal((await send([first, ping], version('2099-01-01'))).body.error.code, -32022);
  });
  test('are refused if one message is of the stateless era', async () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const { status, body } = await send([ping, { ...ping, params }]);
    assert.deepEqual([status, body.error.code], [400, -32600]);
  });
});
