// Invariants under restarts, outages and clock jumps: a forecast is sealed in time or not at all, and never changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { freshPipeline } from '../../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../../test/support/stores/store-places.ts';
import type { PredictionPayload, RevealPayload } from '../../../domain/prediction/prediction.ts';
import { HOUR, iso, MINUTE, SLOT, slotStart } from '../../../domain/time/slot.ts';
import { computeSeal } from '../../../ledger/seal.ts';
import type { Store } from '../../../store/engine/store.ts';
import { readEntries } from '../../../store/ledger/entries.ts';
import { runDue } from '../../schedule/run.ts';
import { schedule } from '../../schedule/schedule.ts';

const registry = smallCity(2);
const jobs = schedule.filter(({ name }) => ['atmosphere', 'vindication', 'reveal'].includes(name));
const start = Date.parse('2026-11-11T21:07:00+08:00');

interface Sealed {
  leaf: number;
  id: string;
  slot: number;
  reveal_at: number;
  payload: string;
  payload_hash: string;
  ran_at: number | null;
}

async function sealedRows(store: Store): Promise<Sealed[]> {
  const rows = await store.all<Omit<Sealed, 'payload' | 'payload_hash'>>(
    `select p.leaf, p.slot, p.reveal_at, j.ran_at from predictions p
     left join job_runs j on j.job = 'atmosphere' and j.slot = p.slot order by p.leaf`,
  );
  const entryAt = await readEntries(
    store,
    rows.map(({ leaf }) => leaf),
  );
  return rows.map((row) => ({ ...entryAt(row.leaf), ...row }));
}

interface Revealed {
  leaf: number;
  reveal_at: number;
  generator: string;
  pocket_id: string;
  accuracy_score: number | null;
}

/** Wake-ups of the scheduler: minutes since the last one (negative: the clock was set back), and whether the process restarted. */
const wakeUps = fc.array(
  fc.record({
    minutes: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 20 }) },
      { weight: 2, arbitrary: fc.integer({ min: 60, max: 330 }) },
      { weight: 1, arbitrary: fc.integer({ min: -90, max: -1 }) },
    ),
    restart: fc.boolean(),
  }),
  { minLength: 6, maxLength: 14 },
);

describeStores('forecasts', (makePlace, engine) => {
  test('with restarts and outages at random, every forecast is sealed in time and revealed once', async (t) => {
    await fc.assert(
      fc.asyncProperty(wakeUps, async (steps) => {
        const store = await openMigratedStore(t, makePlace);
        let pipeline = freshPipeline(store, registry);
        let now = start;
        let latest = start;
        let before: Sealed[] = [];
        const setBack = new Set<number>();
        for (const { minutes, restart } of [{ minutes: 0, restart: false }, ...steps]) {
          now += minutes * MINUTE;
          latest = Math.max(latest, now);
          if (now < latest) setBack.add(slotStart(now));
          if (restart) pipeline = freshPipeline(store, registry);
          for (const { outcome, error } of await runDue(pipeline, now, jobs))
            assert.notEqual(outcome, 'failed', String(error));
          const rows = await sealedRows(store);
          assert.deepEqual(rows.slice(0, before.length), before, 'sealed rows never change');
          for (const row of rows.slice(before.length)) {
            assert.equal(
              row.slot,
              slotStart(now),
              'a forecast is sealed in its own slot, never for a past one',
            );
            assert.ok(now < row.reveal_at, 'sealed before the outcome is known');
          }
          before = rows;
        }
        for (const row of before) checkSeal(row);
        await checkReveals(store, latest, setBack);
      }),
      { numRuns: engine === 'sqlite' ? 10 : 1 },
    );
  });

  test('an outage leaves a gap that no later forecast fills, and reveals catch up with it', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const noon = Date.parse('2026-11-11T12:00:00+08:00');
    const pipeline = freshPipeline(store, registry);
    await runDue(pipeline, noon);
    await runDue(pipeline, noon + 5 * HOUR);
    const slots = await store.all<{ slot: number }>('select distinct slot from predictions order by slot');
    assert.deepEqual(
      slots.map(({ slot }) => slot),
      [noon, noon + 5 * HOUR],
    );
    const open = await store.all(
      'select leaf from predictions p where slot = ? and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf)',
      noon,
    );
    assert.deepEqual(open, []);
    // During the outage there were no readings to score against.
    const scored = await store.all(
      'select 1 from revealed_forecasts where accuracy_score is not null and generator like ?',
      'pocket_%',
    );
    assert.deepEqual(scored, []);
  });

  test('neither a forecast nor its reveal can be changed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store, registry);
    await runDue(pipeline, start);
    await runDue(pipeline, start + 4 * HOUR);
    for (const [table, column] of [
      ['forecast_sets', 'leaf'],
      ['reveal_figures', 'prediction_leaf'],
      ['ledger_entries', 'leaf'],
    ]) {
      for (const statement of [`update ${table} set ${column} = ${column}`, `delete from ${table}`]) {
        await assert.rejects(
          store.transaction((tx) => tx.run(statement)),
          /append-only/,
          statement,
        );
      }
    }
  });
});

function checkSeal({ slot, reveal_at, payload, payload_hash, ran_at, id }: Sealed): void {
  const sealed = JSON.parse(payload) as PredictionPayload;
  assert.deepEqual([sealed.id, sealed.sealed_at, sealed.reveal_at], [id, iso(slot), iso(reveal_at)]);
  assert.equal(computeSeal(sealed).payload_hash, payload_hash);
  assert.ok(ran_at !== null && ran_at >= slot && ran_at < slot + SLOT && ran_at < reveal_at);
}

/**
 * None early, none twice, none missing; a score exactly where there is a reading within 15 minutes. The slots of
 * `setBack` may have been read later than the forecasts for them were revealed.
 */
async function checkReveals(store: Store, latest: number, setBack: ReadonlySet<number>): Promise<void> {
  const reveals = await store.all<Revealed>('select * from revealed_forecasts');
  const entryAt = await readEntries(
    store,
    reveals.map(({ leaf }) => leaf),
  );
  const read = await store.all<{ slot: number; pocket_id: string }>(
    'select slot, pocket_id from atmosphere_readings',
  );
  const observed = new Set(read.map(({ slot, pocket_id }) => `${slot} ${pocket_id}`));
  for (const { leaf, reveal_at, generator, pocket_id, accuracy_score } of reveals) {
    const { revealed_at } = JSON.parse(entryAt(leaf).payload) as RevealPayload;
    assert.ok(Date.parse(revealed_at) >= reveal_at, 'a reveal is never early');
    if (!generator.startsWith('pocket_projection')) continue;
    const around = [-SLOT, 0, SLOT].map((offset) => reveal_at + offset);
    const near = around.some((slot) => observed.has(`${slot} ${pocket_id}`));
    if (accuracy_score === null && around.some((slot) => setBack.has(slot))) continue;
    assert.equal(accuracy_score !== null, near, `${generator} for ${iso(reveal_at)}`);
  }
  const open = await store.all<{ reveal_at: number }>(
    'select reveal_at from predictions p where not exists (select 1 from reveals r where r.prediction_leaf = p.leaf)',
  );
  for (const { reveal_at } of open)
    assert.ok(reveal_at >= slotStart(latest), `not revealed: ${iso(reveal_at)}`);
}
