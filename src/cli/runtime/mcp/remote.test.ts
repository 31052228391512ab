import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mcpAddress, remoteAnswers } from './remote.ts';

type Sent = { url: string; headers: Record<string, string>; body: string };

/** A service that replies as told, and what it was sent. */
function remote(reply: () => Response | Promise<Response>) {
  const sent: Sent[] = [];
  const said: string[] = [];
  const lines: unknown[] = [];
  const signals: (AbortSignal | null | undefined)[] = [];
  const { answer, close } = remoteAnswers({
    url: 'http://service.test',
    headers: { 'x-pocketwatch-toolsets': 'reader' },
    say: (line) => said.push(line),
    fetch: async (url, init) => {
      const { headers, body } = init as unknown as Omit<Sent, 'url'>;
      sent.push({ url: String(url), headers, body });
      signals.push(init?.signal);
      return reply();
    },
  });
  const ask = async (message: unknown) => {
    const given = typeof message === 'string' ? message : JSON.stringify(message);
    const text = await answer(given, (line) => lines.push(JSON.parse(line)));
    return text === undefined ? undefined : JSON.parse(text);
  };
  return { ask, sent, said, lines, signals, close };
}
const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body, null, 2), { status });
const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, result: value });
const unreachable = () => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  });
};

test('the address of a service gets the path of MCP, and an MCP address stays', () => {
  for (const [given, address] of [
    ['http://a.test', 'http://a.test/api/mcp'],
    ['http://a.test/', 'http://a.test/api/mcp'],
    ['https://a.test/watch/', 'https://a.test/watch/api/mcp'],
    ['http://a.test/api/mcp', 'http://a.test/api/mcp'],
    ['http://a.test/api/mcp?toolset=reader', 'http://a.test/api/mcp?toolset=reader'],
  ] as const)
    assert.equal(mcpAddress(given), address);
});

test('a message is posted as it is, and its reply comes back on one line', async () => {
  const { ask, sent } = remote(() => json(result({ tools: [] })));
  assert.deepEqual(await ask(request('tools/list')), result({ tools: [] }));
  assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), JSON.parse(JSON.stringify(request('tools/list'))));
  assert.equal(sent[0]?.url, 'http://service.test/api/mcp');
  assert.equal(sent[0]?.headers['x-pocketwatch-toolsets'], 'reader');
  assert.equal(sent[0]?.headers['mcp-protocol-version'], undefined);
});

test('a notification that was accepted has no reply', async () => {
  const { ask } = remote(() => new Response(null, { status: 202 }));
  assert.equal(await ask({ jsonrpc: '2.0', method: 'notifications/initialized' }), undefined);
});

describe('protocol versions', () => {
  test('the one that initialize agreed on is named from then on', async () => {
    const { ask, sent } = remote(() => json(result({ protocolVersion: '2025-11-25' })));
    for (const method of ['initialize', 'tools/list', 'initialize']) await ask(request(method));
    assert.deepEqual(
      sent.map(({ headers }) => headers['mcp-protocol-version']),
      [undefined, '2025-11-25', undefined],
    );
  });

  test('a request without a handshake has its version, method and name in headers', async () => {
    const { ask, sent } = remote(() => json(result({})));
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await ask(request('tools/call', { _meta, name: 'list_pockets' }));
    await ask(request('tools/call', { _meta, name: 'näme' }));
    await ask(request('server/discover', { _meta }));
    await ask(request('resources/read', { _meta, uri: 'pocket://dempsey' }));
    const headers = sent.map(({ headers: { 'mcp-method': method, 'mcp-name': name } }) => [method, name]);
    assert.deepEqual(headers, [
      ['tools/call', 'list_pockets'],
      ['tools/call', '=?base64?bsOkbWU=?='],
      ['server/discover', undefined],
      ['resources/read', 'pocket://dempsey'],
    ]);
    assert.equal(sent[0]?.headers['mcp-protocol-version'], '2026-07-28');
  });
});

describe('a subscription', () => {
  const listen = request('subscriptions/listen', { notifications: {} }, 'listen:1');
  const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} };
  const updated = {
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'pocket://a' },
  };
  const farewell = result({ resultType: 'complete' }, 'listen:1');
  const frame = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
  /** A service whose reply is a stream that the test writes. */
  function streaming() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
    const bytes = new TextEncoder();
    const asked = remote(() => new Response(readable, { headers }));
    return {
      ...asked,
      write: (text: string) => writer.write(bytes.encode(text)),
      end: () => writer.close(),
      until: async (count: number) => {
        for (let tries = 0; asked.lines.length < count; tries++) {
          assert.ok(tries < 1000, JSON.stringify(asked.lines));
          await new Promise(setImmediate);
        }
      },
    };
  }

  test('is offered, and its messages are lines, however they are cut into chunks', async () => {
    const { ask, lines, write, until } = streaming();
    assert.equal(await ask(listen), undefined);
    const text = [acknowledged, updated].map(frame).join(': still here\n\n');
    for (const part of text.match(/.{1,7}/gs) ?? []) await write(part);
    await until(2);
    await write(`event: message\ndata: not JSON\n\n${frame({ hello: 1 })}${frame(farewell)}`);
    await until(3);
    assert.deepEqual(lines, [acknowledged, updated, farewell]);
    const { ask: discover } = remote(() =>
      json(result({ capabilities: { resources: { subscribe: true } } })),
    );
    assert.deepEqual((await discover(request('server/discover'))).result.capabilities.resources, {
      subscribe: true,
    });
  });

  test('is closed when the client cancels it or leaves, and that is not sent on', async () => {
    for (const leave of [false, true]) {
      const { ask, sent, signals, close, lines } = streaming();
      await ask(listen);
      assert.equal(signals[0]?.aborted, false);
      if (leave) close();
      else {
        const cancel = { method: 'notifications/cancelled', params: { requestId: 'listen:1' } };
        assert.equal(await ask({ jsonrpc: '2.0', ...cancel }), undefined);
      }
      assert.equal(signals[0]?.aborted, true);
      assert.equal(sent.length, 1);
      assert.deepEqual(lines, []);
    }
  });

  test('that breaks off ends with an error of its request', async () => {
    const { ask, lines, write, end, until } = streaming();
    await ask(listen);
    await write(frame(acknowledged));
    await end();
    await until(2);
    const message = 'http://service.test/api/mcp: the stream has ended';
    assert.deepEqual(lines[1], { jsonrpc: '2.0', id: 'listen:1', error: { code: -32000, message } });
  });

  test('that is refused is answered with the refusal', async () => {
    const error = { code: -32000, message: 'too many live streams are open' };
    const { ask } = remote(() => json({ jsonrpc: '2.0', id: 'listen:1', error, hint: 'fewer' }, 503));
    assert.deepEqual(await ask(listen), { jsonrpc: '2.0', id: 'listen:1', error });
  });
});

describe('faults', () => {
  test('a service that cannot be reached is an error of each request and one line', async () => {
    let reply = unreachable as () => Response;
    const { ask, said } = remote(() => reply());
    const error = {
      code: -32000,
      message: 'http://service.test/api/mcp cannot be reached: ECONNREFUSED',
    };
    assert.deepEqual(await ask(request('ping')), { jsonrpc: '2.0', id: 1, error });
    assert.deepEqual(await ask([request('ping', {}, 'a'), { jsonrpc: '2.0', method: 'x' }]), [
      { jsonrpc: '2.0', id: 'a', error },
    ]);
    assert.equal(await ask({ jsonrpc: '2.0', method: 'notifications/initialized' }), undefined);
    assert.deepEqual(said, [`pocketwatch: ${error.message}`]);
    reply = () => json(result({}));
    assert.deepEqual(await ask(request('ping')), result({}));
    assert.deepEqual(said.slice(1), ['pocketwatch: http://service.test/api/mcp answers again']);
  });

  const table: [name: string, reply: () => Response, message: RegExp][] = [
    ['a rate limit', () => json({ error: 'rate limit exceeded' }, 429), /HTTP 429, rate limit exceeded$/],
    ['a page', () => new Response('<html>', { status: 502 }), /HTTP 502, no JSON-RPC reply$/],
    ['another service', () => json({ hello: 1 }), /HTTP 200, no JSON-RPC reply$/],
    ['an empty list', () => json([]), /HTTP 200, no JSON-RPC reply$/],
    [
      'a redirect',
      () => new Response(null, { status: 308, headers: { location: 'https://b.test/api/mcp' } }),
      /it redirects to https:\/\/b\.test\/api\/mcp; use that address$/,
    ],
  ];
  for (const [name, reply, message] of table) {
    test(`${name} is a JSON-RPC error`, async () => {
      const { ask } = remote(reply);
      const { id, error } = await ask(request('ping', {}, 7));
      assert.deepEqual([id, error.code], [7, -32001]);
      assert.match(error.message, message);
    });
  }

  test('a refusal without an id gets that of the request, so that the client does not wait', async () => {
    const error = { code: -32602, message: 'unknown toolset' };
    const { ask } = remote(() => json({ jsonrpc: '2.0', id: null, error }, 400));
    assert.deepEqual(await ask(request('ping', {}, 7)), { jsonrpc: '2.0', id: 7, error });
  });

  test('a rate limit is passed on as the JSON-RPC error that it is, without the fields beside it', async () => {
    const data = { limit: 30, window_seconds: 60, retry_in_seconds: 7 };
    const error = { code: -32000, message: 'rate limit exceeded', data };
    const { ask } = remote(() => json({ jsonrpc: '2.0', id: 7, error, ...data }, 429));
    assert.deepEqual(await ask(request('ping', {}, 7)), { jsonrpc: '2.0', id: 7, error });
  });

  test('what is not JSON is left to the service to refuse', async () => {
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } };
    assert.deepEqual(await remote(() => json(refusal, 400)).ask('{'), refusal);
    assert.equal((await remote(unreachable).ask('{')).id, null);
  });
});
