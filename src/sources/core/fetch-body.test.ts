import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { type BodyRequest, fetchBody, fetchLimits, retryAfter } from './fetch-body.ts';
import { FetchError, type FetchFault } from './fetch-error.ts';
import { fetchPolicy } from './fetch-policy.ts';
import { isPrivateAddress } from './private-address.ts';
import { publicUrl, withoutSecrets } from './redact.ts';

const json = { 'content-type': 'application/json' };
let answer: RequestListener = (_, response) => response.end();
let calls = 0;
let asked: { url?: string | undefined; headers: Record<string, unknown> }[] = [];
const server = createServer((request, response) => {
  // A request that was given up may arrive during the next test.
  if (request.headers['x-call'] === String(calls)) asked.push({ url: request.url, headers: request.headers });
  answer(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
after(() => {
  server.closeAllConnections();
  server.close();
});

/** No answer here is late, however busy the machine: the tests of being late have a limit of their own. */
const limits = { ...fetchLimits, timeout_ms: 30_000, max_bytes: 200_000 };
const fetchFrom = (listener: RequestListener, changes: Partial<BodyRequest> = {}, less = {}) => {
  answer = listener;
  asked = [];
  calls += 1;
  const url = `http://127.0.0.1:${port}/feed?token=hidden`;
  const headers = { 'x-call': String(calls), ...changes.headers };
  return fetchBody({ url, allow_private: true, ...changes, headers }, { ...limits, ...less });
};
async function expectFault(work: Promise<unknown>): Promise<FetchError> {
  const error = await work.then(
    () => assert.fail('it was answered'),
    (failure) => failure,
  );
  assert.ok(error instanceof FetchError, String(error));
  assert.doesNotMatch(error.message, /hidden|token/);
  return error;
}

describe('a request', () => {
  test('gives the body, and its validators make the next one conditional', async () => {
    const listener: RequestListener = ({ headers }, response) => {
      if (headers['if-none-match'] === '"one"') return response.writeHead(304).end();
      return response
        .writeHead(200, { ...json, etag: '"one"', 'content-encoding': 'gzip' })
        .end(gzipSync('[1]'));
    };
    const first = await fetchFrom(listener, { headers: { 'user-agent': 'pocketwatch/test' } });
    assert.equal(Buffer.from(first?.bytes ?? []).toString(), '[1]');
    assert.deepEqual(first?.validators, { etag: '"one"' });
    assert.equal(asked[0]?.headers['user-agent'], 'pocketwatch/test');
    assert.equal(await fetchFrom(listener, { validators: first?.validators }), null);
  });

  test('follows redirects on the same host, each of them admitted', async () => {
    let admitted = 0;
    const body = await fetchFrom(
      ({ url }, response) =>
        url === '/there'
          ? response.writeHead(200, json).end('{}')
          : response.writeHead(302, { location: '/there' }).end(),
      { admit: async () => void admitted++ },
    );
    assert.equal(Buffer.from(body?.bytes ?? []).toString(), '{}');
    assert.deepEqual([admitted, asked.map(({ url }) => url)], [2, ['/feed?token=hidden', '/there']]);
  });

  test('a body is sent with POST, also where the host moves it, and to no other question', async () => {
    const sent: string[] = [];
    const echo: RequestListener = (request, response) => {
      if (request.url !== '/there') return response.writeHead(307, { location: '/there' }).end();
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        sent.push(`${request.method} ${request.headers['content-type']} ${Buffer.concat(chunks)}`);
        response.writeHead(200, json).end('{}');
      });
      return response;
    };
    await fetchFrom(echo, { body: '{"query":"ü"}' });
    assert.deepEqual(sent, ['POST application/json {"query":"ü"}']);
    for (const status of [301, 302, 303]) {
      const moved = fetchFrom((_, response) => response.writeHead(status, { location: '/there' }).end(), {
        body: '{}',
      });
      const { fault, message } = await expectFault(moved);
      assert.deepEqual([fault, asked.length], ['forbidden', 1]);
      assert.match(message, new RegExp(`redirects a POST with status ${status}$`));
    }
  });

  test('JSON that declares latin1 is read as such, and kept as it was sent', async () => {
    const sent = Buffer.from('"M\u00fcnster"', 'latin1');
    const body = await fetchFrom((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json; charset=ISO-8859-1' }).end(sent),
    );
    assert.equal(Buffer.from(body?.bytes ?? []).toString(), '"Münster"');
    assert.deepEqual(Buffer.from(body?.raw ?? []), sent);
  });
});

describe('an answer that is not taken', () => {
  const status =
    (code: number, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(code, headers).end();
  const body =
    (type: string, content: string | Buffer, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(content);
  const rows = Buffer.from(`${'{"id":1},'.repeat(7_000)}`);
  const endless = (response: NodeJS.WritableStream, part = rows) => {
    let sent = 0;
    const write = () => {
      // 50 MB and more, generated as it is read.
      while (sent++ < 800) if (!response.write(part)) return response.once('drain', write);
      return response.end();
    };
    write();
  };
  const table: [why: string, fault: FetchFault, listener: RequestListener][] = [
    ['500', 'server', status(500)],
    ['503 without Retry-After', 'server', status(503)],
    ['503 with Retry-After', 'busy', status(503, { 'retry-after': '5' })],
    ['429 without Retry-After', 'busy', status(429)],
    ['404', 'refused', status(404)],
    ['401', 'refused', status(401)],
    ['304 that was not asked for', 'refused', status(304)],
    ['204', 'refused', status(204)],
    ['HTML with 200', 'bad_body', body('text/html', '<h1>please log in</h1>')],
    ['HTML that says it is JSON', 'bad_body', body('application/json', '\n<!DOCTYPE html><html>')],
    [
      'a wrong charset',
      'bad_body',
      body('application/json; charset=utf-8', Buffer.from('"M\u00fcnster"', 'latin1')),
    ],
    ['another charset', 'bad_body', body('application/json; charset=utf-16', '{}')],
    ['an unknown encoding', 'bad_body', body('application/json', '{}', { 'content-encoding': 'zip' })],
    [
      'something else than the gzip that it says',
      'bad_body',
      body('application/json', '{}', { 'content-encoding': 'gzip' }),
    ],
    [
      'half of a gzip',
      'bad_body',
      body('application/json', gzipSync('[1,2,3]').subarray(0, 15), { 'content-encoding': 'gzip' }),
    ],
    [
      'half a body',
      'network',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-length': '1000' });
        response.write('[1,', () => response.destroy());
      },
    ],
    ['a connection that is closed', 'network', ({ socket }) => socket.destroy()],
    [
      'a body that announces too much',
      'too_large',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-length': '50000000' }).write('[');
      },
    ],
    ['50 MB of JSON', 'too_large', (_, response) => endless(response.writeHead(200, json))],
    [
      'a gzip bomb',
      'too_large',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        gzip.on('error', () => undefined);
        endless(gzip);
      },
    ],
    [
      'gzip without end that unpacks to nothing',
      'too_large',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
        endless(response, Buffer.concat(Array(5_000).fill(gzipSync(''))));
      },
    ],
    ['a redirect to another host', 'forbidden', status(302, { location: 'http://elsewhere.example/' })],
    ['a redirect to another port', 'forbidden', status(302, { location: 'http://127.0.0.1:1/' })],
    [
      'a redirect to a private address',
      'forbidden',
      status(302, { location: 'http://169.254.169.254/latest' }),
    ],
    ['a redirect to a file', 'forbidden', status(302, { location: 'file:///etc/passwd' })],
    ['redirects without end', 'forbidden', status(302, { location: '/' })],
  ];
  for (const [why, fault, listener] of table)
    test(why, async () => assert.equal((await expectFault(fetchFrom(listener))).fault, fault));

  test('a slow one ends at the limit of time, however steadily it drips', async () => {
    const drip: RequestListener = (_, response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    };
    assert.equal((await expectFault(fetchFrom(drip, {}, { timeout_ms: 60 }))).fault, 'timeout');
    assert.equal((await expectFault(fetchFrom(() => undefined, {}, { timeout_ms: 30 }))).fault, 'timeout');
  });
});

describe('addresses of private networks', () => {
  const closed =
    '127.0.0.1 127.1.2.3 10.0.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: nonsense';
  const open = '8.8.8.8 1.1.1.1 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8';
  test('are told from public ones', () => {
    for (const address of closed.split(' ')) assert.equal(isPrivateAddress(address), true, address);
    for (const address of open.split(' ')) assert.equal(isPrivateAddress(address), false, address);
  });

  const hosts = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '169.254.169.254'];
  for (const host of hosts)
    test(`${host} is refused before anything is sent`, async () => {
      const url = `http://${host}:${port}/`;
      const error = await expectFault(
        fetchFrom((_, response) => response.end('{}'), { url, allow_private: false }),
      );
      assert.deepEqual([error.fault, asked.length], ['forbidden', 0]);
    });

  test('so is a name that resolves to one of them, even among public ones', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const url = `http://feed.example:${port}/`;
    const work = fetchFrom((_, response) => response.end('{}'), { url, allow_private: false }, { resolve });
    assert.deepEqual([(await expectFault(work)).fault, asked.length], ['forbidden', 0]);
  });

  test('a name is resolved once, and the connection goes to what was checked', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    let lookups = 0;
    const resolve = async () => [{ address: answers[lookups++] ?? '', family: 4 }];
    const url = `http://rebinding.example:${port}/`;
    const body = await fetchFrom(
      (_, response) => response.writeHead(200, json).end('{}'),
      { url },
      { resolve },
    );
    assert.deepEqual(
      [body?.bytes.length, lookups, asked[0]?.headers.host],
      [2, 1, `rebinding.example:${port}`],
    );
  });

  test('other protocols and passwords in the address are refused', async () => {
    for (const url of [
      'ftp://feed.example/',
      'file:///etc/passwd',
      'http://me:hidden@feed.example/',
      'nonsense',
    ])
      assert.equal((await expectFault(fetchFrom(() => undefined, { url }))).fault, 'forbidden');
  });
});

test('Retry-After: seconds or a date, within a second and an hour', () => {
  const now = Date.parse('2026-06-10T10:00:00Z');
  const table: [header: string | undefined, wait: number | undefined][] = [
    [undefined, undefined],
    ['120', 120_000],
    ['0', 1_000],
    ['Wed, 10 Jun 2026 10:05:00 GMT', 300_000],
    ['Wed, 10 Jun 2026 09:00:00 GMT', 1_000],
    ['99999999', 3_600_000],
    ['soon', undefined],
    ['-5', undefined],
  ];
  for (const [header, wait] of table) assert.equal(retryAfter(header, now), wait, header);
});

describe('retries and the circuit breaker', () => {
  const settings = { retries: 2, pause_ms: 1, failures: 4, open_ms: 60_000 };
  const failing = (fault: FetchFault) => {
    let calls = 0;
    const work = async () => {
      calls += 1;
      throw new FetchError(fault, fault);
    };
    return { work, calls: () => calls };
  };

  test('a failing server is asked three times, an answer that waiting does not mend once', async () => {
    for (const [fault, expected] of [
      ['server', 3],
      ['network', 3],
      ['timeout', 1],
      ['busy', 1],
      ['refused', 1],
    ] as const) {
      const { work, calls } = failing(fault);
      await assert.rejects(fetchPolicy(settings).execute(work), FetchError);
      assert.equal(calls(), expected, fault);
    }
  });

  test('the breaker opens after failures in a row and closes with the first success', async (t) => {
    t.mock.timers.enable({ apis: ['Date'] });
    const policy = fetchPolicy(settings);
    const { work, calls } = failing('server');
    await assert.rejects(policy.execute(work));
    await assert.rejects(policy.execute(work));
    assert.deepEqual([policy.state, calls()], ['open', 4]);
    await assert.rejects(policy.execute(work));
    assert.equal(calls(), 4);
    t.mock.timers.tick(60_000);
    assert.equal(await policy.execute(async () => 'back'), 'back');
    assert.equal(policy.state, 'closed');
  });

  test('a used-up budget says nothing about the server', async () => {
    const policy = fetchPolicy({ ...settings, failures: 1 });
    await assert.rejects(policy.execute(failing('budget').work));
    assert.equal(policy.state, 'closed');
  });
});

test('keys are withheld from addresses and texts', () => {
  assert.equal(
    publicUrl('https://me:pw@feed.example/a?lat=1&api_key=abc&X-Token=d#frag'),
    'https://feed.example/a?lat=1&api_key=withheld&X-Token=withheld',
  );
  assert.equal(publicUrl('https://feed.example/a%2Fb/rows', ['a/b']), 'https://feed.example/withheld/rows');
  assert.equal(withoutSecrets('the key is s3cret', ['s3cret', '']), 'the key is withheld');
});
