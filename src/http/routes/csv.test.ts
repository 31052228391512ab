import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import Type from 'typebox';
import { parseCsv } from '../../../test/support/answers/csv.ts';
import { ask } from '../../../test/support/services/http-client.ts';
import type { Operation } from '../../operations/core/define.ts';
import { HttpError, toHttpError } from '../core/errors.ts';
import type { OpenTable } from '../heavy/jobs.ts';
import { leastSpeed, type TableLimits, tableSender, wantsTable } from './csv.ts';

/** A table of `count` batches that records how many were read and whether it was closed. */
function watchedTable(count: number) {
  const state = { read: 0, closed: 0 };
  const table = async (): Promise<OpenTable> => {
    let n = 0;
    return {
      name: 'numbers',
      header: 'n,text\r\n',
      next: async () => {
        if (n === count) return undefined;
        state.read += 1;
        const lines = Array.from({ length: 100 }, (_, row) => `${n * 100 + row},${'x'.repeat(200)}\r\n`);
        n += 1;
        return { bytes: Buffer.from(lines.join('')), rows: lines.length };
      },
      close: () => {
        state.closed += 1;
      },
    };
  };
  return { state, table };
}

const manyTables: TableLimits = { total: 100, perClient: 100, bytesPerSecond: 1, graceMs: 60_000 };

/** The client's address is what the request says. */
async function serve(t: TestContext, table: () => Promise<OpenTable>, limits = manyTables): Promise<string> {
  const app = Fastify();
  const send = tableSender('http://pocketwatch.test/LICENSE-CONTENT.md', limits);
  app.get<{ Querystring: { from?: string } }>('/table', (request, reply) =>
    send(request, reply, request.query.from ?? '', table),
  );
  app.setErrorHandler((error, _request, reply) => {
    const { status, message } = toHttpError(error);
    return reply.code(status).send({ error: message });
  });
  t.after(() => app.close());
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/table`;
}

const begin = (url: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, (response) => resolve(response.pause())).on('error', reject);
  });

/** Waits until `value` no longer changes. */
async function settled(value: () => number): Promise<number> {
  for (let before = -1; before !== value(); ) {
    before = value();
    await pause(150);
  }
  return value();
}

/** Waits for a number of closed tables. */
async function untilClosed(state: { closed: number }, count: number): Promise<void> {
  const deadline = AbortSignal.timeout(20_000);
  while (state.closed < count && !deadline.aborted) await pause(20);
  assert.equal(state.closed, count);
}

describe('a table over HTTP', () => {
  test('is complete, with its type, file name and licence in the headers', async (t) => {
    const { table, state } = watchedTable(30);
    const reply = await ask(await serve(t, table));
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(reply.headers['content-disposition'], 'attachment; filename="pocketwatch-numbers.csv"');
    assert.equal(reply.headers.link, '<http://pocketwatch.test/LICENSE-CONTENT.md>; rel="license"');
    const [header, ...rows] = parseCsv(reply.text);
    assert.deepEqual(header, ['n', 'text']);
    assert.deepEqual(
      rows.map(([n]) => Number(n)),
      Array.from({ length: 3000 }, (_, n) => n),
    );
    assert.deepEqual(state, { read: 30, closed: 1 });
  });

  test('without rows is its header line', async (t) => {
    const reply = await ask(await serve(t, watchedTable(0).table));
    assert.deepEqual([reply.status, reply.text], [200, 'n,text\r\n']);
  });

  test('HEAD reads no rows', async (t) => {
    const { table, state } = watchedTable(5);
    const reply = await ask(await serve(t, table), { method: 'HEAD' });
    assert.deepEqual([reply.status, reply.text, state.read], [200, '', 0]);
    assert.match(String(reply.headers['content-type']), /^text\/csv/);
  });

  test('a client that stops reading pauses the reading of the store, and one that disconnects ends it', async (t) => {
    const { table, state } = watchedTable(1_000_000);
    const response = await begin(await serve(t, table));
    const read = await settled(() => state.read);
    assert.ok(read < 2000, `${read} batches were read although the client did not read the reply`);
    response.destroy();
    await untilClosed(state, 1);
  });

  test('past the limit of concurrent tables a request gets 503, until another has ended', async (t) => {
    const { table, state } = watchedTable(1_000_000);
    const url = await serve(t, table, { ...manyTables, total: 2 });
    const first = [await begin(url), await begin(url)];
    const refused = await ask(url);
    assert.deepEqual(
      [refused.status, refused.json()],
      [503, { error: 'too many tables are being sent: try again in a while' }],
    );
    assert.match(String(refused.headers['content-type']), /json/);
    first[0]?.destroy();
    await untilClosed(state, 1);
    const third = await begin(url);
    assert.equal(third.statusCode, 200);
    for (const response of [first[1], third]) response?.destroy();
    await untilClosed(state, 3);
  });

  test('one client cannot take the places of all', async (t) => {
    const { table } = watchedTable(1_000_000);
    const url = await serve(t, table, { ...manyTables, perClient: 1 });
    const slow = await begin(`${url}?from=a`);
    assert.equal((await ask(`${url}?from=a`)).status, 503);
    const other = await begin(`${url}?from=b`);
    assert.equal(other.statusCode, 200);
    for (const response of [slow, other]) response.destroy();
  });

  test('a client that reads too slowly is disconnected, and its place is free', async (t) => {
    const { table, state } = watchedTable(1_000_000);
    const url = await serve(t, table, { ...manyTables, total: 1, bytesPerSecond: 10_000_000, graceMs: 20 });
    const slow = await begin(url);
    const cut = once(slow, 'error');
    await untilClosed(state, 1);
    slow.resume();
    assert.match(String((await cut)[0]), /aborted|ECONNRESET/);
    const next = await begin(url);
    assert.equal(next.statusCode, 200);
    next.destroy();
  });

  test('a store that cannot be read at first gives 503; one that fails later breaks the connection', async (t) => {
    const broken = async (at: number): Promise<OpenTable> => {
      const { state, table } = watchedTable(at + 1);
      const { next, ...rest } = await table();
      const failing = async () => {
        if (state.read === at) throw new HttpError(503, 'datastore unavailable');
        return next();
      };
      return { ...rest, next: failing };
    };
    const url = await serve(t, () => broken(0), { ...manyTables, total: 1 });
    for (let n = 0; n < 3; n++) {
      const reply = await ask(url);
      assert.deepEqual([reply.status, reply.json()], [503, { error: 'datastore unavailable' }]);
    }
    const cut = await begin(await serve(t, () => broken(3)));
    cut.resume();
    const [error] = await once(cut, 'error');
    assert.match(String(error), /aborted|ECONNRESET/);
  });
});

test('a client may fall behind the least speed by the grace, however fast it was before', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const cut = t.mock.fn();
  const pace = leastSpeed({ bytesPerSecond: 1000, graceMs: 5000 }, cut);
  const pass = (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const read = (bytes: number, ms: number) => {
    pace.begin(bytes);
    pass(ms);
    pace.stop();
    return cut.mock.callCount();
  };
  for (let n = 0; n < 100; n++) assert.equal(read(10_000, 1), 0);
  pass(3_600_000);
  assert.equal(read(1000, 4000), 0, 'waiting for the server is not counted');
  assert.equal(read(1000, 2999), 0);
  assert.equal(read(1000, 1002), 1);
});

test('which requests want a table', () => {
  const plain = { input: Type.Object({}) } as unknown as Operation;
  const tabled = { ...plain, table: () => assert.fail() } as Operation;
  const own = { ...tabled, input: Type.Object({ format: Type.String() }) } as unknown as Operation;
  for (const format of [undefined, '', 'json'])
    assert.equal(wantsTable(tabled, { format }, undefined), false);
  assert.equal(wantsTable(tabled, { format: 'csv' }, undefined), true);
  assert.equal(wantsTable(tabled, {}, 'text/csv'), true);
  assert.equal(wantsTable(tabled, { format: 'json' }, 'text/csv'), false);
  assert.equal(wantsTable(tabled, { format: 'csv' }, 'application/json'), true);
  assert.equal(wantsTable(plain, {}, 'text/csv'), false);
  assert.equal(wantsTable(plain, { format: 'csv' }, undefined), false);
  assert.equal(wantsTable(own, { format: 'csv' }, undefined), true);
  assert.equal(wantsTable(own, { format: 'narrative' }, undefined), false);
  for (const format of ['xml', 'CSV', ['csv', 'json'], '__proto__'])
    assert.throws(() => wantsTable(tabled, { format }, undefined), /format must be one of json, csv/);
});
