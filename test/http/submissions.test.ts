// The one write of the service: what is sent twice is sealed once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/domain/time/sgt.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { post } from '../support/services/http-client.ts';
import { callTool, NOON, serviceFor, startService } from '../support/services/service.ts';
import { describeStores } from '../support/stores/store-places.ts';

type Sent = ReturnType<typeof submission>;

describeStores('a submission that is sent again', (makePlace) => {
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

  test('that failed the first time is sealed the second time', async (t) => {
    const { url, service: context } = await startService(t, { days: 0, place: await makePlace() });
    const { writer } = context as { writer: { append: unknown } };
    const { append } = writer as { append: (work: unknown) => Promise<unknown> };
    writer.append = (work: (...given: unknown[]) => unknown) =>
      append(async (...given: unknown[]) => {
        await work(...given);
        throw new Error('after sealing, before the commit');
      });
    const body = another();
    assert.equal((await post(`${url}/api/benchmark/submit`, body)).status, 500);
    writer.append = append;
    assert.equal((await post(`${url}/api/benchmark/submit`, body)).status, 200);
  });
});
