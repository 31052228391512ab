// A generator that is nothing but one more record of the list is sealed, revealed, reported and verified as the others.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Generator } from '../../src/domain/prediction/generator.ts';
import { generators } from '../../src/domain/prediction/generators/all.ts';
import { sideGenerator } from '../../src/domain/prediction/generators/side.ts';
import type { RevealPayload } from '../../src/domain/prediction/prediction.ts';
import { HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { computeReadings } from '../../src/pipeline/jobs/compute-readings.ts';
import { decidePockets } from '../../src/pipeline/jobs/decide.ts';
import { revealForecasts } from '../../src/pipeline/jobs/prediction/reveal-forecasts.ts';
import { forecastPockets, sealForecasts } from '../../src/pipeline/jobs/prediction/seal-forecasts.ts';
import { writeSlotSnapshots } from '../../src/pipeline/jobs/write-snapshots.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { schedule } from '../../src/pipeline/schedule/schedule.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { readEntries } from '../../src/store/ledger/entries.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { verifyLedger } from '../../src/verify/verify-ledger.ts';
import { freshPipeline } from '../support/pipeline/fresh-pipeline.ts';
import { NOON } from '../support/services/service.ts';
import { figuresFetcher, ledgerFetcher, registry } from './stored-log.ts';

const another = sideGenerator({
  type: 'movement_friction',
  kind: 'chance',
  horizon: 120,
  shadow: false,
  usual: 0.8,
  condition: ({ friction }) => friction,
  outcome: ({ since, actual }) => since && Number((actual?.movement_friction ?? 1) < 0.5),
  current: ({ movement_friction }) => movement_friction,
  miss: 'footfall_miss',
});
const list: readonly Generator[] = [...generators, another];

const jobs = schedule.map((job) => {
  if (job.name === 'reveal') return { ...job, run: (context: Context) => revealForecasts(context, list) };
  if (job.name !== 'atmosphere') return job;
  const run = async (context: Context) => {
    const readings = await computeReadings(context, await writeSlotSnapshots(context));
    const ahead = await forecastPockets(context, readings);
    await sealForecasts(context, await decidePockets(context, readings, ahead.forecasts), ahead, list);
  };
  return { ...job, run };
});
type Context = Parameters<typeof revealForecasts>[0];

const NOW = NOON + 8 * HOUR;
const dataDir = await mkdtemp(join(tmpdir(), 'pocketwatch-test-'));
const store = openStore({ databaseUrl: undefined, dataDir });
const clock = { now: NOON };
await migrate(store, NOON);
const pipeline = freshPipeline(store, registry, () => clock.now);
for (clock.now = NOON; clock.now <= NOW; clock.now += SLOT)
  for (const { outcome, error } of await runDue(pipeline, clock.now, jobs))
    assert.notEqual(outcome, 'failed', String(error));
after(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const api = figuresFetcher(store, NOW);
const verify = (known: readonly Generator[]) =>
  verifyLedger({ fetch: ledgerFetcher(store, NOW), api, settle: 0, generators: known });

test('it is sealed on the hour and revealed two hours later, by what was read since', async () => {
  const rows = await store.all<{ slot: number; leaf: number; accuracy_score: number | null }>(
    'select slot, leaf, accuracy_score from revealed_forecasts where generator = ? order by leaf',
    another.name,
  );
  const entryAt = await readEntries(
    store,
    rows.map(({ leaf }) => leaf),
  );
  assert.equal(rows.length, 7 * registry.pockets.length);
  for (const { slot, leaf, accuracy_score } of rows) {
    const { revealed_at } = JSON.parse(entryAt(leaf).payload) as RevealPayload;
    assert.deepEqual([slot % HOUR, Date.parse(revealed_at) - slot], [0, 2 * HOUR]);
    assert.ok(accuracy_score !== null);
  }
  const learned = await store.get<{ body: string }>(
    'select body from pipeline_state where key = ?',
    `side ${another.name} ${registry.pockets[0]?.id}`,
  );
  assert.match(learned?.body ?? '', /;[^=]+=[1-9]/);
});

test('it is counted in the reports', async () => {
  const count = async (where: string) =>
    (
      await store.get<{ n: number }>(
        `select count(*) as n from revealed_forecasts where accuracy_score is not null and ${where}`,
      )
    )?.n;
  const report = JSON.parse(String(Buffer.from((await api('accuracy?since=all', 0)) ?? [])));
  const [row] = report.by_type.filter(
    (one: { prediction_type: string }) => one.prediction_type === another.type,
  );
  assert.equal(row.all.n, await count("prediction_type = 'movement_friction'"));
  assert.equal(report.all_forecasts.n, await count('shadow = 0'));
});

test('verify computes its scores, rows and figures again', async () => {
  const verdict = await verify(list);
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual([verdict.figures, verdict.tables], ['compared', 'compared']);
});

test('verify that is told of another kind finds that the scores do not follow', async () => {
  const verdict = await verify([...generators, { ...another, kind: 'level' }]);
  assert.ok(!verdict.ok && verdict.code === 'wrong_score', JSON.stringify(verdict));
});

test('verify that does not know it names it', async () => {
  const verdict = await verify(generators);
  assert.ok(!verdict.ok && verdict.code === 'unknown_generator', JSON.stringify(verdict));
  assert.match(verdict.message, /^no generator is known as "movement_friction_120m"/);
  assert.match(verdict.place.id ?? '', /\.movement_friction_120m$/);
});
