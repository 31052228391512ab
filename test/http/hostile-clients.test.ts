// Clients that break the protocol, on plain sockets: each gets a clear answer or a closed connection, and the service
// continues to answer others.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, afterEach, describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ask, post } from '../support/services/http-client.ts';
import { startService } from '../support/services/service.ts';

const { url, app } = await startService({ after: after as TestContext['after'] });
const mcp = `${url}/api/mcp`;
const port = Number(new URL(url).port);
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const pong = '{"jsonrpc":"2.0","id":1,"result":{}}';
const internals = /\bat .+:\d+:\d+|node:internal|node_modules|\.ts:\d+|Error:/;

type Bytes = string | Uint8Array;
const open = (): Socket =>
  connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);

/** Everything the service sends until it closes the connection. Our side is half closed after the last byte, unless `keepOpen`. */
async function exchange(socket: Socket, bytes: Bytes, keepOpen = false): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const closed = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  if (keepOpen) socket.write(bytes);
  else socket.end(bytes);
  await closed;
  socket.destroy();
  const text = Buffer.concat(chunks).toString();
  assert.doesNotMatch(text, internals);
  return text;
}
const send = (bytes: Bytes, keepOpen = false) => exchange(open(), bytes, keepOpen);

const head = (first: string, ...headers: string[]) =>
  [first, 'host: localhost', ...headers, '', ''].join('\r\n');
const postRequest = (body: string, ...headers: string[]) =>
  head('POST /api/mcp HTTP/1.1', ...headers, `content-length: ${Buffer.byteLength(body)}`) + body;

function assertRefused(text: string, status: number, error: string): void {
  const [top = '', body = ''] = text.split('\r\n\r\n');
  assert.match(top, new RegExp(`^HTTP/1.1 ${status} `));
  assert.match(top, /connection: close/i);
  assert.deepEqual(JSON.parse(body), { error });
}

afterEach(async () => {
  const reply = await post(mcp, ping);
  assert.deepEqual([reply.status, reply.text], [200, pong], 'the service still answers');
});

describe('bytes that are not a request', () => {
  const garbage: [name: string, bytes: Bytes][] = [
    ['words', 'hello there\r\n\r\n'],
    ['NUL bytes', Buffer.alloc(4096)],
    ['0xff bytes', Buffer.alloc(4096, 0xff)],
    ['a TLS greeting', Buffer.from('160301020001000001fc0303', 'hex')],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', head('BREW /api/mcp HTTP/1.1')],
    ['a NUL in the address', head('GET /api/\0 HTTP/1.1')],
    ['a NUL in a header', head('GET / HTTP/1.1', 'x: a\0b')],
    ['a header without a name', head('GET / HTTP/1.1', ': x')],
    ['an address with a space', head('GET /a b HTTP/1.1')],
    ['a content-length that is not a number', head('POST /api/mcp HTTP/1.1', 'content-length: many')],
    ['a negative content-length', head('POST /api/mcp HTTP/1.1', 'content-length: -1')],
    ['two lengths', head('POST /api/mcp HTTP/1.1', 'content-length: 1', 'content-length: 2')],
    [
      'a length and chunks',
      head('POST /api/mcp HTTP/1.1', 'content-length: 5', 'transfer-encoding: chunked'),
    ],
    ['an invalid chunk size', `${head('POST /api/mcp HTTP/1.1', 'transfer-encoding: chunked')}zz\r\n`],
    [
      'a chunk size that overflows',
      `${head('POST /api/mcp HTTP/1.1', 'transfer-encoding: chunked')}${'f'.repeat(20)}\r\n`,
    ],
  ];
  for (const [name, bytes] of garbage) {
    test(name, async () => assertRefused(await send(bytes), 400, 'bad request'));
  }

  test('headers too large', async () => {
    const error = 'headers too large (max 16 KiB)';
    assertRefused(await send(head('GET / HTTP/1.1', `x: ${'y'.repeat(20_000)}`)), 431, error);
    assertRefused(await send(head(`GET /${'y'.repeat(20_000)} HTTP/1.1`)), 431, error);
    const many = Array.from({ length: 3000 }, (_, n) => `x-${n}: y`);
    assertRefused(await send(head('GET / HTTP/1.1', ...many)), 431, error);
  });

  test('no Host', async () => {
    assert.match(await send('GET /api/health HTTP/1.1\r\n\r\n'), /^HTTP\/1.1 400 /);
  });

  test('two Hosts, even if they are equal', async () => {
    const error = 'more than one host header';
    assertRefused(await send(head('GET /api/health HTTP/1.1', 'host: localhost')), 400, error);
    assertRefused(await send(postRequest(ping, 'Host: evil.example')), 400, error);
  });

  test('random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), async (bytes) => {
        const text = await send(bytes);
        assert.match(text, /^($|HTTP\/1.1 4\d\d )/);
      }),
      { numRuns: 60 },
    );
  });

  test('a request with corrupted bytes', async () => {
    const whole = Buffer.from(postRequest(ping, 'connection: close'));
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        assert.match(await send(bytes), /^($|HTTP\/1.1 [24]\d\d )/);
      }),
      { numRuns: 60 },
    );
  });
});

describe('connections half closed or cut', () => {
  test('a client that has closed its side is answered', async () => {
    const text = await send(postRequest(ping));
    assert.match(text, /^HTTP\/1.1 200 /);
    assert.ok(text.endsWith(pong));
  });

  test('a request that ends in the middle is dropped', async () => {
    const whole = postRequest(ping);
    for (const length of [1, 20, whole.length - ping.length, whole.length - 1])
      assert.match(await send(whole.slice(0, length)), /^($|HTTP\/1.1 4\d\d )/);
  });

  test('clients that disconnect at once, or while they are answered', async () => {
    const bytes = postRequest(ping, 'connection: keep-alive').repeat(50);
    for (let n = 0; n < 50; n++) {
      const socket = open();
      await once(socket, 'connect');
      socket.write(bytes.slice(0, n % 2 ? bytes.length : 10 * n));
      if (n % 3) socket.resetAndDestroy();
      else socket.destroy();
    }
  });

  test('a client that sends requests and never reads', async () => {
    const socket = open();
    await once(socket, 'connect');
    socket.pause();
    const list = postRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    for (let n = 0; n < 500; n++) socket.write(list);
    const reply = await post(mcp, ping);
    assert.equal(reply.text, pong);
    socket.destroy();
  });
});

describe('slow clients', () => {
  test('have ten seconds for headers, fifteen for a request, thirty without data', () => {
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = app.server;
    assert.deepEqual([headersTimeout, requestTimeout, timeout], [10_000, 15_000, 30_000]);
    // Longer than the minute for which load balancers reuse idle connections.
    assert.ok(keepAliveTimeout > 60_000);
  });

  test('are disconnected with a reason', async (t) => {
    const { headersTimeout, requestTimeout } = app.server;
    t.after(() => Object.assign(app.server, { headersTimeout, requestTimeout }));
    Object.assign(app.server, { headersTimeout: 50, requestTimeout: 50 });
    const whole = postRequest(ping);
    const cut = [0, 10, whole.length - ping.length, whole.length - 1].map((length) =>
      send(whole.slice(0, length), true),
    );
    for (const text of await Promise.all(cut)) assertRefused(text, 408, 'request took too long to arrive');
  });
});

describe('pipelined requests', () => {
  test('are answered in order', async () => {
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const requests = ids.map((id) =>
      postRequest(ping.replace('1,', `${id},`), ...(id === 99 ? ['connection: close'] : [])),
    );
    const text = await send(requests.join(''), true);
    assert.deepEqual(
      [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id)),
      ids,
    );
  });

  test('end with the first invalid bytes', async () => {
    const text = await send(`${postRequest(ping)}\0\0\0\0${postRequest(ping)}`, true);
    assert.equal(text.match(/HTTP\/1.1 400 /g)?.length, 1);
    assert.ok((text.match(/HTTP\/1.1 200 /g)?.length ?? 0) <= 1);
  });
});

describe('bodies', () => {
  test('invalid UTF-8 is not JSON, or a replaced character', async () => {
    assert.equal((await post(mcp, Buffer.from([0x22, 0xff, 0x22]))).status, 400);
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'lookup_pocket_by_name', arguments: { query: 'zz@zz' } },
    });
    const reply = await post(mcp, Buffer.from(call.replace('@', '\xff'), 'latin1'));
    assert.equal(reply.status, 200);
    assert.match(reply.text, /no pocket matched 'zz\ufffdzz'/);
  });

  test('a body that is compressed, or in another character set, is not JSON', async () => {
    for (const body of [Buffer.from(ping, 'utf16le'), Buffer.from('1f8b0800', 'hex')]) {
      const reply = await post(mcp, body, { 'content-encoding': 'gzip' });
      assert.deepEqual(
        [reply.status, reply.json<{ error: object }>().error],
        [400, { code: -32700, message: 'parse error: the body is not JSON' }],
      );
    }
  });

  test('JSON is read as JSON whatever its content type', async () => {
    for (const type of [';;;', 'text/plain', 'application/json; charset=latin1', 'x'.repeat(1000)]) {
      const reply = await post(mcp, ping, { 'content-type': type });
      assert.deepEqual([reply.status, reply.json()], [200, { jsonrpc: '2.0', id: 1, result: {} }]);
    }
  });

  test('REST requires the content type of JSON', async () => {
    for (const type of [';;;', 'text/plain']) {
      const reply = await post(`${url}/api/legitimacy`, '{}', { 'content-type': type });
      assert.deepEqual(
        [reply.status, reply.json()],
        [415, { error: 'content-type must be application/json' }],
      );
    }
  });

  test('names of built-in properties are ordinary names', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const call = (params: string) =>
        post(mcp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
      const text = async (params: string) =>
        (await call(params)).json<{ result: { content: { text: string }[] } }>().result.content[0]?.text;
      assert.equal(await text(`{"name":"${name}"}`), `error: unknown tool: ${name}`);
      assert.equal(
        await text(`{"name":"list_pockets","arguments":{"${name}":{"a":1}}}`),
        `error: unknown argument: ${name} (it takes none)`,
      );
      assert.equal(
        (await call(`{"${name}":{"name":"list_pockets"}}`)).json<{ error: { code: number } }>().error.code,
        -32602,
      );
      assert.equal((await post(mcp, `{"${name}":${ping}}`)).status, 400);
      assert.equal((await ask(`${url}/api/pockets?${name}=1`)).status, 200);
      assert.equal((await ask(`${url}/${name}`)).status, 404);
    }
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  test('JSON as deep as a body can be', async () => {
    const depth = 500_000;
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    assert.match((await post(mcp, deep)).text, /^\[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,/);
    const asText = `"${deep}"`;
    for (const given of [deep, asText, `{"pocket_id":${asText}}`, `{"pocket_id":${deep}}`]) {
      const params = `{"name":"get_pocket_atmosphere","arguments":${given}}`;
      const reply = await post(mcp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
      assert.equal(reply.status, 200);
      assert.match(reply.text, /-32602|pocket_id too long/);
    }
  });
});
