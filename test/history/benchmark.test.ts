// A submission from its sealing to the leaderboard, on a virtual clock; its scores are computed a second time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isProjection,
  type PredictionPayload,
  type RevealPayload,
} from '../../src/domain/prediction/prediction.ts';
import { HOUR, iso, MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getBenchmarkLeaderboard } from '../../src/operations/prediction/get-benchmark-leaderboard.ts';
import type { getBenchmarkScores } from '../../src/operations/prediction/get-benchmark-scores.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { httpFetch } from '../../src/verify/http-fetch.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { ask, post } from '../support/services/http-client.ts';
import { NOON, startService } from '../support/services/service.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { describeStores } from '../support/stores/store-places.ts';
import { storedPayloads } from '../support/stores/stored-entries.ts';

type Service = Awaited<ReturnType<typeof startService>>;

interface Item {
  pocket_id: string;
  horizon_minutes: number;
  predicted_state: string;
  predicted_calm_probability: number;
  confidence: number;
}

const pockets = ['tiongbahru', 'dempsey', 'hajilane'];
const registry = smallCity(pockets);

/** Days before the submission: enough that forecasts of every horizon have been revealed. */
const days = 0.25;

const items: Item[] = pockets.flatMap((pocket_id) =>
  [60, 120, 180].flatMap((horizon_minutes) =>
    (['calm-productive', 'lively_social', 'busy-productive'] as const).map((predicted_state, at) => ({
      pocket_id,
      horizon_minutes,
      predicted_state,
      predicted_calm_probability: 0.6 - at / 10,
      confidence: 0.3 + at / 5,
    })),
  ),
);

/** The scoring rule applied directly to the rows of the ledger. */
async function referenceScores({ store }: Service, sealedAt: number, start: number, end: number) {
  const reveals = await storedPayloads<RevealPayload>(store, 'reveal');
  const revealed = new Map(reveals.map((row) => [row.id, row]));
  const forecasts = await storedPayloads<PredictionPayload>(store, 'prediction');
  const pairs: {
    hit: boolean;
    confidence: number;
    calls: boolean;
    calm: boolean;
    service: boolean;
    naive: boolean;
  }[] = [];
  for (const item of items) {
    const state = item.predicted_state.replace('_', '-');
    for (const row of forecasts) {
      if (row.pocket_id !== item.pocket_id) continue;
      if (!isProjection(row) || row.horizon_minutes !== item.horizon_minutes) continue;
      const reveal = Date.parse(row.reveal_at);
      if (reveal < start || reveal > end || Date.parse(row.sealed_at) < sealedAt) continue;
      const seen = revealed.get(`${row.id}:reveal`)?.actual_observation;
      if (!seen || !('primary_state' in seen)) continue;
      const right = (state: string, calm: number) =>
        state === seen.primary_state && Math.round(Math.abs(calm - seen.calm) * 1000) <= 200;
      pairs.push({
        hit: right(state, item.predicted_calm_probability),
        confidence: item.confidence,
        calls: state.startsWith('calm-'),
        calm: seen.primary_state.startsWith('calm-'),
        service: right(row.forecast.expected_state, row.forecast.expected_calm),
        naive: right(row.baseline.expected_state, row.baseline.expected_calm),
      });
    }
  }
  const n = pairs.length;
  const calls = pairs.filter((pair) => pair.calls);
  const share = (test: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(test).length / n;
  const accuracy = share(({ hit }) => hit);
  const squares = pairs.reduce(
    (sum, { hit, confidence }) => sum + (hit ? 1 - confidence : confidence) ** 2,
    0,
  );
  const round = (x: number) => Math.round(x * 1000) / 1000;
  return {
    scored_count: n,
    accuracy: round(accuracy),
    silence_correctness: round(calls.filter(({ calm }) => calm).length / calls.length),
    calibration_error: round(squares / n),
    gap_vs_service: round(accuracy - share(({ service }) => service)),
    gap_vs_naive: round(accuracy - share(({ naive }) => naive)),
  };
}

async function runUntil(
  { clock, pipeline, service }: Service,
  until: number,
  outage: readonly number[] = [],
) {
  for (let slot = Math.floor(clock.now / SLOT) * SLOT + SLOT; slot <= until; slot += SLOT) {
    clock.now = slot + 2000;
    if (outage.includes(slot)) continue;
    const failed = (await runDue(pipeline, clock.now)).filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(failed, []);
  }
  await service.dataVersion.refresh();
}

const board = async ({ url }: Service) =>
  (await ask(`${url}/api/benchmark/scores?limit=200`)).json<AnswerOf<typeof getBenchmarkLeaderboard>>();

const verify = ({ url }: Service) => verifyLedger({ fetch: httpFetch(url), api: httpFetch(url, 'api') });

describeStores('a submission', (makePlace, engine) => {
  // What it takes five hours to see is decided above the store: scores are computed on both engines in
  // score-benchmark.test.ts.
  if (engine === 'sqlite')
    test('is scored once when its window has closed, and an independent computation agrees', {
      timeout: 120_000,
    }, async (t) => {
      const service = await startService(t, { days, place: makePlace, registry });
      const { url, clock } = service;
      const sealedAt = NOON + 7 * MINUTE;
      clock.now = sealedAt;
      const [start, end] = [NOON - HOUR, NOON + 5 * HOUR + 4 * MINUTE];
      const sent = await post(`${url}/api/benchmark/submit`, {
        submitter_name: 'Plain Rules',
        contact_email: 'someone@example.org',
        prediction_window_start: iso(start),
        prediction_window_end: iso(end),
        predictions: items,
      });
      assert.equal(sent.status, 200, sent.text);
      const id = String(sent.json().submission_id);
      const one = async () =>
        (await ask(`${url}/api/benchmark/scores/${id}`)).json<AnswerOf<typeof getBenchmarkScores>>();

      // An outage of an hour and a quarter: forecasts for that time are inconclusive, and its slots seal none.
      const outage = [9, 10, 11, 12, 13].map((slots) => NOON + slots * SLOT);
      await runUntil(service, NOON + 5 * HOUR, outage);
      assert.equal((await one()).status, 'queued_for_scoring');
      assert.ok(!(await board(service)).leaderboard.some(({ submission_id }) => submission_id === id));

      await runUntil(service, NOON + 5 * HOUR + SLOT);
      const expected = await referenceScores(service, sealedAt, start, end);
      assert.ok(expected.scored_count > 150, `${expected.scored_count}`);
      assert.ok(expected.accuracy > 0 && expected.accuracy < 1, `${expected.accuracy}`);
      const { leaderboard, count } = await board(service);
      assert.equal(count, 3);
      assert.equal(leaderboard.filter(({ reference }) => reference).length, 2);
      const { rank, accuracy_range, ...row } =
        leaderboard.find(({ submission_id }) => submission_id === id) ?? assert.fail();
      assert.ok(
        accuracy_range && accuracy_range.low < expected.accuracy && accuracy_range.high > expected.accuracy,
      );
      const scored_at = iso(NOON + 5 * HOUR + SLOT + 2000);
      const named = { submission_id: id, submitter_name: 'Plain Rules', reference: false };
      assert.deepEqual(row, { ...named, prediction_count: items.length, ...expected, scored_at });
      assert.equal(leaderboard[rank - 1]?.submission_id, id);
      const scores = leaderboard.map(({ silence_correctness }) => Number(silence_correctness));
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );

      await runUntil(service, NOON + 6 * HOUR);
      const later = await one();
      assert.deepEqual(
        [later.status, later.scored_at, later.accuracy],
        ['scored', scored_at, expected.accuracy],
      );
      for (const path of [
        'benchmark/scores',
        `benchmark/scores/${id}`,
        `ledger/proof/${id}`,
        'trust?window=7d',
      ])
        assert.doesNotMatch((await ask(`${url}/api/${path}`)).text, /example\.org/, path);

      const verdict = await verify(service);
      assert.ok(verdict.ok, JSON.stringify(verdict));
      assert.deepEqual([verdict.entries.submission, verdict.withheld, verdict.figures], [1, 0, 'compared']);
    });

  test('has no scores while its window is open, or when no forecast falls into it', {
    timeout: 120_000,
  }, async (t) => {
    const service = await startService(t, { days, place: makePlace, registry });
    const send = async (minutes: number) => {
      const reply = await post(`${service.url}/api/benchmark/submit`, {
        submitter_name: 'early',
        prediction_window_start: iso(NOON + MINUTE),
        prediction_window_end: iso(NOON + minutes * MINUTE),
        predictions: items.slice(0, 1),
      });
      return String(reply.json().submission_id);
    };
    service.clock.now = NOON + 1;
    const [early, later] = [await send(10), await send(600)];
    await runUntil(service, NOON + 2 * SLOT);
    const { leaderboard } = await board(service);
    assert.deepEqual(
      leaderboard.map(({ submission_id, accuracy, scored_count }) =>
        submission_id === early ? [accuracy, scored_count] : submission_id,
      ),
      [null, null, [null, 0]],
    );
    assert.equal(
      (await ask(`${service.url}/api/benchmark/scores/${later}`)).json().status,
      'queued_for_scoring',
    );
    assert.equal((await ask(`${service.url}/api/trust?window=7d`)).status, 200);
    const verdict = await verify(service);
    assert.ok(verdict.ok, JSON.stringify(verdict));
    assert.deepEqual([verdict.entries.submission, verdict.withheld, verdict.figures], [2, 1, 'compared']);
  });
});
