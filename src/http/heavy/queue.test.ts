import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHttpError } from '../core/errors.ts';
import { createHeavyQueue, retryInSeconds, tooBusy } from './queue.ts';

/** A task that ends when the test says so. */
function heldTask(log: string[], name: string) {
  const held = Promise.withResolvers<string>();
  const task = () => {
    log.push(name);
    return held.promise;
  };
  return { task, end: () => held.resolve(name), fail: () => held.reject(new Error(name)) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const limits = { running: 2, rest: 0, bytesPerSecond: Infinity, waiting: 3, waitingPerClient: 2 };

test('tasks beyond the running ones wait, in order; a failed one gives its place back too', async () => {
  const { run } = createHeavyQueue(limits);
  const log: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => heldTask(log, name));
  assert.ok(a && b && c && d);
  const results = [a, b, c, d].map(({ task }) => run('client', '', task));
  await turn();
  assert.deepEqual(log, ['a', 'b']);
  b.fail();
  await assert.rejects(results[1] ?? assert.fail(), /b/);
  assert.deepEqual(log, ['a', 'b', 'c']);
  for (const { end } of [a, c, d]) end();
  assert.deepEqual(await Promise.all([results[0], results[2], results[3]]), ['a', 'c', 'd']);
});

test('past what may wait, in all or for one client, a task is refused with a hint', async () => {
  const { run, resume } = createHeavyQueue(limits);
  const log: string[] = [];
  const held = heldTask(log, 'x');
  const begun = ['a', 'a', 'a', 'a'].map((client) => run(client, '', held.task));
  await assert.rejects(run('a', 'a smaller limit', held.task), (error) => {
    const { status, message, details, retryAfter } = toHttpError(error);
    assert.deepEqual([status, message], [503, 'too many heavy requests at once: try again in a while']);
    assert.deepEqual(details, { hint: 'a smaller limit', retry_in_seconds: retryAfter });
    return true;
  });
  begun.push(run('b', '', held.task));
  await assert.rejects(run('c', '', held.task), /too many/);
  // What was begun before is not refused.
  begun.push(resume('c', held.task));
  held.end();
  await Promise.all(begun);
  assert.equal(log.length, 6);
  assert.equal(await run('a', '', async () => 'free again'), 'free again');
});

test('a place rests after a task, in proportion to what it took', async () => {
  const { run } = createHeavyQueue({ ...limits, running: 1, rest: 2 });
  const log: string[] = [];
  const slow = run('client', '', async () => {
    const until = performance.now() + 30;
    while (performance.now() < until) await turn();
    log.push('slow');
  });
  const next = run('client', '', async () => log.push('next'));
  await slow;
  for (let n = 0; n < 3; n += 1) await turn();
  assert.deepEqual(log, ['slow'], 'the next one does not begin at once');
  await next;
});

test('a place rests after a task, in proportion to the bytes that it gave', async () => {
  const { run } = createHeavyQueue({ ...limits, running: 1, bytesPerSecond: 1_000_000 });
  const log: string[] = [];
  const large = run('client', '', async () => ({ bytes: new Uint8Array(50_000) }));
  const next = run('client', '', async () => log.push('next'));
  await large;
  for (let n = 0; n < 3; n += 1) await turn();
  assert.deepEqual(log, [], 'the next one does not begin at once');
  await next;
});

test('refusals spread the times to come back over all seconds of the range', () => {
  const { least, most } = retryInSeconds;
  const waits = new Set(Array.from({ length: 500 }, () => tooBusy('busy', '').retryAfter ?? 0));
  assert.deepEqual(
    [...waits].sort((a, b) => a - b),
    Array.from({ length: most - least + 1 }, (_, n) => least + n),
  );
});
