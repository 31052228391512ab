import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStores } from '../../../test/support/postgres.ts';
import { openOne } from '../../../test/support/store.ts';
import { DAY } from '../../domain/time/sgt.ts';
import { readRevision } from '../../store/engine/revision.ts';
import type { Store } from '../../store/engine/store.ts';
import { openReviews } from '../../store/runtime/reviews.ts';
import { createWithheldLines } from './withheld-lines.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const LONG = 60_000;

function keeping(store: Store) {
  const clock = { now: noon };
  const faults: unknown[] = [];
  const withheld = createWithheldLines(
    store,
    () => clock.now,
    (error) => faults.push(error),
    LONG,
  );
  return { clock, faults, withheld };
}

describeStores('lines that broke the voice', (makePlace) => {
  test('are written together, once a day whatever figures stand in them', async (t) => {
    const store = await openOne(t, makePlace);
    const { clock, withheld } = keeping(store);
    const { revision } = await readRevision(store);
    for (const line of ['calm 0.71!', 'calm 0.64!', 'busy 0.64!']) withheld.add('say', ['exclaims'], line);
    withheld.add('tell', ['exclaims'], 'calm 0.71!');
    assert.deepEqual(await openReviews(store, noon), []);
    await withheld.flush();
    const lines = async () =>
      (await openReviews(store, noon + 9 * DAY)).map((one) => [one.subject, one.line]);
    const first = [
      ['say', 'calm 0.71!'],
      ['say', 'busy 0.64!'],
      ['tell', 'calm 0.71!'],
    ];
    assert.deepEqual((await lines()).sort(), first.sort());
    assert.equal((await readRevision(store)).revision, revision + 1);

    // Answers are made anew after each write: a write for each would never end.
    withheld.add('say', ['exclaims'], 'calm 0.55!');
    await withheld.flush();
    assert.equal((await readRevision(store)).revision, revision + 1);

    clock.now += DAY;
    withheld.add('say', ['exclaims'], 'calm 0.55!');
    await withheld.flush();
    assert.equal((await lines()).length, 4);

    // Another process, or this one started again.
    const restarted = keeping(store);
    restarted.withheld.add('say', ['exclaims'], 'calm 0.33!');
    await restarted.withheld.flush();
    assert.equal((await lines()).length, 4);
  });

  test('are bounded in number and length, and hold no word of whoever asked', async (t) => {
    const store = await openOne(t, makePlace);
    const { withheld } = keeping(store);
    withheld.add('say', ['exclaims'], `nothing is called 'my own home' here!\n\u202E${'x'.repeat(2_000)}`);
    for (let n = 0; n < 200; n += 1) withheld.add(`say_${'abcdefghij'[n % 10]}${n}`, ['exclaims'], 'oh!');
    await withheld.flush();
    const reviews = await openReviews(store, noon);
    assert.equal(reviews.length, 50);
    const line = reviews.find(({ subject }) => subject === 'say')?.line ?? '';
    assert.equal([...line].length, 500);
    assert.match(line, /^nothing is called '…' here!x/);
  });
});

test('a store that is away is told of, and the next try is whole', async () => {
  let down = true;
  const written: unknown[] = [];
  const store = {
    transaction: async (work: (tx: unknown) => Promise<unknown>) => {
      if (down) throw new Error('away');
      return work({ insert: async (_table: string, rows: unknown[]) => written.push(...rows) });
    },
  } as unknown as Store;
  const { faults, withheld } = keeping(store);
  withheld.add('say', ['exclaims'], 'oh!');
  await withheld.flush();
  assert.equal(faults.length, 1);
  down = false;
  withheld.add('say', ['exclaims'], 'oh!');
  await withheld.flush();
  assert.equal(written.length, 1);
});
