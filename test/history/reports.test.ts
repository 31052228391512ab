// The end of a simulated month and the Monday after it, in a small city, by the whole schedule: every report, and every figure that
// is read from rollups, is computed a second time from the rows, by its definition.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decisionId } from '../../src/domain/decision/silence.ts';
import { voiceFaults } from '../../src/domain/text/voice.ts';
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import type { Span } from '../../src/domain/time/window.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import type { Operation } from '../../src/operations/core/define.ts';
import { getSilenceCounts } from '../../src/operations/decision/get-silence-counts.ts';
import { getChangelog } from '../../src/operations/report/get-changelog.ts';
import { getNotebook } from '../../src/operations/report/get-notebook.ts';
import { getStateOfPocket } from '../../src/operations/report/get-state-of-pocket.ts';
import { getStateOfRestraint } from '../../src/operations/report/get-state-of-restraint.ts';
import { getTrustReport } from '../../src/operations/report/get-trust-report.ts';
import { listWeeklyReports } from '../../src/operations/report/list-weekly-reports.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Engine } from '../../src/store/engine/store.ts';
import { rolledUpTo } from '../../src/store/rollup/read-rollups.ts';
import { rebuildRollups } from '../../src/store/rollup/write-rollups.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import { referenceWakingTime } from '../support/answers/reference-waking-time.ts';
import { freshPipeline } from '../support/pipeline/fresh-pipeline.ts';
import { knowUsual } from '../support/pipeline/known-usual.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { type StorePlace, sqlitePlace } from '../support/stores/store-places.ts';

/** A Tuesday: the first week is no whole one. */
const start = Date.parse('2026-10-20T00:00:00+08:00');
const november = Date.parse('2026-11-01T00:00:00+08:00');
const now = Date.parse('2026-11-02T10:00:00+08:00');
const registry = smallCity(2);
const pockets = registry.pockets.map(({ id }) => id);

let place: StorePlace;
let store: Engine;
let rows: Awaited<ReturnType<typeof readRows>>;
before(async () => {
  place = await sqlitePlace();
  store = openStore(place);
  await migrate(store, now);
  // Else nothing would be said in the first two weeks.
  await knowUsual(store, registry);
  await backfill(freshPipeline(store, registry), { from: start, now });
  rows = await readRows(store);
});
after(async () => {
  await store.close();
  await place.remove();
});

/** Columns of any table. */
interface Row {
  slot: number;
  pocket_id: string;
  id: string;
  primary_state: string;
  band: string;
  calm: number;
  spoke: 0 | 1;
  served: 0 | 1 | null;
  confidence: number;
  completeness: number;
  shadow: number;
  legitimacy_score: number;
  expires_at: number;
  baseline_score: number;
  /** May be null, as every measured column. */
  accuracy_score: number;
  [column: string]: unknown;
}

/** Whole tables: the queries of the reports are not used, so that a fault in them is found. */
async function readRows(from: Engine) {
  const table = async (name: string) => await from.all<Row>(`select * from ${name} order by slot, pocket_id`);
  return {
    readings: await table('atmosphere_readings'),
    snapshots: await table('snapshots'),
    moments: await table('moments'),
    silences: await table('silences'),
    packages: await table('packages'),
    pauses: await table('pauses'),
    verdicts: await table('verdicts'),
    predictions: await table('predictions'),
    reveals: await table('revealed_forecasts'),
    events: await table('sustainability_events'),
  };
}

const paused = (pauses: readonly Row[], kind: string) => pauses.filter((row) => row.kind === kind).length;
const referenceTime = (span: Span) => referenceWakingTime(rows.packages, rows.moments, span, singapore);
const between = (some: readonly Row[], from: number, to: number) =>
  some.filter(({ slot }) => slot >= from && slot < to);
const of = (some: readonly Row[], pocket: string) => some.filter(({ pocket_id }) => pocket_id === pocket);
const values = (some: readonly Row[], column: string): number[] => some.map((row) => row[column] as number);
const total = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0);
const mean = (numbers: readonly number[]) => (numbers.length ? total(numbers) / numbers.length : null);
const three = (x: number | null) => (x === null ? null : Math.round(x * 1000) / 1000);
const spread = (numbers: readonly number[]) => {
  const middle = mean(numbers) ?? 0;
  return Math.sqrt(mean(numbers.map((x) => (x - middle) ** 2)) ?? 0);
};
const local = (slot: number) => new Date(slot + 8 * HOUR);
const day = (slot: number) =>
  ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'][local(slot).getUTCDay()];
const awake = (slot: number) => local(slot).getUTCHours() >= 7 && local(slot).getUTCHours() < 23;
const mostOften = (names: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? null;
};
/** Readings by day of the week and hour, waking hours only. */
function buckets(some: readonly Row[]) {
  const found = new Map<string, number[]>();
  for (const { slot, calm } of some) {
    if (!awake(slot)) continue;
    const key = `${day(slot)} ${local(slot).getUTCHours()}`;
    // In whole thousandths: the floating-point error of a sum of fractions would decide how a half is rounded.
    found.set(key, [...(found.get(key) ?? []), Math.round(calm * 1000)]);
  }
  return [...found].map(([key, calms]) => {
    const [name = '', hour = ''] = key.split(' ');
    const shown = {
      calm: Math.round(mean(calms) ?? 0) / 1000,
      deviation: Math.round(spread(calms)) / 1000,
    };
    const cutOff = calms.some((calm) => calm <= 50 || calm >= 950);
    return { day: name, hour: Number(hour), readings: calms.length, cutOff, ...shown };
  });
}
/** The same hour of the other pocket; its deviation is null where it is cut off. */
function elsewhere(some: readonly Row[]) {
  const hours = new Map(buckets(some).map((bucket) => [`${bucket.day} ${bucket.hour}`, bucket]));
  return ({ day, hour }: { day: string; hour: number }) => {
    const other = hours.get(`${day} ${hour}`);
    return other && { calm: other.calm, deviation: other.cutOff ? null : other.deviation };
  };
}
const ask = <Input, Answer>(
  operation: Operation<Input, Answer>,
  given: Record<string, unknown> = {},
  at = now,
) => askOperation(operation, store, at, given);

describe('weekly reports', () => {
  const weeks: [week: string, monday: string][] = [
    ['2026-W43', '2026-10-19'],
    ['2026-W44', '2026-10-26'],
  ];

  test('are composed on each Monday at nine, of every pocket', async () => {
    const { reports } = (await ask(listWeeklyReports, { limit: 26 })).structured;
    assert.deepEqual(
      reports.map(({ week_iso, pocket_id, composed_at }) => [week_iso, pocket_id, composed_at]),
      weeks
        .toReversed()
        .flatMap(([week, monday]) =>
          [...pockets]
            .sort()
            .map((pocket) => [
              week,
              pocket,
              new Date(Date.parse(`${monday}T09:00:00+08:00`) + 7 * DAY).toISOString(),
            ]),
        ),
    );
  });

  test('match figures computed from the rows of the week', async () => {
    for (const [week_iso, monday] of weeks) {
      const from = Date.parse(`${monday}T00:00:00+08:00`);
      for (const pocket_id of pockets) {
        const { report } = (await ask(listWeeklyReports, { pocket_id, week_iso })).structured;
        assert.ok(report);
        const week = between(rows.readings, from, from + 7 * DAY).filter(({ slot }) => awake(slot));
        const others = week.filter((row) => row.pocket_id !== pocket_id);
        assert.deepEqual(
          { metrics: report.metrics, basis: report.basis },
          referenceWeek(of(week, pocket_id), others, pocket_id),
          `${week_iso} ${pocket_id}`,
        );
        assert.deepEqual(voiceFaults(report.narrative), []);
      }
    }
  });

  function referenceWeek(readings: readonly Row[], others: readonly Row[], pocket: string) {
    const at = (some: readonly Row[]) => new Map(of(some, pocket).map((row) => [row.slot as number, row]));
    const [snapshots, moments] = [at(rows.snapshots), at(rows.moments)];
    const rainy = readings.filter(
      ({ slot }) => ((snapshots.get(slot)?.rain_mm as number | null) ?? 0) >= 0.2,
    );
    const composed = readings.flatMap(({ slot }) => moments.get(slot) ?? []);
    const quiet = new Set(
      values(
        readings.filter(({ calm }) => calm >= 0.55),
        'slot',
      ),
    );
    const windows = [...quiet]
      .filter((slot) => !quiet.has(slot - SLOT))
      .map((slot) => {
        let length = 0;
        while (quiet.has(slot + length * SLOT)) length += 1;
        return 15 * length;
      })
      .filter((minutes) => minutes >= 60);
    const order = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    const there = elsewhere(others);
    const hours = buckets(readings).filter((bucket) => bucket.readings >= 3 && !bucket.cutOff);
    const ownMean = three(mean(hours.map(({ deviation }) => deviation))) ?? 0;
    const steadiest = hours
      .map((bucket) => ({ ...bucket, network_deviation: there(bucket)?.deviation ?? null }))
      .map((bucket) => ({ ...bucket, share: bucket.deviation / (bucket.network_deviation || ownMean) }))
      .sort(
        (a, b) =>
          a.share - b.share ||
          b.calm - a.calm ||
          order.indexOf(a.day) - order.indexOf(b.day) ||
          a.hour - b.hour,
      );
    return {
      metrics: {
        atmosphere_score: {
          primary_state: mostOften(readings.map(({ primary_state }) => primary_state)),
          stress: three(mean(values(readings, 'stress'))),
          calm: three(mean(values(readings, 'calm'))),
          productive: three(mean(values(readings, 'productive'))),
          social: three(mean(values(readings, 'social_energy'))),
        },
        quiet_window_score: {
          count: windows.length,
          longest_minutes: windows.length ? Math.max(...windows) : null,
        },
        rain_comfort_alignment: three(mean(rainy.map(({ calm }) => Number(calm >= 0.55)))),
        attention_saturation: {
          saturation: three(mean(values(composed, 'signal_saturation'))),
          mqs_band: mostOften(composed.map(({ band }) => band)),
        },
        stable_periods: steadiest.slice(0, 3).map(({ day, hour, calm, deviation, network_deviation }) => ({
          day,
          hour,
          calm,
          deviation,
          network_deviation,
        })),
      },
      basis: { readings: readings.length, rainy_readings: rainy.length, moments: composed.length },
    };
  }
});

describe('the state of each pocket in October', () => {
  test('matches figures computed from the rows of the month', async () => {
    const october = between(rows.readings, start, november);
    for (const pocket_id of pockets) {
      const { structured, text } = await ask(getStateOfPocket, { pocket_id });
      const { month_iso, report } = structured;
      const observed = report?.observations;
      assert.ok(observed);
      assert.deepEqual([month_iso, report.composed_at], ['2026-10', '2026-10-31T20:00:00.000Z']);
      const readings = of(october, pocket_id);
      const others = october.filter((row) => row.pocket_id !== pocket_id);
      const there = elsewhere(others);
      const hours = buckets(readings).map((bucket) => ({ ...bucket, others: there(bucket) }));
      const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap(
        (name) => {
          const own = hours.filter((hour) => hour.day === name && !hour.cutOff && hour.others?.deviation);
          if (total(own.map(({ readings }) => readings)) < 32) return [];
          const deviation = three(mean(own.map((hour) => hour.deviation))) ?? 0;
          const network_deviation = three(mean(own.map((hour) => hour.others?.deviation ?? 0))) ?? 0;
          return [{ day: name, deviation, network_deviation }];
        },
      );
      const shares = days.map(({ deviation, network_deviation }) => deviation / network_deviation);
      const windows = hours.map(({ day, hour, calm, others }) => {
        const clock = (at: number) => `${String(at).padStart(2, '0')}:00`;
        const network_calm = others?.calm ?? Number.NaN;
        const label = `${day} ${clock(hour)}-${clock(hour + 1)}`;
        return { label, calm, network_calm, difference: three(calm - network_calm) ?? 0 };
      });
      const furthest = Math.max(...windows.map(({ difference }) => difference));
      const anomalies = total(values(readings, 'anomaly_flag'));
      assert.equal(report.readings, readings.length);
      assert.equal(observed.anomaly_count, anomalies);
      assert.equal(observed.network_anomaly_count, total(values(others, 'anomaly_flag')));
      assert.deepEqual(observed.most_stable_day, days[shares.indexOf(Math.min(...shares))]);
      const window = observed.strongest_calm_window;
      assert.deepEqual(
        window,
        windows.find(({ label }) => label === window?.label),
      );
      assert.equal(window?.difference, furthest);
      assert.deepEqual(observed.strongest_comfort, referenceComfort(pocket_id));
      assert.deepEqual(voiceFaults(text), []);
    }
  });

  function referenceComfort(pocket: string) {
    const october = between(rows.snapshots, start, november).filter(
      ({ slot }) => slot % HOUR === 0 && awake(slot),
    );
    const hold = (x: number) => Math.min(1, Math.max(0, x));
    const peaks = new Map(
      registry.pockets.map(({ id, character }) => [id as string, character.footfall_peak]),
    );
    const comforts: Record<string, [column: string, comfort: (x: number, row: Row) => number]> = {
      crowd: ['footfall', (people, row) => 1 - hold(people / (peaks.get(row.pocket_id) ?? 1))],
      transit: ['transit_crowding', (share) => 1 - hold(share)],
      jam: ['traffic_speed_kmh', (speed) => 1 - hold((45 - speed) / 33)],
      rain: ['rain_mm', (mm) => Math.exp(-mm / 1.5)],
      heat: [
        'temperature_c',
        (celsius, row) =>
          1 - hold((celsius + 0.05 * (((row.humidity_pct as number | null) ?? 80) - 75) - 29) / 6),
      ],
      air: ['pm25', (level) => 1 - hold((level - 20) / 70)],
      parking: ['carpark_occupancy', (share) => 1 - hold((share - 0.6) / 0.4)],
    };
    const ranked = Object.entries(comforts).map(([signal, [column, comfort]]) => {
      const known = october.filter((row) => row[column] !== null);
      const level = (some: readonly Row[]) =>
        three(mean(some.map((row) => comfort(row[column] as number, row)))) ?? 0;
      const [own, all] = [level(of(known, pocket)), level(known)];
      return { signal, comfort: own, network_comfort: all, ahead: three(own - all) ?? 0 };
    });
    const [best] = ranked.sort((a, b) => b.ahead - a.ahead || b.comfort - a.comfort);
    return { signal: best?.signal, comfort: best?.comfort, network_comfort: best?.network_comfort };
  }
});

test('the state of restraint in October matches figures computed from the rows of the month', async () => {
  const month = (some: readonly Row[]) => between(some, start, november);
  const { structured, text } = await ask(getStateOfRestraint);
  assert.ok('accuracy' in structured);
  const {
    narrative_top_failure,
    narrative_top_success,
    baselines,
    decisions_judged,
    per_pocket,
    ...figures
  } = structured;
  const cells = (some: readonly Row[]) => {
    const count = (spoke: number, served: number | null) =>
      some.filter((row) => row.spoke === spoke && row.served === served).length;
    return {
      spoke_served: count(1, 1),
      spoke_failed: count(1, 0),
      silent_right: count(0, 0),
      silent_wrong: count(0, 1),
      inconclusive: count(0, null) + count(1, null),
    };
  };
  assert.deepEqual(decisions_judged, cells(month(rows.verdicts)));
  for (const { pocket_id, decisions_judged } of per_pocket)
    assert.deepEqual(decisions_judged, cells(of(month(rows.verdicts), pocket_id)), pocket_id);
  const judged = month(rows.verdicts).filter(({ spoke, served }) => spoke === 0 && served !== null);
  const right = judged.filter(({ served }) => served === 0);
  const wrong = judged.filter(({ served }) => served === 1);
  const scored = month(rows.reveals).filter(
    (row) =>
      row.confidence >= 0.68 && row.completeness >= 0.75 && row.shadow === 0 && row.accuracy_score !== null,
  );
  const accuracy = three(mean(scored.map(({ accuracy_score }) => Number(accuracy_score >= 0.5)))) ?? 0;
  const naive = three(mean(scored.map(({ baseline_score }) => Number(baseline_score >= 0.5)))) ?? 0;
  assert.ok(right.length > 100 && wrong.length > 10 && scored.length > 1000);
  const unfiltered = month(rows.reveals).filter((row) => row.shadow === 0 && row.accuracy_score !== null);
  const partsOfDay = (some: readonly Row[]) => {
    const part = (isWaking: boolean) => {
      const own = some.filter(({ reveal_at }) => {
        const hour = (Math.floor(Number(reveal_at) / HOUR) + 8) % 24;
        return (hour >= 7 && hour < 23) === isWaking;
      });
      return {
        accuracy: three(mean(own.map(({ accuracy_score }) => Number(accuracy_score >= 0.5)))),
        baseline: three(mean(own.map(({ baseline_score }) => Number(baseline_score >= 0.5)))),
        n: own.length,
      };
    };
    return { waking_hours: part(true), nights: part(false) };
  };
  const afterwards = (some: readonly Row[]) => {
    const hits = three(mean(some.map(({ accuracy_score }) => Number(accuracy_score >= 0.5))));
    return {
      accuracy: hits,
      baseline: three(mean(some.map(({ baseline_score }) => Number(baseline_score >= 0.5)))),
      brier_score: three(
        mean(some.map(({ confidence, accuracy_score }) => (confidence - Number(accuracy_score >= 0.5)) ** 2)),
      ),
      n: some.length,
      ...partsOfDay(some),
      sealed_before_outcome: { n: 0, accuracy: null },
      written_afterwards: { n: some.length, accuracy: hits },
    };
  };
  assert.deepEqual(figures, {
    month_iso: '2026-10',
    composed_at: '2026-10-31T20:00:00.000Z',
    signals_emitted_count: month(rows.packages).length,
    signals_withheld_count: month(rows.silences).length,
    already_speaking_count: paused(month(rows.pauses), 'already_speaking'),
    quiet_hours_count: paused(month(rows.pauses), 'quiet_hours'),
    accuracy,
    naive_baseline_accuracy: naive,
    gap_points: Math.round(1000 * (accuracy - naive)) / 10,
    filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false },
    ...partsOfDay(scored),
    // All of the month was written by the backfill.
    sealed_before_outcome: { n: 0, accuracy: null },
    written_afterwards: { n: scored.length, accuracy },
    all_forecasts: afterwards(unfiltered),
    state_forecasts: afterwards(unfiltered.filter(({ prediction_type }) => prediction_type === 'other')),
    silence_correctness_rate: three(right.length / judged.length),
    attention_minutes_preserved:
      Math.round(10 * total(values(month(rows.verdicts), 'attention_minutes_preserved'))) / 10,
    counterfactual_count: month(rows.silences).length,
    waking_time: referenceTime({ from: start, to: november }),
  });
  const state = unfiltered.filter(({ prediction_type }) => prediction_type === 'other');
  for (const { name, accuracy, n } of baselines) {
    const column = {
      naive: 'baseline_score',
      persistence: 'persistence_score',
      same_hour_last_week: 'last_week_score',
    };
    const own = state.map((row) => row[column[name]]).filter((score) => score !== null);
    assert.deepEqual(
      [accuracy, n],
      [three(mean(own.map((score) => Number(Number(score) >= 0.5)))), own.length],
      name,
    );
  }
  assert.deepEqual(baselines[0]?.name, 'same_hour_last_week');
  const scores = new Map(rows.silences.map((row) => [row.id as string, row.legitimacy_score as number]));
  const highest = Math.max(
    ...wrong.map(({ pocket_id, slot }) => scores.get(decisionId(pocket_id, slot)) ?? 0),
  );
  const most = Math.max(...values(right, 'attention_minutes_preserved'));
  assert.match(
    String(narrative_top_failure),
    new RegExp(
      `legitimacy stood at ${highest};.* ${wrong.length} of ${judged.length} silences judged were wrong`,
    ),
  );
  assert.match(
    String(narrative_top_success),
    new RegExp(
      `an estimated ${Math.round(most)} minutes? .* ${right.length} of ${judged.length} silences judged were right`,
    ),
  );
  assert.deepEqual(voiceFaults(text), []);
});

describe('figures from rollups', () => {
  test('the changelog, by UTC day', async () => {
    const { entries } = (await ask(getChangelog, { days: 36 })).structured;
    const today = Math.floor(now / DAY) * DAY;
    const expected = Array.from({ length: 36 }, (_, ago) => referenceDay(today - ago * DAY));
    assert.deepEqual(entries, expected);
    assert.deepEqual([entries[0]?.date, entries.at(-1)?.date], ['2026-11-02', '2026-09-28']);
    assert.ok(entries.some(({ top_pocket }) => top_pocket === null));
  });

  function referenceDay(from: number) {
    const within = (some: readonly Row[], column = 'slot') =>
      some.filter((row) => (row[column] as number) >= from && (row[column] as number) < from + DAY);
    const [emitted, silent] = [within(rows.packages), within(rows.silences)];
    const revealed = within(rows.reveals, 'reveal_at').filter(
      ({ shadow, accuracy_score }) => shadow === 0 && accuracy_score !== null,
    );
    const top = mostOften(emitted.map(({ pocket_id }) => pocket_id));
    const readings = within(rows.readings);
    const pockets = new Set(readings.map(({ pocket_id }) => pocket_id)).size;
    // Every pocket of this city is read in every quarter hour from the first to the last.
    const slots = new Set(readings.map(({ slot }) => slot)).size;
    const first = Math.min(...rows.readings.map(({ slot }) => slot as number));
    return {
      date: new Date(from).toISOString().slice(0, 10),
      atmosphere_readings: readings.length,
      slots_due: Math.max(0, (Math.min(from + DAY, now + SLOT) - Math.max(from, first)) / SLOT),
      slots_run: slots,
      pockets_read: pockets,
      readings_missing: pockets * slots - readings.length,
      narrations_surfaced: emitted.length,
      notifications_deferred: silent.length,
      already_speaking_count: paused(within(rows.pauses), 'already_speaking'),
      quiet_hours_count: paused(within(rows.pauses), 'quiet_hours'),
      surfaced_ratio:
        emitted.length + silent.length ? three(emitted.length / (emitted.length + silent.length)) : null,
      predictions_sealed: within(rows.predictions).filter(({ shadow }) => shadow === 0).length,
      predictions_revealed: revealed.length,
      mean_accuracy: revealed.length
        ? three(
            total(revealed.map((row) => Math.round(row.accuracy_score * 10_000))) / 10_000 / revealed.length,
          )
        : null,
      sustainability_sgd: total(values(within(rows.events), 'value_cents')) / 100,
      sustainability_amount: total(values(within(rows.events), 'value_cents')) / 100,
      currency: 'SGD',
      top_pocket: top === null ? null : { pocket_id: top, count: of(emitted, top).length },
      waking_time: referenceTime({ from, to: from + DAY }),
    };
  }

  test('the notebook, by month', async () => {
    for (const [month, from, to] of [
      ['2026-09', 0, start],
      ['2026-10', start, november],
      ['2026-11', november, now + 1],
    ] as const) {
      for (const pocket_id of [undefined, ...pockets]) {
        const within = (some: readonly Row[]) =>
          between(pocket_id === undefined ? some : of(some, pocket_id), from, to);
        const sealed = within(rows.predictions).filter(({ shadow }) => shadow === 0);
        const revealed = within(rows.reveals).filter(({ shadow }) => shadow === 0);
        const scored = revealed.filter(({ accuracy_score }) => accuracy_score !== null);
        const whole = total(scored.map((row) => Math.round(row.accuracy_score * 10_000)));
        const given = pocket_id === undefined ? { month } : { month, pocket_id };
        assert.deepEqual((await ask(getNotebook, given)).structured, {
          month,
          pocket_id: pocket_id ?? null,
          atmosphere: {
            total_readings: within(rows.readings).length,
            anomalies: total(values(within(rows.readings), 'anomaly_flag')),
          },
          predictions: {
            total_sealed: sealed.length,
            revealed: scored.length,
            inconclusive_count: revealed.length - scored.length,
            mean_accuracy: scored.length ? three(whole / 10_000 / scored.length) : null,
          },
          sustainability: {
            total_events: within(rows.events).length,
            dollar_value_total: total(values(within(rows.events), 'value_cents')) / 100,
            currency: 'SGD',
          },
        });
      }
    }
  });

  test('rollups change no answer: without them every answer is the same', async () => {
    // Up to the last half hour whose forecasts of three hours ahead were all revealed.
    assert.equal(await rolledUpTo(store), Date.parse('2026-11-02T07:00:00+08:00'));
    const allAnswers = async () => {
      const answers = [];
      for (const at of [now, now - 5 * HOUR + 1, november, november - 1]) {
        for (const window of ['7d', '14d', '30d']) {
          answers.push((await ask(getTrustReport, { window }, at)).structured);
          answers.push((await ask(getSilenceCounts, { window }, at)).structured);
        }
        answers.push((await ask(getChangelog, { days: 40 }, at)).structured);
        answers.push((await ask(getNotebook, { month: '2026-10', pocket_id: pockets[1] }, at)).structured);
      }
      return answers;
    };
    const before = await allAnswers();
    await store.transaction((tx) => rebuildRollups(tx, singapore, 0, 0));
    assert.equal(await rolledUpTo(store), null);
    assert.deepEqual(await allAnswers(), before);
  });
});
