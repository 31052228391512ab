import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createBodyCompressor } from './compressed-bodies.ts';
import { computeEtag, toLatin1Body } from './latin1-body.ts';

const makeReply = (text: string) => ({ etag: computeEtag(Buffer.from(text)), body: toLatin1Body(text) });

test('a body is compressed once for each encoding, however many ask for it', async () => {
  const calls: string[] = [];
  const fake = (name: string) => async (bytes: Buffer) => {
    calls.push(name);
    return Buffer.from(`${name} ${bytes.length}`);
  };
  const compress = createBodyCompressor(1000, { br: fake('br'), gzip: fake('gzip') });
  const reply = makeReply('naïve');
  const both = await Promise.all([compress(reply, 'br'), compress(reply, 'br'), compress(reply, 'gzip')]);
  assert.deepEqual(both.map(String), ['br 6', 'br 6', 'gzip 6']);
  assert.deepEqual(calls, ['br', 'gzip']);
  // From then on at once, without a promise.
  assert.equal(String(compress(makeReply('naïve'), 'br')), 'br 6');
});

test('the compressed bodies are bounded, and a failure is not kept', async () => {
  let fails = false;
  const fake = async () => {
    if (fails) throw new Error('no memory');
    return Buffer.alloc(40);
  };
  const compress = createBodyCompressor(100, { br: fake, gzip: fake });
  for (const text of ['a', 'b', 'c']) await compress(makeReply(text), 'br');
  assert.ok(compress(makeReply('a'), 'br') instanceof Promise, 'the oldest was evicted');
  assert.ok(compress(makeReply('c'), 'br') instanceof Buffer);
  fails = true;
  await assert.rejects(async () => compress(makeReply('d'), 'br'), /no memory/);
  fails = false;
  assert.equal((await compress(makeReply('d'), 'br')).length, 40);
});

test('what is compressed is the body', async () => {
  const text = 'a quiet hour — 大树. '.repeat(100);
  const compress = createBodyCompressor();
  assert.equal(brotliDecompressSync(await compress(makeReply(text), 'br')).toString(), text);
  assert.equal(gunzipSync(await compress(makeReply(text), 'gzip')).toString(), text);
});
