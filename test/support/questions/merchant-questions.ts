// Questions 11 to 14 of docs/questions.md.
import assert from 'node:assert/strict';

import { isOpen } from '../../../src/domain/time/opening-hours.ts';
import { DAY, SLOT, slotStart } from '../../../src/domain/time/slot.ts';
import { isWaking } from '../../../src/domain/time/waking-hours.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { acceptBrief } from '../../../src/store/merchant/briefs.ts';
import { readinessAt } from '../../../src/store/merchant/testing/readiness-at.ts';
import { writeOutletActivity } from '../../../src/store/observation/outlet-activity.ts';
import { referencePatterns, type StoredQuarter } from '../answers/reference-patterns.ts';
import { writeBriefFixtures } from '../rows/briefs.ts';
import { count, matchGroups, type Recorded, type TextCheck } from './question.ts';

/** The outlet that the first call of questions 11 and 12 leads to. */
export const outletIn = (text: string): string =>
  matchGroups(text, /; outlet_id (\S+)$/m)[0] ?? assert.fail();

/** The weeks before the history, in which the outlets of holland are nearly empty on monday afternoons. */
export async function writeQuietMondays(store: Store, { registry, now }: Recorded): Promise<void> {
  const outlets = registry.outlets.filter(({ pocket_id, active }) => active && pocket_id === 'holland');
  const slots = Array.from({ length: 27 * 96 }, (_, n) => now - DAY - n * SLOT);
  const isQuiet = (slot: number) =>
    singapore.weekday(slot) === 0 && [14, 15].includes(Math.floor(singapore.hourOfDay(slot)));
  await store.transaction((tx) =>
    writeOutletActivity(
      tx,
      outlets.flatMap(({ id }) =>
        slots.map((slot) => ({ slot, outlet_id: id, activity: isQuiet(slot) ? 0.1 : 0.5 })),
      ),
    ),
  );
}

/** Two merchants whose offers run until one. */
export async function writeOffers(store: Store, { registry, now }: Recorded): Promise<void> {
  const offers = ['dempsey', 'siglap'].map((pocket_id) => {
    const outlet = registry.outlets.find(
      (one) => one.active && one.pocket_id === pocket_id && isOpen(one, now, singapore),
    );
    return {
      id: `offer-${pocket_id}`,
      slot: now - SLOT,
      pocket_id,
      outlet_id: outlet?.id ?? assert.fail(pocket_id),
    };
  });
  await writeBriefFixtures(store, offers);
  for (const { id } of offers) await store.transaction((tx) => acceptBrief(tx, id, { now, zone: singapore }));
}

const hollandOutlets = ({ registry }: Recorded) =>
  registry.outlets.filter(({ pocket_id, active }) => active && pocket_id === 'holland');

export const merchantQuestions: Record<number, TextCheck> = {
  11: async ([found = '', profile = ''], recorded) => {
    const outlets = hollandOutlets(recorded);
    assert.match(found, new RegExp(`^${outlets.length} listed: `));
    for (const { id, name } of outlets)
      assert.ok(found.includes(`'${name}'`) && found.includes(`outlet_id ${id}`), name);
    const outlet = outlets.find(({ id }) => id === outletIn(found)) ?? assert.fail(found);
    const today = singapore.startOfDay(recorded.now);
    const quarters = await recorded.store.all<StoredQuarter>(
      `select slot, activity, null as rain_mm, null as primary_state from counted_outlets
       where outlet_id = ? and slot >= ? and slot < ? order by slot`,
      outlet.id,
      singapore.startOfDay(today, -28),
      today,
    );
    const quiet = referencePatterns(outlet, quarters).filter(({ kind }) => kind === 'quiet_window');
    assert.ok(quiet.length);
    assert.deepEqual(
      profile.split('\n').filter((line) => line.startsWith('quiet on ')),
      quiet.map(({ text }) => text.replaceAll('\u00a0', ' ')),
    );
  },
  12: async ([found = '', text = ''], recorded) => {
    const outlet = hollandOutlets(recorded).find(({ id }) => id === outletIn(found)) ?? assert.fail(found);
    const [surfaced, withheld, replayed] = matchGroups(
      text,
      /would have surfaced (\d+) and withheld (\d+) of (\d+) decisions/,
    ).map(Number) as [number, number, number];
    assert.equal(surfaced + withheld, replayed);
    const today = singapore.startOfDay(recorded.now);
    const counted = await recorded.store.all<{ slot: number }>(
      `select a.slot from counted_outlets a join moments m on m.slot = a.slot and m.pocket_id = ?
       where a.outlet_id = ? and a.slot < ?`,
      outlet.pocket_id,
      outlet.id,
      today,
    );
    const open = counted.filter(({ slot }) => isOpen(outlet, slot, singapore) && isWaking(slot, singapore));
    const lines = await count(
      recorded,
      'select count(*) as n from packages where pocket_id = ? and slot < ?',
      outlet.pocket_id,
      today,
    );
    // Nothing is decided while a line is live, for three hours at most.
    assert.ok(replayed > 0 && replayed <= open.length, `${replayed} of ${open.length}`);
    assert.ok(replayed >= open.length - 12 * (lines + surfaced), `${replayed} of ${open.length}`);
    assert.match(text, /this is a simulation over stored history: nobody was notified/);
  },
  13: async ([text = ''], recorded) => {
    const outlets = hollandOutlets(recorded);
    const stored = (await readinessAt(recorded.store, slotStart(recorded.now))).filter(
      ({ pocket_id }) => pocket_id === 'holland',
    );
    assert.equal(stored.length, outlets.length);
    const told = [...text.matchAll(/^outlet \d+(?:, [a-z ]+)?: ([A-Z_]+), .+ confidence ([\d.]+)\.$/gm)];
    const rows = told.map(([, state, confidence]) => `${state} ${Number(confidence)}`);
    assert.deepEqual(
      rows.toSorted(),
      stored.map(({ state, confidence }) => `${state} ${confidence}`).toSorted(),
    );
    for (const { name, id } of outlets) assert.ok(!text.includes(name) && !text.includes(id), name);
  },
  14: async ([text = ''], recorded) => {
    const cents = await count(
      recorded,
      "select sum(value_cents) as n from sustainability_events where pocket_id = 'holland'",
    );
    const [sign, amount] = matchGroups(text, /in all about SGD (-?)([\d,.]+) was/);
    assert.equal(Number(`${sign}${amount?.replaceAll(',', '')}`), cents / 100, text);
  },
};
