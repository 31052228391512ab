import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeEtag, rawBytes, toLatin1Body } from '../cache/latin1-body.ts';
import { withIgnored } from './render-answer.ts';

const whole = { line: 'ein Café', _meta: { tool: 'say' } };
const text = JSON.stringify(whole);
const read = (body: Parameters<typeof rawBytes>[0]) => JSON.parse(rawBytes(body).toString());

test('ignored names are added to a finished body, short or long', () => {
  const bytes = Buffer.from(text);
  for (const body of [toLatin1Body(text), { bytes, etag: computeEtag(bytes) }]) {
    assert.equal(withIgnored(body, []), body);
    const ignored = ['é', '"}]', '\\'];
    const added = withIgnored(body, ignored);
    assert.deepEqual(read(added), { ...whole, _meta: { ...whole._meta, ignored } });
    if (typeof added !== 'string') assert.equal(added.etag, computeEtag(added.bytes));
    // The body may be in a cache.
    assert.deepEqual(read(body), whole);
  }
});
