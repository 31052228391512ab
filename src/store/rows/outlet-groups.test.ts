import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Reader } from '../engine/store.ts';
import { outletActivityAt, writeOutletActivity } from '../observation/outlet-activity.ts';
import { migrate } from '../schema/migrate.ts';
import { windowAndDays, withinDays } from './day-index.ts';
import { ofOutlets, outletsTwice, packActivity } from './outlet-groups.ts';

const START = 20_000 * DAY;
const byOutlet = `select a.slot, a.activity from counted_outlets a
  where ${ofOutlets('a', 1)} and ${withinDays('a.slot')} order by a.slot`;
const whole = windowAndDays({ after: START - 1, until: START + DAY });
const plain = <One extends object>(rows: readonly One[]) => rows.map((row) => ({ ...row }));

test('a row has outlets of one group of five; what thousandths do not hold is a row of its own', () => {
  const at = (slot: number, activity: Readonly<Record<number, number>>) =>
    Object.entries(activity).map(([outlet, share]) => ({ slot, outlet: Number(outlet), activity: share }));
  const row = (slot: number, first_outlet: number, shares: number, activity: number | null = null) => ({
    ...{ slot, first_outlet, shares, activity },
  });
  assert.deepEqual(
    packActivity([
      ...at(7, { 4: 0.5, 5: 0, 6: 0.001, 9: 1.022, 10: 1 / 3, 11: 1.023, 14: 1 }),
      ...at(8, { 5: 1 }),
    ]),
    [
      row(7, 4, 501),
      row(7, 5, 1 + 2 * 2 ** 10 + 1023 * 2 ** 40),
      row(8, 5, 1001),
      row(7, 10, 0, 1 / 3),
      row(7, 11, 0, 1.023),
      row(7, 14, 1001),
    ],
  );
});

const share = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000), weight: 9 },
  fc.constantFrom(1 / 3, 1.022, 1.023, 31.999, 40, 5e-4),
);
const measured = fc.uniqueArray(
  fc.record({
    slot: fc.integer({ min: 0, max: 2 }).map((n) => START + n * SLOT),
    outlet_id: fc.integer({ min: 1, max: 17 }).map((n) => `o${n}`),
    activity: share,
  }),
  { selector: ({ slot, outlet_id }) => `${slot} ${outlet_id}`, maxLength: 40 },
);

describeStores('measurements of outlets in groups', (makePlace, engine) => {
  test('come back as they were, at a slot and of an outlet, whoever wrote the others of its group', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let tries = 0;
    await fc.assert(
      fc.asyncProperty(measured, fc.nat({ max: 17 }), async (all, own) => {
        tries += 1;
        const later = (slot: number) => slot + tries * DAY;
        const list = all.map((one) => ({ ...one, slot: later(one.slot) }));
        // Two districts: a group may have outlets of both.
        const isOwn = ({ outlet_id }: { outlet_id: string }) => Number(outlet_id.slice(1)) <= own;
        for (const part of [list.filter(isOwn), list.filter((one) => !isOwn(one))])
          await store.transaction((tx) => writeOutletActivity(tx, part));
        const sorted = (rows: readonly { outlet_id: string }[]) =>
          plain(rows).sort((a, b) => a.outlet_id.localeCompare(b.outlet_id));
        for (const slot of new Set(list.map((one) => one.slot))) {
          const expected = list.filter((one) => one.slot === slot).map(({ slot: _, ...one }) => one);
          assert.deepEqual(sorted(await outletActivityAt(store, slot)), sorted(expected));
          const some = ['o3', 'o4', 'o11', 'nobody'];
          assert.deepEqual(
            sorted(await outletActivityAt(store, slot, some)),
            sorted(expected.filter(({ outlet_id }) => some.includes(outlet_id))),
          );
        }
        const window = windowAndDays({ after: later(START) - 1, until: later(START) + DAY - 1 });
        for (const outlet of ['o1', 'o5', 'o10', 'o17'])
          assert.deepEqual(
            plain(await store.all<object>(byOutlet, ...outletsTwice([outlet]), ...window)),
            list
              .filter(({ outlet_id }) => outlet_id === outlet)
              .map(({ slot, activity }) => ({ slot, activity }))
              .sort((a, b) => a.slot - b.slot),
          );
      }),
      { numRuns: engine === 'sqlite' ? 60 : 25 },
    );
  });

  test('are found by the group of an outlet, and of two at a slot the first is stored', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      for (let n = 0; n < 96; n += 1)
        await writeOutletActivity(
          tx,
          Array.from({ length: 200 }, (_, o) => ({
            slot: START + n * SLOT,
            outlet_id: `o${o}`,
            activity: 0.5,
          })),
        );
      const twice = { slot: START + DAY, outlet_id: 'o9' };
      await writeOutletActivity(tx, [
        { ...twice, activity: 0.2 },
        { ...twice, activity: 0.9 },
      ]);
      await tx.run('analyze');
    });
    assert.equal(
      (await store.get<{ n: number }>('select count(*) as n from outlet_activity'))?.n,
      96 * 41 + 1,
    );
    const found = await store.all<{ activity: number }>(byOutlet, ...outletsTwice(['o9']), ...whole);
    assert.deepEqual([found.length, found.at(-1)?.activity], [97, 0.2]);
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    const plan = JSON.stringify(await store.all(`${explain} ${byOutlet}`, ...outletsTwice(['o9']), ...whole));
    assert.match(
      plan,
      engine === 'sqlite' ? /by_group \(<expr>=\? AND slot>/ : /\(\(first_outlet \/ 5\) = /,
      plan,
    );
  });

  test('of an older store are the same after its upgrade', async (t) => {
    const place = await makePlace('empty');
    const [store] = await openStores(t, async () => place, 1, false);
    assert.ok(store);
    const before = schemaFiles.findIndex(({ key }) => key === '030_outlets_in_groups');
    await migrate(store, 1, { files: schemaFiles.slice(0, before), batches: [] });
    const shares = [0, 0.001, 1.022, 1.023, 0.5, 1 / 3, 31.999, 40];
    await store.exclusively(async (tx) => {
      await tx.insert(
        'outlet_numbers',
        shares.map((_, n) => ({ number: n + 3, outlet_id: `o${n}` })),
      );
      for (const slot of [START, START + SLOT])
        await tx.insert(
          'outlet_activity',
          shares.map((activity, n) => {
            const milli = Math.round(activity * 1_000);
            const isAll = milli / 1_000 === activity && activity < 32;
            const figure = { activity_milli: isAll ? milli : null, activity: isAll ? null : activity };
            return { slot, outlet: n + 3, ...figure };
          }),
        );
    });
    const rows = (reader: Reader) =>
      reader.all<object>(
        'select slot, outlet, outlet_id, activity from counted_outlets order by slot, outlet',
      );
    const old = plain(await rows(store));
    assert.equal(old.length, 2 * shares.length);
    await migrate(store, 2, { files: schemaFiles, batches: [] });
    assert.deepEqual(plain(await rows(store)), old);
    await assert.rejects(
      store.transaction((tx) => tx.run('delete from outlet_activity')),
      /outlet_activity is append-only/,
    );
    assert.equal((await store.all(byOutlet, ...outletsTwice(['o4']), ...whole)).length, 2);
  });
});
