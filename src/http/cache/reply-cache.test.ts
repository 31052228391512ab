import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLatin1Body, toLatin1Body } from './latin1-body.ts';
import { createReplyCache, etagFor, etagMatches, toCachedReply } from './reply-cache.ts';

function createCache(maxBytes?: number) {
  const state = { version: '1', submissions: 0 };
  const dataVersion = {
    version: () => state.version,
    logVersion: () => `${state.version}/${state.submissions}`,
    maxAge: () => 7,
    newestReading: () => null,
    unreachableSince: () => null,
    upgrade: () => undefined,
    history: () => assert.fail(),
    subscribe: () => () => undefined,
    refresh: async () => undefined,
    invalidate: async () => undefined,
    stop: () => undefined,
  };
  const cache = createReplyCache(dataVersion, () => 0, maxBytes);
  return { state, cache, data: cache.of({}), log: cache.of({ readsLog: true }) };
}
const requestOf = (url: string) => ({ url, routeOptions: { url: '/pattern' } });
const textReply = (text: string) => toCachedReply('text/plain', toLatin1Body(text));

test('a reply is cached by its URL until the data changes', () => {
  const { state, cache, data } = createCache();
  data.set(requestOf('/a?b=1'), data.version(), textReply('one'));
  assert.equal(cache.get('/a?b=1')?.reply.body, 'one');
  assert.equal(cache.get('/a?b=1')?.route, '/pattern');
  assert.equal(cache.get('/a'), undefined);
  state.version = '2';
  assert.equal(cache.get('/a?b=1'), undefined);
  assert.deepEqual(cache.counts, { hits: 2, misses: 1 }, 'an address that is not kept is no miss');
  state.version = '1';
  assert.equal(cache.get('/a?b=1'), undefined, 'an old version does not come back');
});

test('a reply computed from data that has changed since is not cached', () => {
  const { state, cache, data } = createCache();
  const before = data.version();
  state.version = '2';
  data.set(requestOf('/a'), before, textReply('old'));
  assert.equal(cache.get('/a'), undefined);
});

test('a submission drops the replies that read the log, and no others', () => {
  const { state, cache, data, log } = createCache();
  data.set(requestOf('/data'), data.version(), textReply('data'));
  log.set(requestOf('/log'), log.version(), textReply('log'));
  assert.deepEqual([cache.get('/data')?.reply.body, cache.get('/log')?.reply.body], ['data', 'log']);
  const before = log.version();
  state.submissions += 1;
  assert.deepEqual([cache.get('/data')?.reply.body, cache.get('/log')], ['data', undefined]);
  log.set(requestOf('/log'), before, textReply('computed before the submission'));
  assert.equal(cache.get('/log'), undefined);
  log.set(requestOf('/log'), log.version(), textReply('log'));
  state.version = '2';
  assert.deepEqual([cache.get('/data'), cache.get('/log')], [undefined, undefined]);
});

test('however many URLs are requested, the cache is bounded', () => {
  const { cache, data } = createCache(100);
  for (let n = 0; n < 1000; n++) data.set(requestOf(`/${n}`), data.version(), textReply('x'.repeat(20)));
  const found = Array.from({ length: 1000 }, (_, n) => cache.get(`/${n}`)).filter((reply) => reply);
  assert.ok(found.length >= 1 && found.length <= 6, `${found.length} cached`);
});

test('a client that has the reply is recognised by its ETag', () => {
  const reply = textReply('one');
  const { etag } = reply;
  assert.equal(etagFor(reply, undefined), etag);
  assert.equal(etagFor(reply, 'br'), etag.replace(/"$/, '-br"'));
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
    assert.equal(etagMatches(header, etag), true, header);
  for (const header of [undefined, '', '"x"', etag.slice(1)])
    assert.equal(etagMatches(header, etag), false, header);
  assert.notEqual(textReply('two').etag, etag);
});

test('a latin1 body has the UTF-8 bytes of its text', () => {
  for (const text of ['', 'plain', 'naïve — 大树 🌧']) {
    assert.equal(toLatin1Body(text).length, Buffer.byteLength(text));
    assert.equal(fromLatin1Body(toLatin1Body(text)), text);
  }
});
