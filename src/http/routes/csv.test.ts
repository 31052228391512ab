import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import Type from 'typebox';
import { parseCsv } from '../../../test/support/answers/csv.ts';
import { ask } from '../../../test/support/services/http-client.ts';
import type { Operation, Table } from '../../operations/core/define.ts';
import { HttpError, toHttpError } from '../core/errors.ts';
import { tableSender, wantsTable } from './csv.ts';

/** A table of `count` batches that records how many were read and whether its reader was released. */
function watchedTable(count: number) {
  const state = { read: 0, released: 0 };
  async function* batches() {
    try {
      for (let n = 0; n < count; n++) {
        state.read += 1;
        yield Array.from({ length: 100 }, (_, row) => [n * 100 + row, 'x'.repeat(200)]);
      }
    } finally {
      state.released += 1;
    }
  }
  const table = (): Table => ({ name: 'numbers', columns: ['n', 'text'], batches: batches() });
  return { state, table };
}

async function serve(t: TestContext, table: () => Table, maxConcurrent?: number): Promise<string> {
  const app = Fastify();
  const send = tableSender('http://pocketwatch.test/LICENSE-CONTENT.md', maxConcurrent);
  app.get('/table', (request, reply) => send(request, reply, table()));
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
    assert.deepEqual(state, { read: 30, released: 1 });
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
    await settled(() => state.released);
    assert.equal(state.released, 1);
  });

  test('past the limit of concurrent tables a request gets 503, until another has ended', async (t) => {
    const { table, state } = watchedTable(1_000_000);
    const url = await serve(t, table, 2);
    const first = [await begin(url), await begin(url)];
    const refused = await ask(url);
    assert.deepEqual(
      [refused.status, refused.json()],
      [503, { error: 'too many tables are being sent: try again in a while' }],
    );
    assert.match(String(refused.headers['content-type']), /json/);
    first[0]?.destroy();
    await settled(() => state.released);
    const third = await begin(url);
    assert.equal(third.statusCode, 200);
    for (const response of [first[1], third]) response?.destroy();
    await settled(() => state.released);
    assert.equal(state.released, 3);
  });

  test('a store that cannot be read at first gives 503; one that fails later breaks the connection', async (t) => {
    const broken = (at: number): Table => ({
      name: 'broken',
      columns: ['n'],
      batches: (async function* () {
        for (let n = 0; n < at; n++) yield [[n]];
        throw new HttpError(503, 'datastore unavailable');
      })(),
    });
    const url = await serve(t, () => broken(0), 1);
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

test('which requests want a table', () => {
  const { table } = watchedTable(0);
  const plain = { input: Type.Object({}) } as unknown as Operation;
  const tabled = { ...plain, table } as Operation;
  const own = { ...tabled, input: Type.Object({ format: Type.String() }) } as unknown as Operation;
  for (const format of [undefined, '', 'json']) assert.equal(wantsTable(tabled, { format }), false);
  assert.equal(wantsTable(tabled, { format: 'csv' }), true);
  assert.equal(wantsTable(plain, { format: 'csv' }), false);
  assert.equal(wantsTable(own, { format: 'csv' }), true);
  assert.equal(wantsTable(own, { format: 'narrative' }), false);
  for (const format of ['xml', 'CSV', ['csv', 'json'], '__proto__'])
    assert.throws(() => wantsTable(tabled, { format }), /format must be one of json, csv/);
});
