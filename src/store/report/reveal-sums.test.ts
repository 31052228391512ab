import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeStores, type StorePlace } from '../../../test/support/postgres.ts';
import { freshWorks, smallCity } from '../../../test/support/small-city.ts';
import { accuracyReport } from '../../domain/prediction/accuracy-report.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { predictionTypes } from '../../domain/prediction/prediction.ts';
import type { Judged } from '../../domain/stats/forecast-sums.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/sgt.ts';
import { type Window, windowOf } from '../../domain/time/window.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { runDue } from '../../pipeline/core/run.ts';
import { migrate } from '../engine/migrate.ts';
import { openStore } from '../engine/open.ts';
import type { Engine } from '../engine/store.ts';
import { tallyReveals } from './reveal-sums.ts';

// Ends in a new month, so that a window holds a whole one.
const end = Date.parse('2026-11-02T10:45:00+08:00');
const registry = smallCity(2);

describeStores('sums of reveals', (makePlace, engine) => {
  const days = engine === 'sqlite' ? 14 : 2;
  let place: StorePlace;
  let store: Engine;
  let rows: Judged[];

  before(async () => {
    place = await makePlace();
    store = openStore(place);
    await migrate(store, end);
    // History, an outage, and slots one by one.
    await backfill(freshWorks(store, registry), { from: end - days * DAY, now: end - 6 * HOUR });
    const works = freshWorks(store, registry);
    for (let slot = end - 4 * HOUR; slot <= end; slot += SLOT) await runDue(works, slot);
    rows = await store.all<Judged>(
      `select r.*, m.mqs from reveals r
       left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id`,
    );
  });
  after(async () => {
    await store.close();
    await place.remove();
  });

  test('a report from the sums is the report that the rows give, for every question', async () => {
    assert.ok(rows.length > 500 * days * 0.9, `${rows.length} reveals`);
    assert.ok(rows.some(({ accuracy_score }) => accuracy_score === null));
    const pockets = [undefined, registry.pockets[0]?.id];
    for (const since of ['1h', '1d', '7d', '30d', 'all'] as const) {
      for (const now of [end, end - 3 * DAY - 1]) {
        const window = windowOf(since, now);
        for (const pocket of pockets) {
          const { sums, misses } = await tallyReveals(store, window, pocket);
          for (const prediction_type of [undefined, 'other', 'offer_intensity']) {
            for (const include_shadow of [false, true]) {
              const filter = { prediction_type, include_shadow };
              const expected = plainReport(rows, window, pocket, filter);
              assert.deepEqual(
                accuracyReport(sums, misses, filter),
                expected,
                JSON.stringify([since, pocket, filter]),
              );
            }
          }
        }
      }
    }
  });

  test('every reveal is in one hour, one day and one month', async () => {
    const bodies = await store.all<{ span: string; body: string }>('select span, body from reveal_sums');
    const revealed = (span: string) =>
      bodies
        .filter((row) => row.span === span)
        .flatMap(({ body }) => (JSON.parse(body) as [unknown[][]])[0])
        .reduce((sum, [, , , , count]) => sum + Number(count), 0);
    for (const span of ['hour', 'day', 'month']) assert.equal(revealed(span), rows.length, span);
  });
});

interface Filter {
  prediction_type: string | undefined;
  include_shadow: boolean;
}

/** The same report, computed row by row as its definition reads. */
function plainReport(
  all: readonly Judged[],
  { after, until }: Window,
  pocket: string | undefined,
  filter: Filter,
) {
  const rows = all.filter(
    (row) =>
      row.slot > after &&
      row.slot <= until &&
      row.confidence >= 0.68 &&
      row.completeness >= 0.75 &&
      (pocket === undefined || row.pocket_id === pocket) &&
      (filter.include_shadow || row.shadow === 0) &&
      (filter.prediction_type === undefined || row.prediction_type === filter.prediction_type),
  );
  const scored = (some: readonly Judged[]) => some.filter((row) => row.accuracy_score !== null);
  const isHit = (row: Judged) => (row.accuracy_score ?? 0) >= 0.5;
  // In whole ten-thousandths: a sum of fractions would decide by its own error how a half is rounded.
  const sum = (some: readonly Judged[], of: (row: Judged) => number) =>
    some.reduce((total, row) => total + Math.round(of(row) * 10_000), 0) / 10_000;
  const mean = (some: readonly Judged[], of: (row: Judged) => number) =>
    some.length ? round(sum(some, of) / some.length) : null;
  const hitRate = (some: readonly Judged[]) => mean(some, (row) => Number(isHit(row)));
  const found = (some: readonly Judged[]) => ({
    accuracy: hitRate(scored(some)),
    count: scored(some).length,
  });
  const judged = scored(rows);
  const overall_accuracy = hitRate(judged);
  const baseline_accuracy = mean(judged, (row) => Number((row.baseline_score ?? 0) >= 0.5));
  const weight = sum(judged, (row) => row.mqs ?? 0);
  const gap = (a: number | null, b: number | null) => (a === null || b === null ? null : round(a - b));
  return {
    headline: {
      overall_accuracy,
      revealed_count: judged.length,
      inconclusive_count: rows.length - judged.length,
    },
    baseline: { baseline_accuracy, gap_vs_service: gap(baseline_accuracy, overall_accuracy) },
    by_type: predictionTypes.flatMap((prediction_type) => {
      const some = rows.filter((row) => row.prediction_type === prediction_type);
      return some.length ? [{ prediction_type, ...found(some) }] : [];
    }),
    by_pocket: [...new Set(rows.map(({ pocket_id }) => pocket_id))].sort().map((pocket_id) => ({
      pocket_id,
      ...found(rows.filter((row) => row.pocket_id === pocket_id)),
    })),
    calibration: Array.from({ length: 10 }, (_, tenth) => {
      const some = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth);
      return {
        bucket: `0.${tenth}-${tenth === 9 ? '1.0' : `0.${tenth + 1}`}`,
        predictions: some.length,
        observed_accuracy: hitRate(some),
        delta: gap(
          hitRate(some),
          mean(some, ({ confidence }) => confidence),
        ),
      };
    }),
    error_taxonomy: errorTypes.map((type) => ({
      type,
      count: rows.filter((row) => row.error_type === type).length,
    })),
    weighted_by_mqs: {
      accuracy: weight > 0 ? round(sum(judged, (row) => (isHit(row) ? (row.mqs ?? 0) : 0)) / weight) : null,
    },
  };
}
