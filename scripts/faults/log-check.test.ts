import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { Store } from '../../src/store/engine/store.ts';
import { LogCheck } from './log-check.ts';

const entry = (leaf: number, id: string, submitter_name: string) => {
  const payload = JSON.stringify({ submitter_name });
  return { leaf, type: 'submission', id, payload, payload_hash: `sha256:${hash('sha256', payload)}` };
};
type Entry = ReturnType<typeof entry>;

/** A store whose log has these entries, and which has accepted these submissions. */
const storeWith = (entries: Entry[], accepted: string[] = []): Store =>
  ({
    all: async (sql: string, from: number) =>
      sql.includes('from ledger_entries')
        ? entries.filter(({ leaf }) => leaf >= from)
        : sql.includes('from accepted_submissions')
          ? accepted.map((id) => ({ id }))
          : [],
    get: async () => ({ size: (entries.at(-1)?.leaf ?? -1) + 1 }),
  }) as unknown as Store;

const [a, b] = [entry(0, 'id-a', 'a'), entry(1, 'id-b', 'b')];
const receipts = [
  { name: 'a', id: 'id-a', payload_hash: a.payload_hash },
  { name: 'b', id: 'id-b' },
];

const cases: [what: string, entries: Entry[], lost: number, doubled: number][] = [
  ['everything is there once', [a, b], 0, 0],
  ['an acknowledged submission is missing', [a], 1, 0],
  ['it is there with another hash', [entry(0, 'id-a', 'x'), b], 1, 0],
  [
    'it is there with another payload',
    [{ ...a, payload: JSON.stringify({ submitter_name: 'a', n: 1 }) }, b],
    1,
    0,
  ],
  ['a leaf is missing', [a, { ...b, leaf: 2 }], 1, 0],
  ['an id is there twice', [a, b, { ...b, leaf: 2, type: 'silence' }], 0, 1],
  ['a submission was sealed again under another id', [a, b, entry(2, 'id-c', 'a')], 0, 2],
];
for (const [what, entries, lost, doubled] of cases) {
  test(what, async () => {
    const log = new LogCheck();
    await log.advance(storeWith(entries), receipts);
    assert.deepEqual([log.lost.length, log.doubled.length], [lost, doubled], `${log.lost} ${log.doubled}`);
  });
}

test('a submission that was accepted waits for the log, unless its receipt has a hash', async () => {
  const log = new LogCheck();
  await log.advance(storeWith([a], ['id-b']), receipts);
  assert.deepEqual([log.lost.length, log.waiting.length], [0, 1]);
  await log.advance(storeWith([a, b]), receipts);
  assert.deepEqual([log.lost.length, log.waiting.length], [0, 0]);
  const hasty = new LogCheck();
  await hasty.advance(storeWith([], ['id-a', 'id-b']), receipts);
  assert.deepEqual([hasty.lost.length, hasty.waiting.length], [1, 1]);
  const gone = new LogCheck();
  await gone.advance(storeWith([a], ['id-b']), receipts);
  await gone.advance(storeWith([a]), receipts);
  assert.equal(gone.lost.length, 1);
});

test('the log is shorter than it was', async () => {
  const log = new LogCheck();
  await log.advance(storeWith([a, b]), receipts);
  await log.advance(storeWith([a]), receipts);
  assert.equal(log.lost.length, 1);
});

test('a submission is sealed again after its receipt was checked', async () => {
  const log = new LogCheck();
  await log.advance(storeWith([a, b]), receipts);
  await log.advance(storeWith([a, b, entry(2, 'id-c', 'a')]), receipts);
  assert.equal(log.doubled.length, 1);
});
