import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../../test/support/services/verify-ledger.ts';
import { computeSeal as sealed } from '../../ledger/seal.ts';
import type { FetchBytes } from '../source.ts';
import { prediction, type Row, reveal, type ServedLog, servedLog } from '../testing/served-log.ts';
import type { Verdict } from '../verify-ledger.ts';

/** Ten forecasts, all of them right; the baseline is wrong in each. */
function revealedLog(): ServedLog {
  const log = servedLog();
  log.append(Array.from({ length: 10 }, (_, n) => prediction(n)));
  log.append(log.rows.map((row, n) => reveal(n, n, row)));
  return log;
}

const accuracy = { accuracy: 1, baseline: 0, n: 10 };
/** All are for 09:00 in Singapore. */
const parts = { waking_hours: accuracy, nights: { accuracy: null, baseline: null, n: 0 } };
const reliability = (n: number, stated: number | null, was_calm: number | null) => ({ n, stated, was_calm });
const none = { ...reliability(0, null, null), waking_hours: reliability(0, null, null) };
/** Every forecast stated 0.95. */
const tenths = Array.from({ length: 10 }, (_, n) =>
  n === 9 ? { ...reliability(10, 0.95, 1), waking_hours: reliability(10, 0.95, 1) } : none,
);
const split = {
  sealed_before_outcome: { n: 10, accuracy: 1 },
  written_afterwards: { n: 0, accuracy: null },
};
/** Lines are not in the log, so that any time said fits. */
const waking_time = { minutes_said: 30, minutes_silent: 0, share_said: 1 };
const decisions_judged = {
  spoke_served: 0,
  spoke_failed: 0,
  silent_right: 0,
  silent_wrong: 0,
  inconclusive: 0,
};
/** Of forecasts that all pass the filter. */
const group = (n: number) => ({
  count: n,
  accuracy: 1,
  baseline_accuracy: 0,
  all: { n, accuracy: 1, baseline: 0 },
});
const october = {
  month_iso: '2026-10',
  metrics: {
    signals_emitted_count: 0,
    signals_withheld_count: 0,
    silence_correctness_rate: null,
    decisions_judged,
    all_forecasts: accuracy,
    filter: { min_confidence: 0.68, min_completeness: 0.75 },
    accuracy_high_confidence: 1,
    naive_baseline_accuracy: 0,
  },
  per_pocket: [{ pocket_id: 'pocket-1', decisions_judged }],
};
const answers = {
  'ledger/history': {
    tree_size: 20,
    sealed_before_outcome: 10,
    written_afterwards: 0,
    reveals: 10,
    key_changes: 0,
    checkpoint: { tree_size: 20, written_at: '2026-10-01T01:00:00.000Z' },
  },
  'accuracy?since=all': {
    headline: { overall_accuracy: 1, revealed_count: 10, inconclusive_count: 0 },
    baseline: { baseline_accuracy: 0 },
    waking: { zone: 'Asia/Singapore' },
    ...parts,
    ...split,
    all_forecasts: { ...accuracy, ...parts, ...split },
    state_forecasts: { ...accuracy, ...parts, ...split },
    calm_reliability: [{ horizon_minutes: 60, tenths }],
    // They are sealed without a reading.
    baselines: [{ name: 'persistence', n: 0, accuracy: null, service_accuracy_on_same_rows: null }],
    by_type: [{ prediction_type: 'other', ...group(10) }],
    by_horizon: [{ horizon_minutes: 60, ...group(10) }],
    by_pocket: Array.from({ length: 10 }, (_, n) => ({ pocket_id: `pocket-${n}`, ...group(1) })),
  },
  'silence?window=30d': {
    total_silenced: 0,
    per_pocket: [{ pocket_id: 'holland', count: 0, waking_time, decisions_judged }],
    per_reason: [],
    waking_time,
    decisions_judged,
    _meta: { computed_at: '2026-10-01T01:10:00.000Z' },
  },
  'silence-vindications?since=all&limit=1': {
    count: 0,
    summary: {
      vindication_rate: null,
      total_revealed: 0,
      total_vindicated: 0,
      inconclusive_count: 0,
      pending_count: 0,
    },
  },
  'benchmark/scores?limit=200': { count: 0, leaderboard: [] },
  'state-of-restraint?limit=60': { reports: [{ month_iso: '2026-10' }] },
  'state-of-restraint?month=2026-10': { reports: [october] },
};

const serving =
  (given: Record<string, object | undefined>): FetchBytes =>
  async (address) => {
    const answer = given[address];
    return answer && Buffer.from(JSON.stringify(answer));
  };

const verdictResult = (verdict: Verdict): string =>
  verdict.ok ? verdict.figures : `${verdict.code}: ${verdict.message}`;

test('figures that follow from the rows are compared, and one that does not is named', async () => {
  const { fetch } = revealedLog();
  const given = async (changed: Record<string, object | undefined>) =>
    verdictResult(await verifyLedger({ fetch, api: serving({ ...answers, ...changed }), settle: 0 }));
  assert.equal(await given({}), 'compared');
  const headline = { overall_accuracy: 0.9, revealed_count: 10, inconclusive_count: 0 };
  assert.equal(
    await given({ 'accuracy?since=all': { ...answers['accuracy?since=all'], headline } }),
    'wrong_figure: /api/accuracy headline.overall_accuracy is served as 0.9, but the rows give 1',
  );
  const report = answers['accuracy?since=all'];
  for (const [changed, message] of [
    [
      { state_forecasts: { ...report.state_forecasts, waking_hours: { ...accuracy, accuracy: 0.9 } } },
      'state_forecasts.waking_hours.accuracy is served as 0.9, but the rows give 1',
    ],
    [{ waking: { zone: 'Europe/London' } }, 'waking_hours.accuracy is served as 1, but the rows give null'],
    [
      { calm_reliability: [] },
      'calm_reliability 60 min, tenth 0 n is served as nothing, but the rows give 0',
    ],
    [
      { calm_reliability: [{ horizon_minutes: 60, tenths: [...tenths.slice(0, 9), none] }] },
      'calm_reliability 60 min, tenth 9 n is served as 0, but the rows give 10',
    ],
  ] as const)
    assert.equal(
      await given({ 'accuracy?since=all': { ...report, ...changed } }),
      `wrong_figure: /api/accuracy ${message}`,
    );
  const silence = answers['silence?window=30d'];
  assert.equal(
    await given({ 'silence?window=30d': { ...silence, total_silenced: 1 } }),
    'wrong_figure: /api/silence total_silenced is served as 1, but the rows give 0',
  );
  assert.equal(
    await given({ 'silence?window=30d': { ...silence, per_pocket: [{ pocket_id: 'holland', count: 2 }] } }),
    'wrong_figure: /api/silence per_pocket holland is served as 2, but the rows give 0',
  );
  for (const [changed, message] of [
    [{ minutes_silent: 15 }, 'waking_time.minutes_silent is served as 15, but the rows give 0'],
    [{ share_said: 0.9 }, 'waking_time.share_said is served as 0.9, but the rows give 1'],
    [{ minutes_said: 0 }, 'waking_time.share_said is served as 1, but the rows give null'],
  ] as const) {
    const time = { ...waking_time, ...changed };
    const per_pocket = [{ pocket_id: 'holland', count: 0, waking_time: time }];
    assert.equal(
      await given({ 'silence?window=30d': { ...silence, waking_time: time } }),
      `wrong_figure: /api/silence ${message}`,
    );
    assert.equal(
      await given({ 'silence?window=30d': { ...silence, per_pocket } }),
      `wrong_figure: /api/silence per_pocket holland ${message}`,
    );
  }
  for (const [changed, message] of [
    [{ baselines: [] }, 'baselines persistence n is served as nothing, but the rows give 0'],
    [{ by_type: [] }, 'by_type other count is served as nothing, but the rows give 10'],
    [
      { by_horizon: [{ horizon_minutes: 60, ...group(10), accuracy: 0.9 }] },
      'by_horizon 60 accuracy is served as 0.9, but the rows give 1',
    ],
    [
      { by_pocket: report.by_pocket.with(3, { pocket_id: 'pocket-3', ...group(2) }) },
      'by_pocket pocket-3 count is served as 2, but the rows give 1',
    ],
    [
      { by_pocket: [...report.by_pocket, { pocket_id: 'atlantis', ...group(1) }] },
      'by_pocket atlantis count is served as 1, but the rows give 0',
    ],
  ] as const)
    assert.equal(
      await given({ 'accuracy?since=all': { ...report, ...changed } }),
      `wrong_figure: /api/accuracy ${message}`,
    );
  const judged = { ...decisions_judged, silent_right: 3 };
  assert.equal(
    await given({ 'silence?window=30d': { ...silence, decisions_judged: judged } }),
    'wrong_figure: /api/silence decisions_judged.silent_right is served as 3, but the rows give 0',
  );
  for (const [changed, message] of [
    [
      { metrics: { ...october.metrics, signals_withheld_count: 1 } },
      '2026-10 signals_withheld_count is served as 1, but the rows give 0',
    ],
    [
      { metrics: { ...october.metrics, naive_baseline_accuracy: 0.1 } },
      '2026-10 naive_baseline_accuracy is served as 0.1, but the rows give 0',
    ],
    [
      { per_pocket: [{ pocket_id: 'pocket-1', decisions_judged: judged }] },
      '2026-10 pocket-1 decisions_judged.silent_right is served as 3, but the rows give 0',
    ],
    [{ month_iso: '2026-09' }, '2026-09 is a report of a month that the rows do not have'],
  ] as const)
    assert.equal(
      await given({ 'state-of-restraint?month=2026-10': { reports: [{ ...october, ...changed }] } }),
      `wrong_figure: /api/state-of-restraint ${message}`,
    );
  const verdicts = answers['silence-vindications?since=all&limit=1'];
  const summary = { ...verdicts.summary, total_vindicated: 1 };
  assert.equal(
    await given({ 'silence-vindications?since=all&limit=1': { ...verdicts, summary } }),
    'wrong_figure: /api/silence-vindications summary.total_vindicated is served as 1, but the rows give 0',
  );
  assert.match(await given({ 'ledger/history': {} }), /^wrong_figure: .* tree_size is served as nothing/);
  assert.equal(await given({ 'accuracy?since=all': undefined }), 'nothing at /api/accuracy?since=all');
  assert.equal(verdictResult(await verifyLedger({ fetch })), 'not asked for');
});

test('a figure that was cached before the last row is read again', async () => {
  const { fetch } = revealedLog();
  let reads = 0;
  const api: FetchBytes = async (address, limit) => {
    const isStale = address === 'ledger/history' && ++reads === 1;
    return serving(isStale ? { [address]: { tree_size: 19 } } : answers)(address, limit);
  };
  assert.equal(verdictResult(await verifyLedger({ fetch, api, settle: 0 })), 'compared');
  assert.equal(reads, 2);
});

test('nothing is compared while the log grows', async () => {
  const log = revealedLog();
  let next = 100;
  const api: FetchBytes = async (address, limit) => {
    if (address === 'ledger/history') log.append([later(next++)]);
    return serving(answers)(address, limit);
  };
  const verdict = await verifyLedger({ fetch: log.fetch, api, settle: 0 });
  assert.equal(verdictResult(verdict), 'the log grew while they were read');
  assert.equal(verdict.ok && verdict.size, log.rows.length);
});

const later = (n: number): Row => prediction(n, { written_at: '2026-10-01T01:00:00.000Z' });

test('a score that does not follow from forecast and outcome is found, also where there is none', async () => {
  const verifyChanged = async (changed: object) => {
    const log = servedLog();
    const row = prediction(0);
    log.append([row, reveal(0, 0, row, 0, changed)]);
    const verdict = await verifyLedger({ fetch: log.fetch });
    return verdict.ok ? 'ok' : verdict.code;
  };
  const nothing = { actual_observation: null, accuracy_score: null, baseline_score: null };
  assert.equal(await verifyChanged({}), 'ok');
  assert.equal(await verifyChanged(nothing), 'ok');
  for (const changed of [
    { accuracy_score: 0.99 },
    { accuracy_score: null },
    { baseline_score: 0.5 },
    { ...nothing, accuracy_score: 0.5 },
    { actual_observation: { primary_state: 'calm-social', calm: 0 } },
  ])
    assert.equal(await verifyChanged(changed), 'wrong_score', JSON.stringify(changed));
});

test('a forecast that was passed over is found, once later ones are revealed or a day is over', async () => {
  const shifted = (row: Row, hours: number): Row => {
    const text = row.seal.canonical.replaceAll(
      /2026-10-01T0([01]):/g,
      (_, hour) => `2026-10-01T0${+hour + hours}:`,
    );
    return { ...row, seal: sealed(JSON.parse(text)) };
  };
  const [missed, next] = [prediction(0), shifted(prediction(1), 2)];
  const verifyRows = async (...rows: Row[]) => {
    const log = servedLog();
    log.append(rows);
    const verdict = await verifyLedger({ fetch: log.fetch });
    return verdict.ok ? 'ok' : [verdict.code, verdict.place];
  };
  const revealed = shifted(reveal(1, 1, prediction(1)), 2);
  const relinked = { ...JSON.parse(revealed.seal.canonical), sealed_hash: next.seal.payload_hash };
  const place = { leaf: 0, id: 'prd_0' };
  assert.equal(await verifyRows(missed, next), 'ok');
  assert.deepEqual(await verifyRows(missed, next, { ...revealed, seal: sealed(relinked) }), [
    'missing_reveal',
    place,
  ]);
  const aDayOn = prediction(2, { written_at: '2026-10-02T01:00:01.000Z' });
  assert.deepEqual(await verifyRows(missed, aDayOn), ['missing_reveal', place]);
  assert.equal(await verifyRows(missed, prediction(2, { written_at: '2026-10-02T01:00:00.000Z' })), 'ok');
});
