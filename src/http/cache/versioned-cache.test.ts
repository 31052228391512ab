import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVersionedCache } from './versioned-cache.ts';

const MAX_SIZE = 1_000_000;

function createCache(maxSize = MAX_SIZE) {
  const state = { version: '1' };
  const cache = createVersionedCache<string>(
    () => state.version,
    () => 0,
    ({ length }) => length,
    maxSize,
  );
  return { state, cache };
}

/** A computation that counts its calls. */
function counted(result: string | Error) {
  const calls = { count: 0 };
  const compute = async () => {
    calls.count += 1;
    if (result instanceof Error) throw result;
    return result;
  };
  return { calls, compute };
}
const mustNotRun = () => assert.fail('computed again');

test('a value is computed once for each version, and a hit needs no promise', async () => {
  const { state, cache } = createCache();
  const { calls, compute } = counted('a');
  assert.equal(await cache.getOrCompute('k', compute), 'a');
  assert.equal(cache.getOrCompute('k', mustNotRun), 'a');
  state.version = '2';
  assert.equal(await cache.getOrCompute('k', compute), 'a');
  state.version = '1';
  assert.equal(await cache.getOrCompute('k', compute), 'a', 'only the values of one version are held');
  assert.equal(calls.count, 3);
  assert.deepEqual(cache.counts, { hits: 1, misses: 3 });
});

test('keys do not share values', async () => {
  const { cache } = createCache();
  const keys = ['a', 'b', '__proto__', ''];
  for (const key of keys) await cache.getOrCompute(key, async () => `value ${key}`);
  for (const key of keys) assert.equal(cache.getOrCompute(key, mustNotRun), `value ${key}`);
});

test('concurrent calls with one key share one computation', async () => {
  const { cache } = createCache();
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = cache.getOrCompute('k', () => promise);
  const second = cache.getOrCompute('k', mustNotRun);
  resolve('a');
  assert.deepEqual(await Promise.all([first, second]), ['a', 'a']);
});

test('a failure reaches every concurrent caller and is not cached', async () => {
  const { cache } = createCache();
  const { compute } = counted(new Error('down'));
  const first = cache.getOrCompute('k', compute);
  const second = cache.getOrCompute('k', mustNotRun);
  await assert.rejects(async () => first, /down/);
  await assert.rejects(async () => second, /down/);
  assert.equal(await cache.getOrCompute('k', counted('up').compute), 'up');
});

test('a value that is ready after its version has ended is returned, not cached', async () => {
  const { state, cache } = createCache();
  const late = Promise.withResolvers<string>();
  const first = cache.getOrCompute('k', () => late.promise);
  state.version = '2';
  assert.equal(await cache.getOrCompute('k', counted('new').compute), 'new');
  late.resolve('old');
  assert.equal(await first, 'old');
  assert.equal(cache.getOrCompute('k', mustNotRun), 'new');
});

test('a computation of an older version does not end the sharing of a newer one', async () => {
  const { state, cache } = createCache();
  const [old, newer] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const first = cache.getOrCompute('k', () => old.promise);
  state.version = '2';
  const second = cache.getOrCompute('k', () => newer.promise);
  old.resolve('old');
  await first;
  const third = cache.getOrCompute('k', mustNotRun);
  newer.resolve('new');
  assert.deepEqual(await Promise.all([second, third]), ['new', 'new']);
});

test('past its size the oldest entries are evicted first', async () => {
  const { cache } = createCache(30);
  const value = 'x'.repeat(9);
  for (const key of ['a', 'b', 'c']) await cache.getOrCompute(key, async () => value);
  for (const key of ['a', 'b', 'c']) assert.equal(cache.getOrCompute(key, mustNotRun), value);
  await cache.getOrCompute('d', async () => value);
  for (const key of ['b', 'c', 'd']) assert.equal(cache.getOrCompute(key, mustNotRun), value);
  const { calls, compute } = counted('again');
  await cache.getOrCompute('a', compute);
  assert.equal(calls.count, 1);
});

test('a replaced value does not count towards the size', () => {
  const { cache } = createCache(30);
  for (let n = 0; n < 9; n++) cache.set('a', '1', 'x'.repeat(9));
  cache.set('b', '1', 'x'.repeat(9));
  assert.deepEqual([cache.get('a'), cache.get('b')], ['x'.repeat(9), 'x'.repeat(9)]);
});

test('a value larger than the whole cache is returned and not cached, and evicts nothing', async () => {
  const { cache } = createCache(30);
  await cache.getOrCompute('a', async () => 'small');
  const { calls, compute } = counted('x'.repeat(31));
  for (let n = 0; n < 2; n++) assert.equal(await cache.getOrCompute('k', compute), 'x'.repeat(31));
  assert.equal(calls.count, 2);
  assert.equal(cache.getOrCompute('a', mustNotRun), 'small');
});
