import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLatin1Body, toLatin1Body } from './latin1-body.ts';
import { createReplyCache, etagMatches, toCachedReply } from './reply-cache.ts';

function house(most?: number) {
  const state = { version: '1' };
  const dataVersion = {
    version: () => state.version,
    maxAge: () => 7,
    history: () => assert.fail(),
    refresh: async () => undefined,
    stop: () => undefined,
  };
  return { state, kept: createReplyCache(dataVersion, () => 0, most) };
}
const saying = (text: string) => toCachedReply('text/plain', toLatin1Body(text));

test('a reply is kept under its address until the data changes', () => {
  const { state, kept } = house();
  kept.keep('/a?b=1', kept.version(), saying('one'));
  assert.equal(kept.find('/a?b=1')?.body, 'one');
  assert.equal(kept.find('/a'), undefined);
  state.version = '2';
  assert.equal(kept.find('/a?b=1'), undefined);
  state.version = '1';
  assert.equal(kept.find('/a?b=1'), undefined, 'an old version does not come back');
});

test('a reply made from data that has changed meanwhile is not kept', () => {
  const { state, kept } = house();
  const before = kept.version();
  state.version = '2';
  kept.keep('/a', before, saying('old'));
  assert.equal(kept.find('/a'), undefined);
});

test('however many addresses are asked for, what is kept is bounded', () => {
  const { kept } = house(100);
  for (let n = 0; n < 1000; n++) kept.keep(`/${n}`, kept.version(), saying('x'.repeat(20)));
  const found = Array.from({ length: 1000 }, (_, n) => kept.find(`/${n}`)).filter((reply) => reply);
  assert.ok(found.length >= 1 && found.length <= 6, `${found.length} kept`);
});

test('a caller who holds the reply is recognised by its etag', () => {
  const reply = saying('one');
  const { etag } = reply;
  for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
    assert.equal(etagMatches(held, reply), true, held);
  for (const held of [undefined, '', '"x"', etag.slice(1)])
    assert.equal(etagMatches(held, reply), false, held);
  assert.notEqual(saying('two').etag, etag);
});

test('bytes on the wire are those of the text', () => {
  for (const text of ['', 'plain', 'naïve — 大树 🌧']) {
    assert.equal(toLatin1Body(text).length, Buffer.byteLength(text));
    assert.equal(fromLatin1Body(toLatin1Body(text)), text);
  }
});
