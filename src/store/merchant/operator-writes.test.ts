import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { TAKEDOWN_SLA } from '../../domain/city/takedown.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { withOperatorLock } from '../engine/operator-lock.ts';
import { readRevision } from '../engine/revision.ts';
import { alreadyRecordedSenses, writeOperatorSenses } from '../observation/operator-senses.ts';
import { senseReleasesWithin } from '../observation/perception.ts';
import { senseWordNumbers } from '../rows/sense-words.ts';
import { claim } from '../runtime/job-runs.ts';
import { outletChanges, writeOutletChange } from './outlet-changes.ts';
import {
  addTakedown,
  findTakedown,
  latestTakedown,
  openTakedowns,
  recentTakedowns,
  resolveTakedown,
} from './takedowns.ts';

const now = Date.parse('2026-11-11T04:00:00Z');
const outlet = 'b1f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b11';
const other = 'a2f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b12';

describeStores('operator writes', (makePlace) => {
  test('outlet changes are numbered, and can be read from any number on', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    assert.deepEqual(await outletChanges(store, 0), []);
    await withOperatorLock(store, async (tx) => {
      await writeOutletChange(tx, 'add', outlet, { name: "it's a bell", seats: 4 }, now);
      await writeOutletChange(tx, 'deactivate', outlet, { active: false }, now);
    });
    const all = await outletChanges(store, 0);
    assert.deepEqual(all, [
      { seq: 1, outlet_id: outlet, fields: { name: "it's a bell", seats: 4 } },
      { seq: 2, outlet_id: outlet, fields: { active: false } },
    ]);
    assert.deepEqual(await outletChanges(store, 1), all.slice(1));
    assert.deepEqual(await outletChanges(store, 2), []);
  });

  test('concurrent operators wait for each other: a number becomes visible only after all lower ones', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const [reader] = stores;
    if (!reader) return assert.fail();
    const write = (n: number) =>
      withOperatorLock(stores[n % 3] ?? reader, async (tx) => {
        await writeOutletChange(tx, 'update', outlet, { seats: n }, now);
        // Half of the commands take longer: without the lock they would commit out of order.
        await new Promise((done) => setTimeout(done, n % 2 ? 15 : 0));
        await tx.get('select 1');
      });
    let seen = 0;
    let done = false;
    const watching = (async () => {
      while (!done) {
        const seqs: number[] = (await outletChanges(reader, seen)).map(({ seq }) => seq);
        assert.deepEqual(
          seqs,
          seqs.map((_, i) => seen + i + 1),
        );
        seen += seqs.length;
        await new Promise((next) => setTimeout(next, 2));
      }
    })();
    await Promise.all(Array.from({ length: 12 }, (_, n) => write(n)));
    done = true;
    await watching;
    assert.equal((await outletChanges(reader, 0)).length, 12);
  });

  test('a commit of an operator raises the revision, and a refused command writes nothing', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { revision } = await readRevision(store);
    const refused = withOperatorLock(store, async (tx) => {
      await addTakedown(tx, outlet, now, now);
      throw new Error('refused');
    });
    await assert.rejects(refused, /refused/);
    assert.equal((await readRevision(store)).revision, revision);
    assert.deepEqual([await openTakedowns(store, now), await outletChanges(store, 0)], [[], []]);
    await withOperatorLock(store, (tx) => addTakedown(tx, outlet, now, now));
    assert.equal((await readRevision(store)).revision, revision + 1);
  });

  test('a takedown deactivates its outlet in the same commit, becomes overdue, and is resolved once', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await withOperatorLock(store, (tx) => addTakedown(tx, outlet, now - 2 * MINUTE, now));
    await withOperatorLock(store, (tx) => addTakedown(tx, other, now - 5 * MINUTE, now));
    assert.deepEqual(
      (await outletChanges(store, 0)).map(({ outlet_id, fields }) => [outlet_id, fields]),
      [
        [outlet, { active: false }],
        [other, { active: false }],
      ],
    );
    const due_at = now - 5 * MINUTE + TAKEDOWN_SLA;
    assert.equal(TAKEDOWN_SLA, 72 * 60 * MINUTE);
    const [urgent, next] = await openTakedowns(store, due_at);
    assert.deepEqual(urgent, {
      id: 2,
      outlet_id: other,
      requested_at: now - 5 * MINUTE,
      due_at,
      age: TAKEDOWN_SLA,
      overdue: false,
    });
    assert.equal(next?.id, 1);
    assert.equal((await openTakedowns(store, due_at + 1))[0]?.overdue, true);

    await withOperatorLock(store, (tx) => resolveTakedown(tx, 2, 'removed', now + 1));
    assert.deepEqual(
      (await openTakedowns(store, now)).map(({ id }) => id),
      [1],
    );
    const resolved = await findTakedown(store, 2);
    assert.deepEqual([resolved?.outcome, resolved?.resolved_at], ['removed', now + 1]);
    assert.deepEqual(await latestTakedown(store, other), resolved);
    assert.equal((await latestTakedown(store, outlet))?.outcome, null);
    assert.equal(await findTakedown(store, 3), undefined);
    assert.deepEqual(
      (await recentTakedowns(store, 10)).map(({ id }) => id),
      [2, 1],
    );
    await assert.rejects(withOperatorLock(store, (tx) => resolveTakedown(tx, 2, 'withdrawn', now + 2)));
    await assert.rejects(
      withOperatorLock(store, (tx) => tx.run('update takedowns set due_at = 0')),
      /append-only/,
    );
    await assert.rejects(
      withOperatorLock(store, (tx) => tx.run('delete from outlet_changes')),
      /append-only/,
    );
  });

  test('senses recorded by operators are separate from those of the sources', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const sense = { slot: now, pocket_id: 'holland', word: 'calm', people: 3 } as const;
    await store.transaction((tx) =>
      tx.insert('citizen_senses', [{ ...sense, word: senseWordNumbers.calm, source: 's' }]),
    );
    assert.deepEqual(await alreadyRecordedSenses(store, [sense]), []);
    await withOperatorLock(store, (tx) =>
      writeOperatorSenses(tx, [sense, { ...sense, slot: now + SLOT }], now),
    );
    await withOperatorLock(store, (tx) => writeOperatorSenses(tx, [sense], now));
    const found = await alreadyRecordedSenses(store, [sense, { ...sense, word: 'busy' }]);
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      [{ ...sense, people: 6 }],
    );
    assert.deepEqual(await alreadyRecordedSenses(store, []), []);
  });

  test('words recorded late are counted when the people spoke, from the next observed slot on', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const observe = (slot: number) => store.transaction((tx) => claim(tx, 'atmosphere', slot, 'test', slot));
    const counted = async (until: number) =>
      (await senseReleasesWithin(store, { after: now - DAY, until }, singapore, { pocket: 'holland' })).map(
        ({ slot, people }) => [slot, people],
      );
    const said = (slot: number, people: number) =>
      ({ slot, pocket_id: 'holland', word: 'calm', people }) as const;
    const record = (senses: ReturnType<typeof said>[], at: number) =>
      withOperatorLock(store, (tx) => writeOperatorSenses(tx, senses, at));
    const early = now - 3 * HOUR;
    await store.transaction((tx) =>
      tx.insert('citizen_senses', [{ ...said(early, 7), word: senseWordNumbers.calm, source: 's' }]),
    );
    await observe(now);
    await record([said(early, 6)], now);
    await record([said(early, 1)], now + SLOT);
    assert.deepEqual(await counted(now), [[early, 7]]);
    await observe(now + SLOT);
    const both = [
      [early, 7],
      [early, 6],
    ];
    assert.deepEqual(await counted(now + SLOT), both);
    // One person alone is never counted.
    await observe(now + 2 * SLOT);
    assert.deepEqual(await counted(now + 2 * SLOT), both);
    // A clock that is behind adds nothing to a slot that is observed.
    await record([said(now + 2 * SLOT, 5)], now);
    assert.deepEqual(await counted(now + 2 * SLOT), both);
    await observe(now + 3 * SLOT);
    assert.deepEqual(await counted(now + 3 * SLOT), [
      [early, 7],
      [now + 3 * SLOT, 5],
      [early, 6],
    ]);
  });
});
