// On every page and in every text a difference between the service and another has one sign: more than 0, or "ahead",
// where the service is better. Fields of answers keep the sign that their name gives them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type OverviewRow, overviewSums } from '../../../src/domain/prediction/forecast-sums.ts';
import { restraintReport } from '../../../src/domain/report/restraint-report.ts';
import { zeroSums } from '../../../src/domain/stats/rollup.ts';
import { HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { cellSums, decisionCells } from '../../../src/domain/verdict/decision-cells.ts';
import { getAccuracyReport } from '../../../src/operations/prediction/get-accuracy-report.ts';
import { getBenchmarkLeaderboard } from '../../../src/operations/prediction/get-benchmark-leaderboard.ts';
import { getStateOfRestraint } from '../../../src/operations/report/get-state-of-restraint.ts';
import { getTrustReport } from '../../../src/operations/report/get-trust-report.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { ledgerAppender } from '../../../src/store/ledger/append.ts';
import {
  writeBenchmarkReference,
  writeSubmissionScores,
} from '../../../src/store/prediction/benchmark-scores.ts';
import { writeRestraint } from '../../../src/store/report/reports.ts';
import { askOperation } from '../../support/answers/ask-operation.ts';
import { writeForecasts } from '../../support/rows/forecasts.ts';
import { sealSubmission } from '../../support/rows/seal-submission.ts';
import { NOON, startService } from '../../support/services/service.ts';
import { testSigner } from '../../support/stores/test-key.ts';

const FORECASTS = 20;

/** `service` and `others`: the shares of forecasts that the service and each simple forecast got right. */
async function fill(store: Store, service: number, others: number): Promise<void> {
  const score = (at: number, share: number) => (at < share * FORECASTS ? 1 : 0);
  await writeForecasts(
    store,
    Array.from({ length: FORECASTS }, (_, at) => {
      const other = score(at, others);
      return {
        slot: NOON - (FORECASTS - at) * SLOT - 3 * HOUR,
        score: score(at, service),
        ...{ baseline: other, persistence: other, lastWeek: other },
        ...(score(at, service) ? {} : { error: 'timing_miss' as const }),
      };
    }),
  );
  const hits = (share: number) => Math.round(100 * share);
  await ledgerAppender(
    store,
    testSigner,
    () => NOON,
  )(async (tx, ledger) => {
    const sealing = { id: 'submission', nonce: '', now: NOON };
    const window = { window_start: NOON, window_end: NOON + HOUR };
    const item = {
      ...{ pocket_id: 'holland', horizon_minutes: 60, predicted_state: 'calm-social' as const },
      ...{ predicted_calm_probability: 0.6, confidence: 0.5 },
    };
    const leaf = await sealSubmission(
      tx,
      ledger,
      { submitter_name: 'another', ...window, items: [item] },
      sealing,
    );
    const scores = {
      ...{ scored_count: 50, accuracy: others, silence_correctness: 0.5, calibration_error: 0.2 },
      ...{ gap_vs_service: others - service, gap_vs_naive: 0 },
    };
    await writeSubmissionScores(tx, [{ leaf, scores }], NOON + HOUR);
    const calls = {
      ...{ service_calm_calls: 50, service_calm_right: 40, naive_calm_calls: 50, naive_calm_right: 30 },
      ...{ forecasts: 100, squared_error: 10 },
    };
    await writeBenchmarkReference(
      tx,
      NOON - HOUR,
      { ...calls, service_hits: hits(service), naive_hits: hits(others) },
      NOON,
    );
    await writeRestraint(tx, {
      month_iso: '2026-10',
      composed_at: NOON - 24 * HOUR,
      ...restraintReport(month(hits(service), hits(others)), singapore),
    });
  });
}

function month(right: number, others: number) {
  const forecasts: OverviewRow = {
    ...{ prediction_type: 'other', backfilled: false, ...zeroSums(overviewSums) },
    ...{ scored: 100, hits: right, baseline_hits: others },
    ...{ persistence_scored: 100, persistence_hits: others, persistence_service_hits: right },
    ...{ last_week_scored: 100, last_week_hits: others, last_week_service_hits: right },
    ...{ eligible: 100, scored_8: 100, hits_8: right, eligible_baseline_hits: others },
  };
  return {
    ...{ emitted: 1, withheld: 1, already_speaking: 0, quiet_hours: 0, attention_minutes: 0 },
    ...{ judged: decisionCells(zeroSums(cellSums)), worst: null, best: null, worst_line: null },
    forecasts: [forecasts],
  };
}

/** Every difference that a page or text states: + and "ahead of", − and "behind". */
const statedSigns = (text: string): string[] => [
  ...[...text.matchAll(/points (ahead of|behind)/g)].map(([, side]) => (side === 'behind' ? '−' : '+')),
  ...[...text.matchAll(/data-label="Service ahead[^"]*">([+−])(?!0\.0<)/g)].map(([, sign]) => sign ?? ''),
];

for (const [name, service, others, sign] of [
  ['better', 0.8, 0.55, '+'],
  ['worse', 0.45, 0.7, '−'],
] as const)
  test(`where the service is ${name}, every surface shows ${sign}`, async (t) => {
    const { url, store } = await startService(t, { days: 0 });
    await fill(store, service, others);
    const page = async (path: string) => (await fetch(url + path)).text();
    const ask = { since: '7d' };
    const surfaces: Record<string, string> = {
      '/accuracy': await page('/accuracy'),
      '/trust': await page('/trust'),
      '/benchmark': await page('/benchmark'),
      '/reports/restraint': await page('/reports/restraint'),
      get_accuracy_report: (await askOperation(getAccuracyReport, store, NOON, ask)).text,
      get_trust_report: (await askOperation(getTrustReport, store, NOON)).text,
      get_state_of_restraint: (await askOperation(getStateOfRestraint, store, NOON)).text,
    };
    for (const [surface, text] of Object.entries(surfaces)) {
      const signs = statedSigns(text);
      assert.ok(signs.length > 1, surface);
      assert.deepEqual(new Set(signs), new Set([sign]), surface);
    }
    const { structured } = await askOperation(getAccuracyReport, store, NOON);
    for (const { gap_vs_service } of structured.baselines)
      assert.equal(Math.sign(gap_vs_service ?? 0), sign === '+' ? -1 : 1);
    const { leaderboard } = (await askOperation(getBenchmarkLeaderboard, store, NOON)).structured;
    const other = leaderboard.find(({ submitter_name }) => submitter_name === 'another');
    assert.equal(Math.sign(other?.gap_vs_service ?? 0), sign === '+' ? -1 : 1);
  });

test('no page shows gap_vs_service with the sign of the field', () => {
  const root = join(import.meta.dirname, '../../../src/web');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const showing = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('gap_vs_service'));
  assert.ok(showing.length >= 2);
  for (const file of showing) {
    const text = readFileSync(join(root, file), 'utf8');
    assert.doesNotMatch(text, /(percentagePoints|percent|signed|scalar)\([^()]*gap_vs_service/, file);
  }
});
