// Ten days of two pockets, written by a backfill but for the last hours, which are live: every figure on accuracy
// is computed a second time from the rows, and the surfaces that show it agree.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PrimaryState } from '../../src/domain/atmosphere/primary-state.ts';
import { sideScore } from '../../src/domain/prediction/generators/side.ts';
import { projectionScore } from '../../src/domain/prediction/projection.ts';
import { round } from '../../src/domain/stats/unit-scale.ts';
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { namedWindow } from '../../src/domain/time/window.ts';
import type { Operation } from '../../src/operations/core/define.ts';
import { getAccuracyReport } from '../../src/operations/prediction/get-accuracy-report.ts';
import { getBenchmarkLeaderboard } from '../../src/operations/prediction/get-benchmark-leaderboard.ts';
import { getPocketPredictions } from '../../src/operations/prediction/get-pocket-predictions.ts';
import { listPredictions } from '../../src/operations/prediction/list-predictions.ts';
import { getTrustReport } from '../../src/operations/report/get-trust-report.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Engine } from '../../src/store/engine/store.ts';
import { lastBackfilledSlot } from '../../src/store/runtime/history.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import {
  type RevealedForecast,
  referenceCalm,
  referenceReport,
  revealedForecasts,
} from '../support/answers/reference-accuracy.ts';
import { freshPipeline } from '../support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { type StorePlace, sqlitePlace } from '../support/stores/store-places.ts';
import { storedEntries } from '../support/stores/stored-entries.ts';

const now = Date.parse('2026-11-12T16:00:00+08:00');
const start = now - 10 * DAY;
const registry = smallCity(2);
const pocket = registry.pockets[1]?.id ?? '';
const historyEnd = now - 9 * HOUR;

let place: StorePlace;
let store: Engine;
let rows: (RevealedForecast & { sealed: string; revealed: string })[];
before(async () => {
  place = await sqlitePlace();
  store = openStore(place);
  await migrate(store, now);
  await backfill(freshPipeline(store, registry), { from: start, now: historyEnd });
  const pipeline = freshPipeline(store, registry);
  for (let slot = historyEnd + SLOT; slot <= now; slot += SLOT) await runDue(pipeline, slot);
  const payloads = new Map((await storedEntries(store)).map(({ leaf, payload }) => [leaf, payload]));
  const readPayload = (leaf: number) => payloads.get(Number(leaf)) ?? '';
  rows = (await revealedForecasts(store)).map((row) => ({
    ...row,
    sealed: readPayload(row.prediction_leaf),
    revealed: readPayload(row.leaf),
  }));
});
after(async () => {
  await store.close();
  await place.remove();
});

const ask = async <Input, Answer>(operation: Operation<Input, Answer>, given: Record<string, unknown> = {}) =>
  askOperation(operation, store, now, given, registry);

interface Reading {
  pocket_id: string;
  slot: number;
  calm: number;
  primary_state: PrimaryState;
  rain_mm: number | null;
  movement_friction: number | null;
}

describe('the simple rules', () => {
  test('have the scores that the stored readings give them', async () => {
    const readings = await store.all<Reading>(
      `select r.pocket_id, r.slot, r.calm, r.primary_state, e.rain_mm, m.movement_friction from atmosphere_readings r
       join snapshots e on e.slot = r.slot and e.pocket_id = r.pocket_id
       left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id`,
    );
    const byTime = new Map(readings.map((reading) => [`${reading.pocket_id} ${reading.slot}`, reading]));
    const at = (pocket_id: string, slot: number) => byTime.get(`${pocket_id} ${slot}`);
    let [weeks, sides] = [0, 0];
    for (const row of rows) {
      if (row.accuracy_score === null) {
        assert.deepEqual([row.persistence_score, row.last_week_score], [null, null]);
        continue;
      }
      const then = at(row.pocket_id, row.slot);
      const { actual_observation: actual } = JSON.parse(row.revealed);
      const scored = (reading: Reading | undefined) =>
        reading
          ? projectionScore({ expected_state: reading.primary_state, expected_calm: reading.calm }, actual)
          : null;
      if (row.prediction_type === 'other') {
        const lastWeek = at(row.pocket_id, row.reveal_at - 7 * DAY);
        assert.deepEqual(
          [row.persistence_score, row.last_week_score],
          [scored(then), scored(lastWeek)],
          row.generator,
        );
        if (lastWeek) weeks += 1;
      }
      if (row.generator === 'rain_comfort_60m' || row.generator === 'movement_friction_60m') {
        const isRain = row.generator === 'rain_comfort_60m';
        const expected = isRain ? Number((then?.rain_mm ?? 0) < 0.2) : (then?.movement_friction ?? -1);
        const kind = isRain ? 'chance' : 'level';
        assert.equal(row.persistence_score, sideScore({ kind }, expected, actual.outcome));
        sides += 1;
      }
      if (row.prediction_type === 'silence_correctness') assert.equal(row.persistence_score, null);
    }
    assert.ok(weeks > 1300 && sides > 650, `${weeks}, ${sides}`);
  });

  test('the same hour last week does not exist in the first week', async () => {
    const first = rows.filter(({ slot }) => slot < start + 7 * DAY - 3 * HOUR);
    assert.ok(first.length > 1000);
    for (const { last_week_score } of first) assert.equal(last_week_score, null);
  });
});

describe('the accuracy report', () => {
  const questions = [
    {},
    { since: '7d' },
    { since: '7d', pocket_id: pocket },
    { since: '1d' },
    { since: 'all', prediction_type: 'other' },
    { since: 'all', prediction_type: 'rain_comfort' },
    { since: 'all', include_shadow: true },
  ];

  test('the windows that were shown are counted by kind, and at least four fifths of each held', async () => {
    const counted = await store.all<{ kind: string; shown: number; held: number }>(
      'select kind, sum(shown) as shown, sum(held) as held from window_outcomes group by kind',
    );
    const { calm_windows } = (await ask(getAccuracyReport, { since: 'all' })).structured;
    assert.deepEqual(
      new Map(calm_windows.map(({ kind, shown, held }) => [kind, [shown, held]])),
      new Map(counted.map(({ kind, shown, held }) => [kind, [shown, held]])),
    );
    // This store has few weeks; windows of the usual are judged in month/judged.test.ts.
    for (const kind of ['now', 'later'])
      assert.ok(
        calm_windows.some((one) => one.kind === kind && one.shown > 50),
        kind,
      );
    for (const { kind, held_share } of calm_windows) assert.ok(held_share >= 0.8, `${kind} ${held_share}`);
  });

  test('every figure is that of the rows', async () => {
    assert.equal(await lastBackfilledSlot(store), historyEnd);
    for (const given of questions) {
      const {
        since = '30d',
        pocket_id,
        prediction_type,
        include_shadow = false,
      } = given as Record<string, never>;
      const { structured } = await ask(getAccuracyReport, given);
      const {
        window: _window,
        pocket_id: _pocket,
        waking: _declared,
        calm_reliability: _apart,
        calm_windows: _counted,
        history_until,
        filter,
        baselines,
        ...report
      } = structured;
      assert.equal(history_until, new Date(historyEnd).toISOString());
      assert.deepEqual(
        { ...report, baselines: baselines.map(({ definition: _text, ...row }) => row) },
        referenceReport(
          rows,
          namedWindow(since, now),
          pocket_id,
          { prediction_type, include_shadow },
          historyEnd,
        ),
        JSON.stringify(given),
      );
      assert.deepEqual([filter.min_confidence, filter.min_completeness], [0.68, 0.75]);
    }
  });

  test('tenths of calm probability follow from the ledger, and each says when it was calm', async () => {
    for (const { sealed, revealed, calm_probability, was_calm, prediction_type } of rows) {
      const { forecast } = JSON.parse(sealed);
      const { actual_observation: actual } = JSON.parse(revealed);
      const isState = prediction_type === 'other';
      assert.equal(calm_probability, isState ? forecast.calm_probability : null);
      const state: string | undefined = isState ? actual?.primary_state : undefined;
      assert.equal(was_calm, state === undefined ? null : Number(state.startsWith('calm-')));
    }
    for (const given of questions) {
      const { since = '30d', pocket_id, prediction_type } = given as Record<string, never>;
      const { after, until } = namedWindow(since, now);
      const asked = pocket_id === undefined && (prediction_type ?? 'other') === 'other';
      const { calm_reliability } = (await ask(getAccuracyReport, given)).structured;
      const chosen = rows.filter(({ slot, shadow }) => asked && slot > after && slot <= until && !shadow);
      assert.deepEqual(calm_reliability, referenceCalm(chosen), JSON.stringify(given));
    }
    const { structured, text } = await ask(getAccuracyReport, { since: 'all' });
    for (const { horizon_minutes, tenths } of structured.calm_reliability) {
      const states = rows.filter(
        (row) => row.generator === `pocket_projection_${horizon_minutes}m` && row.accuracy_score !== null,
      );
      assert.equal(
        tenths.reduce((sum, { n }) => sum + n, 0),
        states.length,
      );
      const sure = tenths.at(-1);
      assert.ok((sure?.n ?? 0) > 100);
      assert.ok(
        text.includes(`${horizon_minutes} minutes ahead ${sure?.was_calm} of ${sure?.n} (in waking`),
        text,
      );
    }
  });

  test('waking hours and nights add up to the whole, and nights lift it', async () => {
    for (const given of questions) {
      const { structured } = await ask(getAccuracyReport, given);
      const { headline, all_forecasts, state_forecasts, by_horizon, by_type, by_pocket } = structured;
      for (const [whole, part] of [
        [headline.revealed_count, structured],
        ...[
          all_forecasts,
          state_forecasts,
          ...[...by_horizon, ...by_type, ...by_pocket].map(({ all }) => all),
        ].map((all) => [all.n, all] as const),
      ] as const)
        assert.equal(part.waking_hours.n + part.nights.n, whole);
    }
    const { waking, state_forecasts: state, baselines } = (await ask(getAccuracyReport)).structured;
    assert.deepEqual(waking, { from: 7, to: 23, zone: 'Asia/Singapore' });
    assert.ok(Math.abs(state.waking_hours.n / state.n - 2 / 3) < 0.02);
    assert.ok((state.waking_hours.accuracy ?? 1) < (state.nights.accuracy ?? 0));
    assert.deepEqual(
      baselines.map(({ gap_vs_service }) => gap_vs_service),
      baselines.map(({ gap_vs_service }) => gap_vs_service).sort((a, b) => (b ?? 0) - (a ?? 0)),
    );
  });

  test('the split adds up, and both parts are there', async () => {
    for (const given of questions) {
      const { structured } = await ask(getAccuracyReport, given);
      const { headline, all_forecasts, state_forecasts } = structured;
      for (const [whole, part] of [
        [headline.revealed_count, structured],
        [all_forecasts.n, all_forecasts],
        [state_forecasts.n, state_forecasts],
      ] as const)
        assert.equal(part.sealed_before_outcome.n + part.written_afterwards.n, whole);
    }
    const { sealed_before_outcome, written_afterwards } = (await ask(getAccuracyReport)).structured;
    assert.ok(sealed_before_outcome.n > 50 && written_afterwards.n > 1000);
  });

  test('each gap is the row less the one named, and the text says which is ahead', async () => {
    const { structured, text } = await ask(getAccuracyReport);
    const { headline, baseline, baselines, by_type, by_horizon, by_pocket } = structured;
    const less = (a: number | null, b: number | null) => (a === null || b === null ? null : round(a - b));
    assert.equal(baseline.gap_vs_service, less(baseline.baseline_accuracy, headline.overall_accuracy));
    for (const row of [...by_type, ...by_horizon, ...by_pocket])
      assert.equal(row.gap_vs_naive, less(row.accuracy, row.baseline_accuracy));
    const words = {
      naive: 'the naive baseline',
      persistence: 'persistence',
      same_hour_last_week: 'the same hour last week',
    };
    for (const { name, accuracy, n, gap_vs_service, service_accuracy_on_same_rows: service } of baselines) {
      assert.equal(gap_vs_service, less(accuracy, service));
      const points = Math.abs(100 * (gap_vs_service ?? 0)).toFixed(1);
      const side = (gap_vs_service ?? 0) < 0 ? 'ahead of' : 'behind';
      assert.ok(text.includes(`${points} points ${side} ${words[name]} (${accuracy} of ${n})`), text);
    }
    for (const { prediction_type, skill } of by_type)
      if (skill === 'none')
        assert.match(text, new RegExp(`no better than a simple forecast: .*${prediction_type}`));
  });

  test('one call tells how three hours ahead did in a pocket last week, against naive', async () => {
    const { structured, text } = await ask(getAccuracyReport, { since: '7d', pocket_id: pocket });
    const own = rows.filter(
      (row) =>
        row.pocket_id === pocket &&
        row.slot > now - 7 * DAY &&
        row.generator === 'pocket_projection_180m' &&
        row.accuracy_score !== null,
    );
    const share = (score: 'accuracy_score' | 'baseline_score') =>
      round(own.filter((row) => (row[score] ?? 0) >= 0.5).length / own.length);
    const found = structured.by_horizon.find(({ horizon_minutes }) => horizon_minutes === 180);
    assert.deepEqual(
      [found?.all.accuracy, found?.all.baseline, found?.all.n],
      [share('accuracy_score'), share('baseline_score'), own.length],
    );
    for (const minutes of [60, 120, 180])
      assert.match(text, new RegExp(`${minutes} minutes ahead 0\\.\\d+ of`));
  });
});

test('trust and accuracy give one overall accuracy, with its filter and its split', async () => {
  for (const window of ['7d', '30d']) {
    const { predictions, silence_correctness: silences } = (await ask(getTrustReport, { window })).structured;
    const accuracy = (await ask(getAccuracyReport, { since: window })).structured;
    const { prediction_type: _none, ...filter } = accuracy.filter;
    assert.deepEqual(
      [predictions.overall_accuracy, predictions.overall_count, predictions.filter],
      [accuracy.headline.overall_accuracy, accuracy.headline.revealed_count, filter],
    );
    for (const name of [
      'sealed_before_outcome',
      'written_afterwards',
      'all_forecasts',
      'state_forecasts',
    ] as const)
      assert.deepEqual(predictions[name], accuracy[name], name);
    assert.equal(silences.sealed_before_outcome.n + silences.written_afterwards.n, silences.total_revealed);
  }
});

test('the reference rows of the benchmark are split too', async () => {
  const { leaderboard } = (await ask(getBenchmarkLeaderboard)).structured;
  const live = await store.get<{ n: number }>(
    'select sum(forecasts) as n from benchmark_references where slot > ?',
    historyEnd + 3 * HOUR,
  );
  for (const { sealed_before_outcome, written_afterwards, prediction_count } of leaderboard) {
    assert.equal(sealed_before_outcome?.n, live?.n);
    assert.equal((sealed_before_outcome?.n ?? 0) + (written_afterwards?.n ?? 0), prediction_count);
  }
});

test('the ledger of forecasts has the same rows over REST and as a tool, under 64 KB', async () => {
  const tool = await ask(getPocketPredictions);
  const rest = await ask(listPredictions);
  const { revealed: _both, stats, ...shared } = rest.structured;
  assert.deepEqual(shared, tool.structured);
  assert.deepEqual(stats.by_generator, shared.accuracy_by_generator);
  assert.ok(!('predictions' in rest.structured));
  assert.equal(shared.entries.length, 50);
  const bytes = JSON.stringify({
    content: [{ type: 'text', text: tool.text }],
    structuredContent: tool.structured,
  });
  assert.ok(bytes.length < 64 * 1024, `${bytes.length} bytes`);
  for (const { generator, n, accuracy } of shared.accuracy_by_generator) {
    const own = rows.filter(
      (row) => row.generator === generator && row.slot > now - 7 * DAY && row.accuracy_score !== null,
    );
    assert.deepEqual(
      [n, accuracy],
      [
        own.length,
        own.length ? round(own.filter((row) => (row.accuracy_score ?? 0) >= 0.5).length / own.length) : null,
      ],
    );
  }
});
