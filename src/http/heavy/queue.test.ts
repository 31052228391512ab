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
  const results = [a, b, c, d].map(({ task }) => run('client', 'data', '', task));
  await turn();
  assert.deepEqual(log, ['a', 'b']);
  b.fail();
  await assert.rejects(results[1] ?? assert.fail(), /b/);
  assert.deepEqual(log, ['a', 'b', 'c']);
  for (const { end } of [a, c, d]) end();
  assert.deepEqual(await Promise.all([results[0], results[2], results[3]]), ['a', 'c', 'd']);
});

const refusal = (hint: string) => (error: unknown) => {
  const { status, message, details, retryAfter } = toHttpError(error);
  assert.deepEqual([status, message], [503, 'too many heavy requests at once: try again in a while']);
  assert.deepEqual(details, { hint, retry_in_seconds: retryAfter });
  return true;
};

test('past what may wait, in all or for one client, a task is refused with a hint', async () => {
  const { run, resume } = createHeavyQueue(limits);
  const log: string[] = [];
  const held = heldTask(log, 'x');
  const begun = ['a', 'a', 'a', 'a'].map((client) => run(client, 'data', '', held.task));
  await assert.rejects(run('a', 'data', 'a smaller limit', held.task), refusal('a smaller limit'));
  begun.push(run('b', 'data', '', held.task));
  await assert.rejects(run('b', 'data', '', held.task), refusal(''), 'it would have as many as the other');
  // What was begun before is not refused.
  begun.push(resume('c', held.task));
  held.end();
  await Promise.all(begun);
  assert.equal(log.length, 6);
  assert.equal(await run('a', 'data', '', async () => 'free again'), 'free again');
});

test('when all places are taken, the greediest client loses its last one to a client that has none', async () => {
  const { run } = createHeavyQueue({ ...limits, running: 1 });
  const log: string[] = [];
  const held = heldTask(log, 'held');
  const note = (name: string) => async () => void log.push(name);
  const running = run('a', 'data', '', held.task);
  const [first, second, third] = [
    run('a', 'data', '', note('a1')),
    run('a', 'data', 'less', note('a2')),
    run('b', 'data', '', note('b1')),
  ];
  const newcomer = run('c', 'data', '', note('c1'));
  await assert.rejects(second, refusal('less'));
  held.end();
  await Promise.all([running, first, third, newcomer]);
  assert.deepEqual(log, ['held', 'a1', 'b1', 'c1']);
});

test('clients take turns, also for the batches of tables', async () => {
  const { run, resume } = createHeavyQueue({ ...limits, running: 1, waiting: 9, waitingPerClient: 9 });
  const log: string[] = [];
  const held = heldTask(log, 'held');
  const note = (name: string) => async () => void log.push(name);
  const tasks = [
    run('a', 'data', '', held.task),
    ...['a1', 'a2', 'a3'].map((name) => resume('a', note(name))),
    ...['b1', 'b2'].map((name) => run('b', 'data', '', note(name))),
    run('c', 'data', '', note('c1')),
  ];
  held.end();
  await Promise.all(tasks);
  assert.deepEqual(log, ['held', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a page does not wait behind other work, nor other work behind pages', async () => {
  const { run, resume } = createHeavyQueue({ ...limits, running: 1 });
  const log: string[] = [];
  const table = heldTask(log, 'table');
  const others = [run('a', 'data', '', table.task), run('a', 'data', '', async () => void log.push('next'))];
  others.push(resume('a', async () => void log.push('batch')));
  const page = heldTask(log, 'page');
  const pages = [run('b', 'page', '', page.task), run('b', 'page', '', async () => void log.push('page 2'))];
  await turn();
  assert.deepEqual(log, ['table', 'page'], 'it begins although a table and others wait');
  table.end();
  await Promise.all(others);
  assert.deepEqual(log, ['table', 'page', 'next', 'batch']);
  page.end();
  await Promise.all(pages);
});

test('a place rests after a task, in proportion to what it took', async () => {
  const { run } = createHeavyQueue({ ...limits, running: 1, rest: 10 });
  const log: string[] = [];
  const slow = run('client', 'data', '', async () => {
    const until = performance.now() + 30;
    while (performance.now() < until) await turn();
    log.push('slow');
  });
  const next = run('client', 'data', '', async () => log.push('next'));
  await slow;
  for (let n = 0; n < 3; n += 1) await turn();
  assert.deepEqual(log, ['slow'], 'the next one does not begin at once');
  await next;
});

test('a place rests after a task, in proportion to the bytes that it gave', async () => {
  const { run } = createHeavyQueue({ ...limits, running: 1, bytesPerSecond: 200_000 });
  const log: string[] = [];
  const large = run('client', 'data', '', async () => ({ bytes: new Uint8Array(50_000) }));
  const next = run('client', 'data', '', async () => log.push('next'));
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
