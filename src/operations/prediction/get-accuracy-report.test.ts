import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type ForecastFixture, writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { ledgerSize } from '../../store/ledger/ledger-reads.ts';
import { advanceHistory, beginHistory, finishHistory } from '../../store/runtime/history.ts';
import type { AnswerOf } from '../core/define.ts';
import { getAccuracyReport } from './get-accuracy-report.ts';

const quiet = { generator: 'quiet_window_60m', type: 'quiet_window' } as const;
const made: ForecastFixture[] = [
  { slot: NOON - 31 * DAY, score: 0, error: 'timing_miss' },
  { slot: NOON - 20 * DAY, score: 0.9, baseline: 0.6, persistence: 0.2 },
  { slot: NOON - 20 * DAY + HOUR, score: 0.3, confidence: 0.95, error: 'weather_miss' },
  { pocket: 'dempsey', slot: NOON - 3 * DAY, score: 1, confidence: 0.95, persistence: 1, lastWeek: 0 },
  { ...quiet, slot: NOON - 2 * DAY, score: 0.8 },
  { ...quiet, slot: NOON - 5 * HOUR, score: null },
  { slot: NOON - 4 * HOUR, score: 0, confidence: 0.67, error: 'footfall_miss' },
  { slot: NOON - 4 * HOUR, horizon: 120, score: 0, completeness: 0.7, error: 'freshness_miss' },
  { slot: NOON - 3 * HOUR, score: 0, shadow: true, error: 'timing_miss' },
  { slot: NOON },
];

/** Marks everything up to `last` as written afterwards. */
const markHistory = (store: Store, last: number) =>
  store.transaction(async (tx) => {
    await beginHistory(tx, { from: last - 40 * DAY, until: last, now: last });
    await advanceHistory(tx, { reached: last, now: last, leaves: (await ledgerSize(tx)) ?? 0 });
    await finishHistory(tx);
  });

describeStores('get_accuracy_report', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeForecasts(store, made);
    await markHistory(store, NOON - 4 * DAY);
  });
  const split = (before: [number, number | null], afterwards: [number, number | null]) => ({
    sealed_before_outcome: { n: before[0], accuracy: before[1] },
    written_afterwards: { n: afterwards[0], accuracy: afterwards[1] },
  });
  const figures = (accuracy: number | null, count: number, baseline_accuracy: number | null) => ({
    ...{ accuracy, count, baseline_accuracy },
    gap_vs_naive:
      accuracy === null || baseline_accuracy === null
        ? null
        : Math.round(1000 * (accuracy - baseline_accuracy)) / 1000,
  });
  /** Every outcome is at noon or later: none is of a night. */
  const parts = (accuracy: number, baseline: number, n: number) => ({
    waking_hours: { accuracy, baseline, n },
    nights: { accuracy: null, baseline: null, n: 0 },
  });
  const all = (
    [accuracy, baseline, n]: [number, number, number],
    persistence: number | null,
    same_hour_last_week: number | null = null,
  ) => ({
    all: {
      ...{ accuracy, baseline, n, persistence, same_hour_last_week },
      ...{ waking_hours: { n, accuracy }, nights: { n: 0, accuracy: null } },
    },
  });
  const ask = (given: Record<string, unknown> = {}, now = NOON) =>
    askOperation(getAccuracyReport, store(), now, given);

  test('a month of high confidence, beside the baseline', async () => {
    const { structured, text } = await ask();
    const { calibration, error_taxonomy, baselines, calm_reliability, calm_windows, ...rest } = structured;
    assert.deepEqual(calm_windows, []);
    assert.deepEqual(rest, {
      window: '30d',
      pocket_id: null,
      filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false, prediction_type: null },
      waking: { from: 7, to: 23, zone: 'Asia/Singapore' },
      history_until: '2026-11-07T04:00:00.000Z',
      headline: { overall_accuracy: 0.75, revealed_count: 4, inconclusive_count: 1 },
      baseline: { baseline_accuracy: 0.25, gap_vs_service: -0.5 },
      ...parts(0.75, 0.25, 4),
      ...split([2, 1], [2, 0.5]),
      all_forecasts: {
        accuracy: 0.5,
        baseline: 0.167,
        n: 6,
        brier_score: 0.34,
        ...parts(0.5, 0.167, 6),
        ...split([4, 0.5], [2, 0.5]),
      },
      state_forecasts: {
        accuracy: 0.4,
        baseline: 0.2,
        n: 5,
        brier_score: 0.396,
        ...parts(0.4, 0.2, 5),
        ...split([3, 0.333], [2, 0.5]),
      },
      by_type: [
        { prediction_type: 'quiet_window', ...figures(1, 1, 0), ...all([1, 0, 1], null), skill: null },
        { prediction_type: 'other', ...figures(0.667, 3, 0.333), ...all([0.4, 0.2, 5], 0.5, 0), skill: null },
      ],
      by_horizon: [
        { horizon_minutes: 60, ...figures(0.667, 3, 0.333), ...all([0.5, 0.25, 4], 0.5, 0) },
        { horizon_minutes: 120, ...figures(null, 0, null), ...all([0, 0, 1], null) },
      ],
      by_pocket: [
        { pocket_id: 'dempsey', ...figures(1, 1, 0), ...all([1, 0, 1], 1, 0) },
        { pocket_id: 'tiongbahru', ...figures(0.667, 3, 0.333), ...all([0.4, 0.2, 5], 0) },
      ],
      // No moment was read when these were sealed, so there is nothing to weigh them by.
      weighted_by_mqs: { accuracy: null },
    });
    assert.deepEqual(
      calibration.filter(({ predictions }) => predictions),
      [
        { bucket: '0.7-0.8', predictions: 2, observed_accuracy: 1, delta: 0.25 },
        { bucket: '0.9-1.0', predictions: 2, observed_accuracy: 0.5, delta: -0.45 },
      ],
    );
    assert.deepEqual(
      error_taxonomy.find(({ count }) => count),
      { type: 'weather_miss', count: 1 },
    );
    assert.deepEqual(
      baselines.map(({ name, accuracy, n, gap_vs_service, service_accuracy_on_same_rows: service }) => [
        ...[name, accuracy, n, gap_vs_service, service],
      ]),
      [
        ['same_hour_last_week', 0, 1, -1, 1],
        ['persistence', 0.5, 2, -0.5, 1],
        ['naive', 0.2, 5, -0.2, 0.4],
      ],
    );
    assert.match(
      text,
      /^all pockets, forecasts sealed over the last 30d, those on trial left out: 6 scored, 4 of them sealed before their outcome \(0\.5 came true\) and 2 written afterwards on a virtual clock \(0\.5 came true\)\. written afterwards are those sealed up to 12:00 SGT on 2026-11-07\. state forecasts: 0\.4 of 5 came true, in waking hours 0\.4 of 5; the service is 100\.0 points ahead of the same hour last week \(0 of 1\), /,
    );
    assert.match(
      text,
      /by horizon: 60 minutes ahead 0\.5 of 4 \(same hour last week 0, persistence 0\.5, naive 0\.25\); 120 minutes/,
    );
    assert.match(
      text,
      /with confidence from 0\.68 and completeness from 0\.75: 0\.75 of 4 came true, in waking hours 0\.75 of 4, 1 inconclusive; the service is 50\.0 points ahead of the naive baseline \(0\.25\)\./,
    );
    assert.match(text, /misses: 1 weather_miss\.$/);
    // All fixtures state 0.75, and every outcome is a calm state.
    assert.deepEqual(
      calm_reliability.map(({ horizon_minutes, tenths }) => [
        horizon_minutes,
        tenths.filter(({ n }) => n > 0).map(({ from, n, stated, was_calm }) => [from, n, stated, was_calm]),
      ]),
      [
        [60, [[0.7, 4, 0.75, 1]]],
        [120, [[0.7, 1, 0.75, 1]]],
      ],
    );
  });

  test('filters', async () => {
    const count = async (given: object) => (await ask({ ...given })).structured.headline.revealed_count;
    assert.equal(await count({ since: 'all' }), 5);
    assert.equal(await count({ since: '7d' }), 2);
    assert.equal(await count({ since: '1d' }), 0);
    assert.equal(await count({ since: '1d', include_shadow: true }), 1);
    assert.equal(await count({ pocket_id: 'dempsey' }), 1);
    assert.equal(await count({ prediction_type: 'quiet_window' }), 1);
    assert.equal(await count({ prediction_type: 'rain_comfort' }), 0);
  });

  test('nothing eligible gives nulls', async () => {
    for (const given of [{ since: '1h' }, { pocket_id: 'atlantis' }]) {
      const { structured, text } = await ask(given);
      assert.deepEqual(structured.headline, {
        overall_accuracy: null,
        revealed_count: 0,
        inconclusive_count: 0,
      });
      assert.deepEqual(structured.baseline, { baseline_accuracy: null, gap_vs_service: null });
      assert.match(text, /none has been scored yet/);
    }
  });

  test('what is refused', async () => {
    await assert.rejects(ask({ since: '14d' }), { message: 'since must be one of 1h, 1d, 7d, 30d, all' });
    await assert.rejects(
      ask({ prediction_type: 'weather' }),
      /^Error: prediction_type must be one of quiet_window,/,
    );
  });
});

test('over HTTP a flag is 1', async (t) => {
  const { url, store } = await startService(t, { days: 0 });
  await writeForecasts(store, made);
  const get = async (query: string) =>
    (await (await fetch(`${url}/api/accuracy${query}`)).json()) as AnswerOf<typeof getAccuracyReport>;
  assert.equal((await get('?since=1d&include_shadow=1')).headline.revealed_count, 1);
  assert.equal((await get('?pocket_id=dempsey')).headline.revealed_count, 1);
  assert.equal((await get('')).headline.revealed_count, 4);
});

test('the tool leaves out the tenths below likely calm, which REST has', async (t) => {
  const { url, store } = await startService(t, { days: 0 });
  await writeForecasts(store, made);
  const listTenths = ({ calm_reliability }: AnswerOf<typeof getAccuracyReport>) =>
    calm_reliability.map(({ horizon_minutes, tenths }) => [horizon_minutes, tenths.map(({ from }) => from)]);
  const { structuredContent, content } = await callTool(url, 'get_accuracy_report');
  assert.deepEqual(listTenths(structuredContent as AnswerOf<typeof getAccuracyReport>), [
    [60, [0.7, 0.8, 0.9]],
    [120, [0.7, 0.8, 0.9]],
  ]);
  const [, address = ''] = /pocketwatch\.test(\S+) has every tenth /.exec(content[0]?.text ?? '') ?? [];
  const all = await (await fetch(`${url}${address}`)).json();
  assert.deepEqual(
    listTenths(all as AnswerOf<typeof getAccuracyReport>).map(([, tenths]) => (tenths as number[]).length),
    [10, 10],
  );
});
