import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { readRevision } from '../../store/engine/revision.ts';
import type { Store } from '../../store/engine/store.ts';
import { openReviews } from '../../store/runtime/reviews.ts';
import { createWithheldLines } from './withheld-lines.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
/** Longer than any test: lines are stored by `flush` alone. */
const NEVER_MS = 60_000;

function createQueue(store: Store) {
  const clock = { now: noon };
  const errors: unknown[] = [];
  const withheld = createWithheldLines(
    store,
    () => clock.now,
    singapore,
    (error) => errors.push(error),
    NEVER_MS,
  );
  return { clock, errors, withheld };
}

describeStores('lines that broke the rules of the voice', (makePlace) => {
  test('are stored together, once a day whatever their figures', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { clock, withheld } = createQueue(store);
    const { revision } = await readRevision(store);
    for (const line of ['calm 0.71!', 'calm 0.64!', 'busy 0.64!']) withheld.add('say', ['exclaims'], line);
    withheld.add('tell', ['exclaims'], 'calm 0.71!');
    assert.deepEqual(await openReviews(store, noon, singapore), []);
    await withheld.flush();
    const lines = async () =>
      (await openReviews(store, noon + 9 * DAY, singapore)).map((one) => [one.subject, one.line]);
    const first = [
      ['say', 'calm 0.71!'],
      ['say', 'busy 0.64!'],
      ['tell', 'calm 0.71!'],
    ];
    assert.deepEqual((await lines()).sort(), first.sort());
    assert.equal((await readRevision(store)).revision, revision + 1);

    // A write changes the data version, and answers are computed again: a write for each would never end.
    withheld.add('say', ['exclaims'], 'calm 0.55!');
    await withheld.flush();
    assert.equal((await readRevision(store)).revision, revision + 1);

    clock.now += DAY;
    withheld.add('say', ['exclaims'], 'calm 0.55!');
    await withheld.flush();
    assert.equal((await lines()).length, 4);

    // Another process, or this one after a restart.
    const restarted = createQueue(store);
    restarted.withheld.add('say', ['exclaims'], 'calm 0.33!');
    await restarted.withheld.flush();
    assert.equal((await lines()).length, 4);
  });

  test('are limited in number and length, and hold no word of the caller', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { withheld } = createQueue(store);
    withheld.add('say', ['exclaims'], `nothing is called 'my own home' here!\n\u202E${'x'.repeat(2_000)}`);
    for (let n = 0; n < 200; n += 1) withheld.add(`say_${'abcdefghij'[n % 10]}${n}`, ['exclaims'], 'oh!');
    await withheld.flush();
    const reviews = await openReviews(store, noon, singapore);
    assert.equal(reviews.length, 50);
    const line = reviews.find(({ subject }) => subject === 'say')?.line ?? '';
    assert.equal([...line].length, 500);
    assert.match(line, /^nothing is called '…' here!x/);
  });
});

test('a store that is unreachable is reported, and the line is stored the next time', async () => {
  let down = true;
  const written: unknown[] = [];
  const store = {
    transaction: async (work: (tx: unknown) => Promise<unknown>) => {
      if (down) throw new Error('away');
      return work({ insert: async (_table: string, rows: unknown[]) => written.push(...rows) });
    },
  } as unknown as Store;
  const { errors, withheld } = createQueue(store);
  withheld.add('say', ['exclaims'], 'oh!');
  await withheld.flush();
  assert.equal(errors.length, 1);
  down = false;
  withheld.add('say', ['exclaims'], 'oh!');
  await withheld.flush();
  assert.equal(written.length, 1);
});
