// The one write of the service: what is sent twice is sealed once, and how much an address may send.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, iso } from '../../src/domain/time/slot.ts';
import type { AppContext } from '../../src/http/answers/app-context.ts';
import { watchDataVersion } from '../../src/http/cache/data-version.ts';
import { buildServer } from '../../src/http/server/server.ts';
import { callableTools } from '../../src/operations/core/define.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { ledgerAppender } from '../../src/store/ledger/append.ts';
import { allEndpoints } from '../support/answers/openapi-document.ts';
import { argumentsFor, sampleIds } from '../support/answers/operation-answers.ts';
import { sampleAddress } from '../support/answers/sample-addresses.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { callTool, NOON, noLimits, quietLog, serviceFor, startService } from '../support/services/service.ts';
import { describeStores } from '../support/stores/store-places.ts';
import { testSigner } from '../support/stores/test-key.ts';

type Sent = ReturnType<typeof submission>;

describeStores('a submission that is sent again', (makePlace, engine) => {
  const service = serviceFor(async () => ({
    days: 0,
    place: await makePlace(),
    trustedProxies: ['127.0.0.0/8'],
  }));
  const send = (body: Sent, headers = {}) => post(`${service().url}/api/benchmark/submit`, body, headers);
  const submit = async (body: Sent, headers = {}): Promise<unknown> => {
    const reply = await send(body, headers);
    assert.equal(reply.status, 200, reply.text);
    return reply.json().submission_id;
  };
  const callSubmit = async (body: Sent) =>
    (await callTool(service().url, 'submit_benchmark_predictions', body)).structuredContent;
  const count = async () =>
    (await service().store.get<{ n: number }>('select count(*) as n from submissions'))?.n ?? 0;
  /** A submission that no other test sends, valid at the time of the clock. */
  let names = 0;
  const another = (): Sent => submission({ submitter_name: `system ${++names}` });
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('is sealed once, over REST and as a tool, and gets the same answer', async () => {
    const body = another();
    const before = await count();
    const id = await submit(body);
    assert.equal(await submit(body), id);
    const asTool = await callSubmit(body);
    assert.equal(asTool?.submission_id, id);
    assert.deepEqual(await callSubmit(body), asTool);
    assert.equal(await count(), before + 1);
  });

  test('is the same in another spelling, and without what is not kept', async () => {
    const body = another();
    const id = await submit(body);
    const [item] = body.predictions;
    const { contact_email: _email, system_description: _text, ...kept } = body;
    const respelled = { ...item, predicted_state: item?.predicted_state.replace('_', '-') };
    assert.equal(await submit({ ...kept, predictions: [respelled] } as Sent), id);
  });

  test('is one submission when it is sent many times at once', async () => {
    const body = another();
    const before = await count();
    const ids = await Promise.all(Array.from({ length: 12 }, () => submit(body)));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await count(), before + 1);
  });

  test('is one submission when it is sent to two services of one store at once', async (t) => {
    const place = await makePlace();
    const first = await startService(t, { days: 0, place: { ...place, remove: async () => undefined } });
    const second = await startService(t, { days: 0, place });
    for (let round = 0; round < 5; round++) {
      const body = another();
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          post(`${(n % 2 ? first : second).url}/api/benchmark/submit`, body),
        ),
      );
      for (const { status, text } of replies) assert.equal(status, 200, text);
      assert.equal(new Set(replies.map((reply) => reply.json().submission_id)).size, 1);
    }
    const rows = await first.store.all('select leaf from submissions');
    assert.equal(rows.length, 5);
  });

  test('is seen by another service of the store, whose cached answers stay unless they show the log', async (t) => {
    const { url, store } = service();
    const other = await watchDataVersion(store);
    const app = buildServer({ ...service().service, dataVersion: other }, noLimits, quietLog);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    t.after(async () => {
      other.stop();
      await app.close();
    });
    const [list, size] = ['/api/pockets', '/api/ledger/history'];
    const first = await ask(address + list);
    const before = await ask(address + size);
    await submit(another());
    await other.refresh();
    for (const at of [url, address]) {
      const headers = { 'if-none-match': first.headers.etag };
      assert.equal((await ask(at + list, { headers })).status, 304);
      assert.notEqual((await ask(at + size)).headers.etag, before.headers.etag);
    }
  });

  test('by another address is another submission', async () => {
    const body = another();
    const id = await submit(body, from('203.0.113.1'));
    assert.notEqual(await submit(body, from('203.0.113.2')), id);
    assert.equal(await submit(body, from('203.0.113.1')), id);
  });

  test('with an Idempotency-Key is the same from any address, and twice under two keys', async () => {
    const body = another();
    const key = (value: string, address: string) => ({ 'idempotency-key': value, ...from(address) });
    const id = await submit(body, key('a', '203.0.113.1'));
    assert.equal(await submit(body, key('a', '203.0.113.2')), id);
    assert.notEqual(await submit(body, key('b', '203.0.113.1')), id);
  });

  test('under a key that was used for another one is refused', async () => {
    const key = { 'idempotency-key': 'used' };
    await submit(another(), key);
    const before = await count();
    const reply = await send(another(), key);
    const error = 'idempotency-key was sent with another submission: send a new one';
    assert.deepEqual([reply.status, reply.json()], [400, { error }]);
    assert.equal(await count(), before);
  });

  test('under a key that another address used for another one is another submission', async () => {
    const key = (address: string) => ({ 'idempotency-key': 'the same by accident', ...from(address) });
    const [body, other] = [another(), another()];
    const id = await submit(body, key('203.0.113.1'));
    const otherId = await submit(other, key('203.0.113.2'));
    assert.notEqual(otherId, id);
    const before = await count();
    // Each is found again from any address, and neither address may use the key for what the other one sent.
    for (const address of ['203.0.113.1', '203.0.113.3']) assert.equal(await submit(body, key(address)), id);
    for (const address of ['203.0.113.2', '203.0.113.4'])
      assert.equal(await submit(other, key(address)), otherId);
    const replies = [
      await send(other, key('203.0.113.1')),
      await send(body, key('203.0.113.2')),
      await send(another(), key('203.0.113.3')),
      await send(body, key('203.0.113.4')),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [400, 400, 400, 400],
    );
    assert.equal(await count(), before);
  });

  test('under one key from many addresses at once, with two bodies, is two submissions', async () => {
    const bodies = [another(), another()] as const;
    const before = await count();
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        send(bodies[n % 2] as Sent, { 'idempotency-key': 'crowded', ...from(`198.51.100.${n}`) }),
      ),
    );
    for (const { status, text } of replies) assert.equal(status, 200, text);
    assert.equal(new Set(replies.map((reply) => reply.json().submission_id)).size, 2);
    assert.equal(await count(), before + 2);
  });

  test('under one key from one address at once, with two bodies, is one submission', async () => {
    const bodies = [another(), another()] as const;
    const before = await count();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(bodies[n % 2] as Sent, { 'idempotency-key': 'raced' })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 4);
    assert.equal(replies.filter(({ status }) => status === 400).length, 4);
    assert.equal(await count(), before + 1);
  });

  test('by an address that has no quota left gets the answer of the first', async (t) => {
    const place = await makePlace();
    const limited = { days: 0, place, submitPerDay: { rows: 1, bytes: 0 }, trustedProxies: ['127.0.0.0/8'] };
    const { url } = await startService(t, limited);
    const sent = (body: Sent, address: string) =>
      post(`${url}/api/benchmark/submit`, body, { 'idempotency-key': 'k', ...from(address) });
    const body = another();
    const first = await sent(body, '203.0.113.1');
    assert.equal(first.status, 200, first.text);
    assert.equal((await post(`${url}/api/benchmark/submit`, another(), from('203.0.113.2'))).status, 200);
    const again = await sent(body, '203.0.113.2');
    assert.equal(again.status, 200, again.text);
    assert.equal(again.json().submission_id, first.json().submission_id);
  });

  test('needs a key that is printable and not too long', async () => {
    for (const key of ['', 'x'.repeat(256), 'caf\xe9', 'a\tb']) {
      const reply = await send(another(), { 'idempotency-key': key });
      const error = 'idempotency-key must be 1-255 printable ASCII characters';
      assert.deepEqual([reply.status, reply.json()], [400, { error }], key);
    }
    await submit(another(), { 'idempotency-key': 'x'.repeat(255) });
  });

  test('leaves no address in the store, and its key is removed after a day', async (t) => {
    const { clock, store } = service();
    t.after(() => {
      clock.now = NOON;
    });
    const end = { prediction_window_end: new Date(NOON + 3 * DAY).toISOString() };
    const body = { ...another(), ...end };
    const id = await submit(body, from('203.0.113.77'));
    const rows = JSON.stringify(await store.all('select * from submission_keys'));
    assert.doesNotMatch(rows, /203\.0\.113/);
    clock.now = NOON + DAY - 1;
    assert.equal(await submit(body, from('203.0.113.77')), id);
    clock.now = NOON + DAY;
    assert.notEqual(await submit(body, from('203.0.113.77')), id);
    assert.equal((await store.all('select key from submission_keys')).length, 1);
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    test('is accepted while something else appends to the ledger, and is there afterwards', async (t) => {
      const place = await makePlace();
      const { url, clock } = await startService(t, { days: 0, place });
      const worker = openStore(place);
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      t.after(async () => {
        release.resolve();
        await worker.close();
      });
      const append = ledgerAppender(
        worker,
        testSigner,
        () => clock.now,
      )(async (tx, ledger) => {
        await ledger.append(tx, 'silence', [{ id: 'row', payload: {} }]);
        held.resolve();
        await release.promise;
      });
      await Promise.race([held.promise, append]);
      const body = another();
      const { structuredContent: answer, content } = await callTool(
        url,
        'submit_benchmark_predictions',
        body,
      );
      const id = String(answer?.submission_id);
      const { sealed_at, written_at, payload_hash } = { ...answer };
      assert.deepEqual([sealed_at, written_at, payload_hash], [iso(clock.now), null, null]);
      assert.match(content[0]?.text ?? '', /^accepted 1 forecast of .* within 15 seconds/);
      const scores = async () => (await ask(`${url}/api/benchmark/scores/${id}`)).json();
      const waiting = await scores();
      assert.deepEqual(
        [waiting.status, waiting.sealed_at, waiting.written_at, waiting.payload_hash],
        ['queued_for_scoring', iso(clock.now), null, null],
      );
      release.resolve();
      await append;
      const again = (await callTool(url, 'submit_benchmark_predictions', body)).structuredContent;
      assert.equal(again?.submission_id, id);
      assert.equal(again?.written_at, iso(clock.now));
      const sealed = await scores();
      assert.deepEqual([sealed.written_at, sealed.payload_hash], [iso(clock.now), again?.payload_hash]);
      assert.deepEqual(sealed.items_hash, waiting.items_hash);
    });

  test('that failed the first time is accepted the second time', async (t) => {
    const { url, service: context } = await startService(t, { days: 0, place: await makePlace() });
    const { writer } = context as { writer: { accept: unknown } };
    const { accept } = writer as { accept: (work: unknown) => Promise<unknown> };
    writer.accept = (work: (...given: unknown[]) => unknown) =>
      accept(async (...given: unknown[]) => {
        await work(...given);
        throw new Error('before the commit');
      });
    const body = another();
    assert.equal((await post(`${url}/api/benchmark/submit`, body)).status, 500);
    writer.accept = accept;
    assert.equal((await post(`${url}/api/benchmark/submit`, body)).status, 200);
  });
});

const call = (args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'submit_benchmark_predictions', arguments: args },
});

describe('limits of submissions', () => {
  const named = (n: number) => submission({ submitter_name: `system ${n}` });

  test('REST and the tool share one limit a minute', async (t) => {
    const { url, clock } = await startService(t, { days: 0, submitLimit: 3, mcpLimit: 100 });
    const refusal = {
      error: 'rate limit exceeded: at most 3 requests in 60 seconds',
      limit: 3,
      window_seconds: 60,
      retry_in_seconds: 60,
    };
    assert.equal((await post(`${url}/api/benchmark/submit`, named(1))).status, 200);
    assert.equal((await post(`${url}/api/mcp`, [call(named(2)), call(named(3))])).status, 200);
    const asTool = await post(`${url}/api/mcp`, call(named(4)));
    const { error: message, ...data } = refusal;
    const error = { code: -32000, message, data };
    assert.deepEqual([asTool.status, asTool.json()], [429, { jsonrpc: '2.0', id: 1, error, ...data }]);
    const overRest = await post(`${url}/api/benchmark/submit`, named(4));
    assert.deepEqual([overRest.status, overRest.json()], [429, refusal]);
    assert.equal((await callTool(url, 'list_pockets')).isError, undefined);
    clock.now += 60_000;
    assert.equal((await post(`${url}/api/mcp`, call(named(4)))).status, 200);
  });

  test('an address has a quota of rows and bytes a day, over REST and the tool', async (t) => {
    const submitPerDay = { rows: 3, bytes: 0 };
    const { url, clock } = await startService(t, { days: 0, submitPerDay });
    const end = { prediction_window_end: new Date(NOON + 3 * DAY).toISOString() };
    const send = (n: number) => post(`${url}/api/benchmark/submit`, { ...named(n), ...end });
    for (const n of [1, 2, 3, 3, 2]) assert.equal((await send(n)).status, 200);
    clock.now += 60_000;
    const error = 'quota exceeded: at most 3 rows of submissions from an address in a day';
    const reply = await send(4);
    const rule = { error, limit: 3, window_seconds: 86_400, retry_in_seconds: 86_340 };
    assert.deepEqual([reply.status, reply.json()], [429, rule]);
    const { isError, content } = await callTool(url, 'submit_benchmark_predictions', named(4));
    assert.deepEqual([isError, content[0]?.text], [true, `error: ${error}`]);
    assert.equal((await send(3)).status, 200, 'what is sealed is answered again');
    clock.now = NOON + DAY;
    assert.equal((await send(4)).status, 200);
  });

  test('what is not sealed is not charged', async (t) => {
    const { url } = await startService(t, { days: 0, submitPerDay: { rows: 8, bytes: 0 } });
    const send = (body: Sent) => post(`${url}/api/benchmark/submit`, body);
    const same = await Promise.all(Array.from({ length: 8 }, () => send(named(1))));
    for (const { status } of same) assert.equal(status, 200);
    assert.equal((await send({ ...named(2), submitter_name: '' })).status, 400);
    for (let n = 2; n <= 8; n++) assert.equal((await send(named(n))).status, 200);
    assert.equal((await send(named(9))).status, 429);
  });

  test('bytes are those of what is sealed', async (t) => {
    const { url } = await startService(t, { days: 0, submitPerDay: { rows: 0, bytes: 400 } });
    const send = (body: Sent) => post(`${url}/api/benchmark/submit`, body);
    const long = { ...named(1), system_description: 'x'.repeat(2000) };
    assert.equal((await send(long)).status, 200);
    const reply = await send({ ...named(2), predictions: Array(3).fill(named(2).predictions[0]) });
    const error = 'quota exceeded: at most 400 bytes of submissions from an address in a day';
    assert.deepEqual([reply.status, reply.json().error], [429, error]);
  });
});

describe('after a submission', () => {
  test('what shows the log is computed anew, in other processes too, and all else stays cached', async (t) => {
    const { url, service, clock, store } = await startService(t);
    const serve = async (context: AppContext) => {
      const app = buildServer(context, noLimits, quietLog);
      const address = await app.listen({ host: '127.0.0.1', port: 0 });
      t.after(() => app.close());
      return address;
    };
    /** Another process over the same store: it has caches of its own, and learns of a submission by polling. */
    const polled = await watchDataVersion(store);
    t.after(() => polled.stop());
    const processes = [url, await serve({ ...service, dataVersion: polled })];

    const ids = await sampleIds(url);
    await polled.refresh();
    const neverCached = new Set(
      service.operations.filter(({ cache }) => cache === false).map(({ name }) => name),
    );
    const addresses = (await allEndpoints(url))
      .filter(({ method }) => method === 'get')
      .filter(({ operationId }) => !['ledger_detached', 'feed_body'].includes(operationId))
      .filter(({ operationId }) => !neverCached.has(operationId))
      .map((endpoint) => sampleAddress(endpoint, service, ids));
    const questions = [
      ...addresses.map((path) => ({ name: path, send: (at: string) => ask(at + path) })),
      ...callableTools(service.operations)
        .filter(({ name, effect }) => effect !== 'append' && !neverCached.has(name))
        .map((operation) => ({
          name: operation.name,
          send: (at: string) => {
            const params = { name: operation.name, arguments: argumentsFor(operation, service) };
            return post(`${at}/api/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
          },
        })),
    ];
    const before = new Map<string, string>();
    for (const { name, send } of questions)
      for (const at of processes) before.set(at + name, (await send(at)).text);

    clock.now += 1000;
    const sent = await post(`${url}/api/benchmark/submit`, submission({ submitter_name: 'another' }));
    assert.equal(sent.status, 200, sent.text);
    await polled.refresh();
    // Nothing is cached there yet, and its clock says when the first answers were computed.
    const uncached = await serve({ ...service, now: () => NOON });
    // A cursor holds the time of its first page.
    const timeless = (text: string) => text.replaceAll(/"(computed_at|next_cursor)":"[^"]*"/g, '');
    const computedAt = (text: string) => /"computed_at":"([^"]*)"/.exec(text)?.[1];
    const changed = new Set<string>();
    const dropped = new Set<string>();
    for (const { name, send } of questions) {
      const expected = await send(uncached);
      for (const at of processes) {
        const first = before.get(at + name) ?? '';
        const { text } = await send(at);
        assert.equal(timeless(text), timeless(expected.text), name);
        if (timeless(text) !== timeless(first)) changed.add(name);
        if (computedAt(text) !== computedAt(first)) dropped.add(name);
      }
    }
    const own = [...changed].map((name) => name.replace(ids.prediction, ':id'));
    assert.deepEqual(own.sort(), [
      '/about',
      '/api/ledger/check?query=holland',
      '/api/ledger/checkpoint',
      '/api/ledger/consistency?from=1',
      '/api/ledger/entries',
      '/api/ledger/entry/:id',
      '/api/ledger/history',
      '/api/ledger/proof/:id',
      '/api/ledger/proof/leaf/0',
      '/api/ledger/rows',
      '/api/ledger/search',
      '/ledger',
      '/llms.txt',
      '/openapi.json',
    ]);
    // The scores of a submission also say whether the ledger has it, which did not change for the one that is asked for.
    assert.deepEqual(
      [...dropped].filter((name) => !changed.has(name)),
      [`/api/benchmark/scores/${ids.submission}`],
    );
  });
});
