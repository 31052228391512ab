// What the HTTP surface answers when the store is missing or unreachable, or an operation fails.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import pino from 'pino';
import Type from 'typebox';
import { HOUR, MINUTE } from '../../src/domain/time/slot.ts';
import type { AppContext } from '../../src/http/answers/app-context.ts';
import { createHttpLog } from '../../src/http/logging/access-log.ts';
import { buildServer } from '../../src/http/server/server.ts';
import { type AnswerOf, defineOperation } from '../../src/operations/core/define.ts';
import type { listPockets } from '../../src/operations/pocket/list-pockets.ts';
import { StoreError } from '../../src/store/engine/store.ts';
import { ask, post } from '../support/services/http-client.ts';
import { callTool, NOON, noLimits, quietLog, serviceFor, startService } from '../support/services/service.ts';

const toolError = (message: string) => [{ type: 'text', text: `error: ${message}` }];

/** A service with some of its parts replaced, and its log. */
async function serveWith(t: TestContext, change: (service: AppContext) => AppContext) {
  const { service, clock } = await startService(t, { days: 0 });
  const lines: string[] = [];
  const sink = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const app = buildServer(change(service), noLimits, createHttpLog(pino(sink), sink));
  t.after(() => app.close());
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), log: () => lines.join(''), clock };
}

describe('without a datastore', () => {
  test('tools that need data answer with an error, the others still work', async (t) => {
    const { url } = await startService(t, { place: 'none' });
    const { content, isError } = await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'tiongbahru' });
    assert.deepEqual([content, isError], [toolError('datastore not configured'), true]);
    const list = await callTool(url, 'list_pockets');
    assert.match(
      list.content[0]?.text ?? '',
      /^observed pockets: buonavista, .*upperthomson\nbuona vista \(buonavista\): no current reading\n/,
    );
    const lookup = await callTool(url, 'lookup_pocket_by_name', { query: 'holland v' });
    assert.match(lookup.content[0]?.text ?? '', /matched:/);
  });

  test('REST answers 503 where data is needed; pages and probes work', async (t) => {
    const { url } = await startService(t, { place: 'none' });
    for (const path of ['/api/atmosphere?pocket=tiongbahru', '/api/migration-status']) {
      const reply = await ask(url + path);
      assert.deepEqual([reply.status, reply.json()], [503, { error: 'datastore not configured' }]);
      assert.equal(reply.headers['cache-control'], 'no-store');
    }
    assert.deepEqual((await ask(`${url}/api/ready`)).json(), { ready: true, history: { done: 0, total: 0 } });
    for (const path of [
      '/api/ready',
      '/api/pockets',
      '/api/lookup?query=holland',
      '/api/health',
      '/api/version',
      '/docs',
    ])
      assert.equal((await ask(url + path)).status, 200, path);
  });
});

describe('an unreachable store', () => {
  test('is not ready, though the process is alive', async (t) => {
    const { url, log } = await serveWith(t, (service) => ({
      ...service,
      store: { ...service.store, get: () => Promise.reject(new StoreError('unavailable')) },
    }));
    const ready = await ask(`${url}/api/ready`);
    assert.equal(ready.status, 503);
    assert.deepEqual(ready.json(), { ready: false, history: { done: 0, total: 0, seconds_left: null } });
    assert.deepEqual((await ask(`${url}/api/health`)).json(), { ok: true });
    assert.equal((await ask(`${url}/api/version`)).status, 200);
    assert.match(log(), /"path":"\/api\/version"/);
    assert.doesNotMatch(log(), /\/api\/(ready|health)/);
  });

  test('is an error that is not cached, and is over once the store is back', async (t) => {
    const state = { down: true };
    const { url, log } = await serveWith(t, (service) => ({
      ...service,
      store: {
        ...service.store,
        all: (sql, ...params) => {
          if (state.down) throw new StoreError('unavailable', { cause: new Error('secret address') });
          return service.store.all(sql, ...params);
        },
      },
    }));
    const address = `${url}/api/atmosphere?pocket=siglap`;
    for (let n = 0; n < 2; n++) {
      const { content, isError } = await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'siglap' });
      assert.deepEqual([content, isError], [toolError('datastore unavailable'), true]);
      const reply = await ask(address);
      assert.deepEqual([reply.status, reply.json()], [503, { error: 'datastore unavailable' }]);
    }
    state.down = false;
    assert.equal((await ask(address)).status, 200);
    assert.equal((await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'siglap' })).isError, undefined);
    assert.match(log(), /datastore unavailable/);
  });
});

describe('the status page', () => {
  const started = serviceFor(async () => ({}));
  const words = async (url: string, path = '/status') => {
    const reply = await ask(url + path, { headers: { accept: 'text/html' } });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['cache-control'], 'no-cache');
    return reply.text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
  };

  test('is served while the store is down, with the last known state and its age', async (t) => {
    const { service } = started();
    const clock = { now: NOON };
    const state = { down: false };
    const failing =
      <A extends unknown[], R>(read: (...given: A) => Promise<R>) =>
      (...given: A) =>
        state.down ? Promise.reject(new StoreError('unavailable')) : read(...given);
    const { get, all } = service.store;
    const store = { ...service.store, get: failing(get), all: failing(all) } as AppContext['store'];
    const app = buildServer({ ...service, store, now: () => clock.now }, noLimits, quietLog);
    t.after(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });

    state.down = true;
    clock.now += MINUTE;
    assert.match(await words(url), /The store cannot be read\. .*This process has no earlier state to show/);
    state.down = false;
    assert.match(await words(url), /\d of 9 checks? fails?\. Newest reading: .*, 1 minute old/i);
    state.down = true;
    clock.now += 4 * MINUTE;
    await words(url);
    clock.now += 5 * MINUTE;
    const text = await words(url);
    assert.match(text, /The store cannot be read\. It has been unreadable since 12:05 SGT \(5 minutes\)/);
    assert.match(text, /last known state, from 11 nov 2026, 12:01 SGT: 9 minutes old/i);
    assert.match(text, /Newest reading when it was last read: 11 nov 2026, 12:00 SGT, 10 minutes old now/i);
    for (const part of ['Pipeline', 'over the last 90 days', 'Build']) assert.ok(text.includes(part), part);
  });

  test('and every page with a chart say that the pipeline has stopped, and since when', async (t) => {
    const { service } = started();
    const later = { ...service, now: () => NOON + 5 * HOUR };
    const app = buildServer(later, noLimits, quietLog);
    t.after(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const text = await words(url);
    assert.match(text, /Readings have stopped: none for 5 hours\./);
    assert.match(text, /Ongoing 4 hours 45 minutes from 11 nov 2026, 12:15 SGT until now/i);
    for (const path of ['/', '/pocket/holland', '/accuracy', '/silence'])
      assert.match(
        (await ask(url + path)).text,
        /class="notice"[^>]*>Readings are late\. The newest is 5 hours old/,
      );
  });

  test('says that no store is configured', async (t) => {
    const { url } = await startService(t, { place: 'none' });
    assert.match(await words(url), /No store is configured\./);
  });
});

test('list_pockets answers while the store is down, and live again once it is back', async (t) => {
  const { service } = await startService(t);
  const state = { down: true };
  const store: AppContext['store'] = {
    ...service.store,
    all: (sql, ...params) =>
      state.down ? Promise.reject(new StoreError('unavailable')) : service.store.all(sql, ...params),
  };
  const app = buildServer({ ...service, store }, noLimits, quietLog);
  t.after(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const read = async () => {
    const { details } = (await ask(`${url}/api/pockets`)).json<AnswerOf<typeof listPockets>>();
    assert.equal(details.length, 18);
    return details.filter(({ calm_probability }) => calm_probability !== null).length;
  };
  assert.equal(await read(), 0);
  state.down = false;
  assert.ok((await read()) > 0);
});

describe('an internal error', () => {
  const secret = 'internal detail';
  const broken = defineOperation({
    name: 'break',
    title: 'Break',
    description: 'Breaks.',
    toolsets: ['reader'],
    input: {},
    output: Type.Object({}),
    load: () => {
      throw new Error(secret);
    },
    shape: () => ({}),
    speak: () => '',
    rest: { path: '/api/break' },
  });

  test('is in the log and nowhere else', async (t) => {
    const { url, log } = await serveWith(t, (service) => ({ ...service, operations: [broken] }));
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'break' } };
    const reply = await post(`${url}/api/mcp`, call);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), {
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32603, message: 'internal error' },
    });
    const rest = await ask(`${url}/api/break`);
    assert.deepEqual([rest.status, rest.json()], [500, { error: 'internal error' }]);
    for (const { headers } of [reply, rest]) {
      const lines = log()
        .split('\n')
        .filter((line) => line.includes(String(headers['x-request-id'])));
      assert.ok(
        lines.some((line) => line.includes(secret)),
        'the request id of the reply leads to the error',
      );
    }
  });

  test('of any kind does not affect the next request', async (t) => {
    const thrown: unknown[] = [null, undefined, 'text', { statusCode: 200 }, { code: 'x' }];
    const { url } = await serveWith(t, (service) => ({
      ...service,
      operations: [{ ...broken, answer: () => Promise.reject(thrown.shift()) }, ...service.operations],
    }));
    while (thrown.length) {
      const rest = await ask(`${url}/api/break`);
      assert.deepEqual([rest.status, rest.json()], [500, { error: 'internal error' }]);
    }
    assert.equal((await ask(`${url}/api/pockets`)).status, 200);
  });
});

test('a line that breaks the rules of the voice is withheld and logged', async (t) => {
  const { url, log } = await serveWith(t, (service) => ({
    ...service,
    operations: service.operations.map((operation) => ({
      ...operation,
      answer: async () => ({ structured: {}, text: 'Visit us now!' }),
    })),
  }));
  const { content } = await callTool(url, 'list_pockets');
  assert.equal(content[0]?.text, 'a line was withheld here: it broke the rules of the voice.');
  assert.match(log(), /"operation":"list_pockets".*line withheld/);
});
