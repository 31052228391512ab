// Five addresses that ask for as much heavy work as they can, with a real worker thread: others get their turn.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { ask, type Reply } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const greedy = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4', '2001:db8:5::1'];

/** Both tests ask one service, each question only once: no cache and no shared computation answers two of them. */
const { url } = await startService(
  { after: after as TestContext['after'] },
  { heavyThread: true, trustedProxies: ['127.0.0.1'] },
);
let asked = 0;
const question = () => {
  asked += 1;
  return `/api/counterfactuals?pocket=holland&hours=${(600 + asked / 100).toFixed(2)}&limit=51`;
};
const from = (address: string, path: string) => ask(url + path, { headers: { 'x-forwarded-for': address } });

function crowd(t: TestContext) {
  const stop = new AbortController();
  let open = 0;
  let answered = Promise.withResolvers<void>();
  const tellAnswered = () => {
    answered.resolve();
    answered = Promise.withResolvers();
  };
  const end = () => {
    stop.abort();
    tellAnswered();
  };
  // Before the service ends: it waits for answers under way, and a flood that goes on would always have some.
  t.after(end);
  /** Answers that each address has had. */
  const served = new Map(greedy.map((address) => [address, 0]));
  const total = () => served.values().reduce((sum, count) => sum + count, 0);
  /**
   * Asks again as soon as it has an answer; after a refusal, or when it was disconnected because it read a table too
   * slowly, as soon as another has one: then there is a place again. Of an IPv6 client, from another address each time.
   */
  const flood = async (address: string, path: () => string) => {
    for (let n = 2; !stop.signal.aborted; n++) {
      open += 1;
      const reply = await from(address.replace(/::1$/, `::${n}`), path()).catch(() => undefined);
      open -= 1;
      if (reply?.status === 200) {
        served.set(address, (served.get(address) ?? 0) + 1);
        tellAnswered();
      } else if (open > 0 && !stop.signal.aborted) await answered.promise;
      else tellAnswered();
    }
  };
  /** As many at once for each address as may wait for it, and some more. */
  const floods = (each: number, path: () => string) => {
    const all = greedy.flatMap((address) => Array.from({ length: each }, () => flood(address, path)));
    return async () => {
      end();
      await Promise.all(all);
    };
  };
  const until = async (answers: number) => {
    while (total() < answers) await answered.promise;
  };
  return { floods, until, served, total };
}

test('a sixth address is answered every time, within a turn of each of the others', async (t) => {
  const { floods, until, served, total } = crowd(t);
  const end = floods(10, question);
  await until(5);
  const before = new Map(served);
  const times = 4;
  const replies: Reply[] = [];
  for (let n = 0; n < times; n++) {
    const answeredBefore = total();
    replies.push(await from('198.51.100.9', question()));
    // One of each, and those whose answers were on their way already.
    const others = total() - answeredBefore;
    assert.ok(others <= 3 * greedy.length, `${others} others were answered before it`);
  }
  await end();
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(times).fill(200),
  );
  for (const address of greedy)
    assert.ok((served.get(address) ?? 0) > (before.get(address) ?? 0), `${address} was answered too`);
});

test('a page is answered before questions that its reader asked earlier, while tables of five addresses wait', async (t) => {
  const { floods, until } = crowd(t);
  // One flood of both kinds: four tables may be sent to an address at a time.
  let n = 0;
  const end = floods(10, () => {
    n += 1;
    return n % 3 ? question() : `/api/predictions?since=all&pocket=holland&format=csv&n=${n}`;
  });
  await until(10);
  const questions: Promise<unknown>[] = [];
  for (const [n, page] of ['/pocket/holland', '/accuracy', '/pocket/dempsey'].entries()) {
    const reader = `198.51.100.${9 + n}`;
    let answered = 0;
    const earlier = Array.from({ length: 4 }, () => from(reader, question()).then(() => (answered += 1)));
    const { status } = await from(reader, page);
    assert.equal(status, 200, page);
    assert.ok(answered < earlier.length, `${page} waited for all questions`);
    questions.push(...earlier);
  }
  await end();
  await Promise.all(questions);
});
