// Five addresses that ask for as much heavy work as they can, with a real worker thread: others get their turn.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Reply } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const greedy = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4', '2001:db8:5::1'];

async function crowded(t: TestContext) {
  const stop = new AbortController();
  // Before the service ends: it waits for answers under way, and a flood that goes on would always have some.
  t.after(() => stop.abort());
  const { url } = await startService(t, { heavyThread: true, trustedProxies: ['127.0.0.1'] });
  const from = (address: string, path: string) =>
    ask(url + path, { headers: { 'x-forwarded-for': address } });
  /** Answers that each address has had. */
  const served = new Map(greedy.map((address) => [address, 0]));
  const total = () => served.values().reduce((sum, count) => sum + count, 0);
  let asked = 0;
  /** Each is a question of its own: no cache and no shared computation answers two of them. */
  const question = () => {
    asked += 1;
    return `/api/counterfactuals?pocket=holland&hours=${(600 + asked / 100).toFixed(2)}&limit=51`;
  };
  /**
   * Asks again as soon as it has an answer or a refusal, or was disconnected because it read a table too slowly; of an
   * IPv6 client, from another address each time.
   */
  const flood = async (address: string, path: () => string) => {
    for (let n = 2; !stop.signal.aborted; n++) {
      const reply = await from(address.replace(/::1$/, `::${n}`), path()).catch(() => undefined);
      if (reply?.status === 200) served.set(address, (served.get(address) ?? 0) + 1);
      else await delay(10);
    }
  };
  /** As many at once for each address as may wait for it, and some more. */
  const floods = (each: number, path: () => string) => {
    const all = greedy.flatMap((address) => Array.from({ length: each }, () => flood(address, path)));
    return async () => {
      stop.abort();
      await Promise.all(all);
    };
  };
  const until = async (answers: number) => {
    while (total() < answers) await delay(5);
  };
  return { from, question, floods, until, served, total };
}

test('a sixth address is answered every time, within a turn of each of the others', async (t) => {
  const { from, question, floods, until, served, total } = await crowded(t);
  const end = floods(12, question);
  await until(5);
  const before = new Map(served);
  const asked = 4;
  const replies: Reply[] = [];
  for (let n = 0; n < asked; n++) {
    const answeredBefore = total();
    replies.push(await from('198.51.100.9', question()));
    // One of each, and those whose answers were on their way already.
    const others = total() - answeredBefore;
    assert.ok(others <= 3 * greedy.length, `${others} others were answered before it`);
  }
  await end();
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(asked).fill(200),
  );
  for (const address of greedy)
    assert.ok((served.get(address) ?? 0) > (before.get(address) ?? 0), `${address} was answered too`);
});

test('a page is answered before questions that its reader asked earlier, while tables of five addresses wait', async (t) => {
  const { from, question, floods, until } = await crowded(t);
  let asked = 0;
  // One flood of both kinds: four tables may be sent to an address at a time.
  const end = floods(12, () => {
    asked += 1;
    return asked % 3 ? question() : `/api/predictions?since=all&pocket=holland&format=csv&n=${asked}`;
  });
  await until(10);
  for (const page of ['/pocket/holland', '/accuracy', '/pocket/dempsey']) {
    const order: string[] = [];
    const earlier = Array.from({ length: 4 }, () =>
      from('198.51.100.9', question()).then(() => order.push('question')),
    );
    const { status } = await from('198.51.100.9', page);
    order.push('page');
    assert.equal(status, 200, page);
    await Promise.all(earlier);
    assert.ok(order.indexOf('page') < order.length - 1, `${page} waited for all questions`);
  }
  await end();
});
