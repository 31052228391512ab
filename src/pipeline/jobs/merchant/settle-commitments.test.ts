import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../../test/support/pipeline/fresh-pipeline.ts';
import { cafe, writeBriefFixtures } from '../../../../test/support/rows/briefs.ts';
import { writeDecisions } from '../../../../test/support/rows/decisions.ts';
import { openMigratedStore } from '../../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../../test/support/stores/store-places.ts';
import type { SustainabilityEvent } from '../../../domain/merchant/sustainability.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../../domain/time/slot.ts';
import { singapore } from '../../../domain/time/zones.fixture.ts';
import { equilibriaWithin } from '../../../store/decision/equilibrium.ts';
import type { Store } from '../../../store/engine/store.ts';
import { acceptBrief, declineBrief } from '../../../store/merchant/briefs.ts';
import {
  recentSustainabilityEvents,
  sustainabilityByDay,
  sustainabilitySums,
} from '../../../store/merchant/sustainability.ts';
import { writeOutletActivity } from '../../../store/observation/outlet-activity.ts';
import { runDue } from '../../schedule/run.ts';
import { schedule } from '../../schedule/schedule.ts';

/** The cafe closes at 18:00; the window is 16:15 to 17:15. */
const four = Date.parse('2026-11-11T16:00:00+08:00');
const end = four + 75 * MINUTE;
const jobs = schedule.filter(({ name }) => ['commitment', 'attention', 'equilibrium'].includes(name));

type Row = Omit<SustainabilityEvent, 'evidence'> & { evidence: string };
const events = (store: Store) => store.all<Row>('select * from sustainability_events order by id');
const outcomes = (store: Store) =>
  store.all<{ reclaimed_hours: number; idle_hours: number }>('select * from commitment_outcomes');

/** Activity of the cafe in the window, and in the same hours of some weeks before. */
const writeUse = (store: Store, activity: number, usual: number, weeks: number) =>
  store.transaction(async (tx) => {
    for (let week = 0; week <= weeks; week++)
      for (let slot = four + 2 * SLOT; slot <= end; slot += SLOT)
        await writeOutletActivity(tx, [
          { slot: slot - 7 * week * DAY, outlet_id: cafe, activity: week ? usual : activity },
        ]);
  });

/** Writes two briefs: the cafe accepts, another outlet declines. */
async function writeCommitment(store: Store): Promise<void> {
  await writeBriefFixtures(store, [
    { slot: four, id: 'yes' },
    { slot: four, id: 'no', outlet_id: 'o2' },
  ]);
  await store.transaction((tx) => acceptBrief(tx, 'yes', { now: four + SLOT, zone: singapore }));
  await store.transaction((tx) => declineBrief(tx, 'no', { now: four + SLOT, zone: singapore }));
}

describeStores('the sustainability ledger', (makePlace, engine) => {
  test('a commitment is settled once, when its window has ended, with what caused each event', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeCommitment(store);
    await writeUse(store, 0.5, 0.3, 4);
    const pipeline = freshPipeline(store);
    for (let slot = four; slot < end; slot += SLOT) await runDue(pipeline, slot, jobs);
    assert.deepEqual(await events(store), []);
    for (const slot of [end, end + SLOT, end + 2 * SLOT]) await runDue(pipeline, slot, jobs);
    const found = await events(store);
    // 34 seats × 0.2 × 1 h = 6.8 h; 6.8 ÷ 0.75 h = 9.07 visits; closing is 45 minutes off, so 0.75 is left over.
    assert.deepEqual(
      found.map(({ kind, slot, pocket_id, outlet_id, magnitude, value_cents }) => [
        ...[kind, slot, pocket_id, outlet_id, magnitude, value_cents],
      ]),
      [
        ['idle_reclaimed', end, 'tiongbahru', cafe, 6.8, Math.round((6.8 / 0.75) * 13.5 * 0.66 * 100)],
        ['purposeful_trip', end, 'tiongbahru', cafe, 9, 1350],
        ['waste_avoided', end, 'tiongbahru', cafe, 3.4, Math.round((3.4 / 0.5) * 13.5 * 0.34 * 100)],
      ],
    );
    assert.deepEqual(JSON.parse(found[2]?.evidence ?? ''), {
      ...{ brief_id: 'yes', activity: 0.5, usual: 0.3, quarters: 4, closes_in_minutes: 45 },
    });
  });

  test('a commitment without effect is settled too, and writes no event', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeCommitment(store);
    await writeUse(store, 0.32, 0.3, 4);
    await runDue(freshPipeline(store), end, jobs);
    assert.deepEqual(await events(store), []);
    const [outcome] = await outcomes(store);
    assert.deepEqual([outcome?.reclaimed_hours, outcome?.idle_hours], [0, 23.8]);
  });

  test('with fewer than two weeks to compare with, a commitment has no outcome', async (t) => {
    for (const weeks of [0, 1]) {
      const store = await openMigratedStore(t, makePlace);
      await writeCommitment(store);
      await writeUse(store, 0.5, 0.3, weeks);
      await runDue(freshPipeline(store), end, jobs);
      assert.deepEqual(await outcomes(store), []);
    }
  });

  test('commitments that ended during an outage are settled the same way afterwards', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeCommitment(store);
    await writeUse(store, 0.5, 0.3, 2);
    await runDue(freshPipeline(store), four, jobs);
    await runDue(freshPipeline(store), end + 5 * HOUR, jobs);
    assert.deepEqual(
      (await events(store)).map(({ slot }) => slot),
      [end, end, end],
    );
  });

  test('the vindicated silences of a day are one event per pocket, at three in the morning', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const midnight = Date.parse('2026-11-12T00:00:00+08:00');
    await writeDecisions(store, [
      { slot: midnight - DAY - SLOT, gate: 'why_now', vindicated: true, minutes: 100 },
      { slot: midnight - DAY, gate: 'why_now', vindicated: true, minutes: 3 },
      { slot: midnight - HOUR, gate: 'why_now', vindicated: false },
      { slot: midnight - 2 * SLOT, gate: 'why_now', vindicated: null },
      { slot: midnight - SLOT, gate: 'resonance', vindicated: true, minutes: 4.5 },
      { slot: midnight, gate: 'resonance', vindicated: true, minutes: 50 },
      { slot: midnight - HOUR, gate: 'why_now', vindicated: false, pocket: 'siglap' },
    ]);
    const pipeline = freshPipeline(store);
    for (const hours of [0, 2.75, 3, 3.25, 4]) await runDue(pipeline, midnight + hours * HOUR, jobs);
    const found = await events(store);
    assert.deepEqual(
      found.map(({ id, slot, outlet_id, magnitude, value_cents }) => [
        id,
        slot,
        outlet_id,
        magnitude,
        value_cents,
      ]),
      [
        ['tiongbahru-2026-11-10.attention_saved', midnight - DAY + 3 * HOUR, null, 1, 400],
        ['tiongbahru-2026-11-11.attention_saved', midnight + 3 * HOUR, null, 2, 30],
      ],
    );
    assert.deepEqual(JSON.parse(found[1]?.evidence ?? ''), {
      ...{ date: '2026-11-11', judged: 3, vindicated: 2, minutes: 7.5 },
    });
  });

  // A day of slots, each of which runs the statements of the one before.
  if (engine === 'sqlite')
    test('the equilibrium has the share of idle hours that were used in the last day', async (t) => {
      const store = await openMigratedStore(t, makePlace);
      await writeCommitment(store);
      await writeUse(store, 0.5, 0.3, 4);
      const pipeline = freshPipeline(store);
      for (let slot = end - SLOT; slot <= end + 25 * HOUR; slot += SLOT) await runDue(pipeline, slot, jobs);
      const read = await equilibriaWithin(store, 'tiongbahru', { after: 0, until: end + 25 * HOUR });
      const waste = new Map(read.map(({ slot, dimensions }) => [slot, dimensions.waste_avoidance]));
      assert.equal(waste.get(end - SLOT), null);
      assert.equal(waste.get(end + SLOT), 0.286);
      assert.equal(waste.get(end + 23 * HOUR + 3 * SLOT), 0.286);
      assert.equal(waste.get(end + 24 * HOUR + SLOT), null);
    });

  test('reads newest first, with sums by pocket and kind and UTC days, never the outlet', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const row = (id: string, slot: number, more = {}) => ({
      ...{ id, slot, pocket_id: 'holland', outlet_id: null as string | null, kind: 'attention_saved' },
      ...{ magnitude: 10, value_cents: 40, evidence: '{}', ...more },
    });
    const day = Date.parse('2026-11-11T00:00:00Z');
    await store.transaction((tx) =>
      tx.insert('sustainability_events', [
        row('a', day - SLOT),
        row('b', day),
        row('c', day, { kind: 'idle_reclaimed', magnitude: 1.25, outlet_id: cafe }),
        row('d', day + SLOT, { pocket_id: 'siglap' }),
      ]),
    );
    const window = { after: 0, until: day + DAY };
    const recent = await recentSustainabilityEvents(store, { ...window, limit: 3 });
    assert.deepEqual(
      recent.map(({ slot, pocket_id, kind }) => [slot, pocket_id, kind]),
      [
        [day + SLOT, 'siglap', 'attention_saved'],
        [day, 'holland', 'attention_saved'],
        [day, 'holland', 'idle_reclaimed'],
      ],
    );
    assert.ok(!JSON.stringify(recent).includes(cafe));
    assert.equal(
      (await recentSustainabilityEvents(store, { ...window, pocket: 'holland', limit: 9 })).length,
      3,
    );
    assert.equal(
      (await recentSustainabilityEvents(store, { after: day, until: day + DAY, limit: 9 })).length,
      1,
    );
    assert.deepEqual(
      (await sustainabilitySums(store, { ...window, pocket: 'holland' })).map((sum) => ({ ...sum })),
      [
        { pocket_id: 'holland', kind: 'attention_saved', events: 2, magnitude: 20, value_cents: 80 },
        { pocket_id: 'holland', kind: 'idle_reclaimed', events: 1, magnitude: 1.25, value_cents: 40 },
      ],
    );
    assert.equal((await sustainabilitySums(store, { ...window, outlet: cafe })).length, 1);
    assert.deepEqual(
      (await sustainabilityByDay(store, window)).map((one) => ({ ...one })),
      [
        { day: day / DAY - 1, events: 1, value_cents: 40 },
        { day: day / DAY, events: 3, value_cents: 120 },
      ],
    );
  });
});
