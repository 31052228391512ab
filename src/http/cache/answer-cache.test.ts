import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswerCache } from './answer-cache.ts';

/** Counts how often an answer is made. */
function maker(answer: string | Error) {
  const made = { times: 0 };
  const make = async () => {
    made.times += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { made, make };
}
const never = () => assert.fail('made again');

test('an answer is made once for each version and then kept as text', async () => {
  const cache = createAnswerCache();
  const { made, make } = maker('a');
  assert.equal(await cache.get('1', 'k', make), 'a');
  assert.equal(cache.get('1', 'k', never), 'a');
  assert.equal(await cache.get('2', 'k', make), 'a');
  assert.equal(await cache.get('1', 'k', make), 'a', 'an old version is not kept beside the new one');
  assert.equal(made.times, 3);
});

test('keys do not share answers', async () => {
  const cache = createAnswerCache();
  for (const key of ['a', 'b', '__proto__', '']) await cache.get('1', key, async () => `answer ${key}`);
  for (const key of ['a', 'b', '__proto__', '']) assert.equal(cache.get('1', key, never), `answer ${key}`);
});

test('the same question asked meanwhile waits for the same answer', async () => {
  const cache = createAnswerCache();
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = cache.get('1', 'k', () => promise);
  const second = cache.get('1', 'k', never);
  resolve('a');
  assert.deepEqual(await Promise.all([first, second]), ['a', 'a']);
});

test('a failure reaches all who wait and is not kept', async () => {
  const cache = createAnswerCache();
  const { make } = maker(new Error('down'));
  const first = cache.get('1', 'k', make);
  const second = cache.get('1', 'k', never);
  await assert.rejects(async () => first, /down/);
  await assert.rejects(async () => second, /down/);
  assert.equal(await cache.get('1', 'k', maker('up').make), 'up');
});

test('an answer that arrives after its version has gone is not kept', async () => {
  const cache = createAnswerCache();
  const late = Promise.withResolvers<string>();
  const first = cache.get('1', 'k', () => late.promise);
  assert.equal(await cache.get('2', 'k', maker('new').make), 'new');
  late.resolve('old');
  assert.equal(await first, 'old');
  assert.equal(cache.get('2', 'k', never), 'new');
});

test('past its size it forgets the oldest first', async () => {
  const cache = createAnswerCache(30);
  for (const key of ['a', 'b', 'c']) await cache.get('1', key, async () => 'x'.repeat(9));
  for (const key of ['a', 'b', 'c']) assert.equal(cache.get('1', key, never), 'x'.repeat(9));
  await cache.get('1', 'd', async () => 'x'.repeat(9));
  for (const key of ['b', 'c', 'd']) assert.equal(cache.get('1', key, never), 'x'.repeat(9));
  const { made, make } = maker('again');
  await cache.get('1', 'a', make);
  assert.equal(made.times, 1);
});

test('an answer larger than the whole is given and not kept', async () => {
  const cache = createAnswerCache(30);
  const { made, make } = maker('x'.repeat(31));
  for (let n = 0; n < 2; n++) assert.equal(await cache.get('1', 'k', make), 'x'.repeat(31));
  assert.equal(made.times, 2);
});
