import { addComfort, sumComfort } from '../../domain/atmosphere/comfort.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { cityCalendar } from '../../domain/city/rest-day.ts';
import { overviewSums } from '../../domain/prediction/forecast-sums.ts';
import { pocketComparer } from '../../domain/report/compare-pockets.ts';
import { pocketMonth } from '../../domain/report/pocket-month.ts';
import { restraintReport } from '../../domain/report/restraint-report.ts';
import { otherHours, wakingBuckets } from '../../domain/stats/hour-buckets.ts';
import { UNIT, zeroSums } from '../../domain/stats/rollup.ts';
import { monthBefore } from '../../domain/time/periods.ts';
import { cellSums, decisionCells } from '../../domain/verdict/decision-cells.ts';
import { partMeans } from '../../store/report/part-means.ts';
import {
  extremeSilence,
  hourlyMeasurements,
  lacksRestraint,
  monthSums,
  wasRead,
  worstLine,
  writeMonths,
  writeRestraint,
} from '../../store/report/reports.ts';
import { readSums, readTotals, sumsByOrigin } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import type { JobContext } from '../core/context.ts';
import { loadScales } from '../core/pocket-scales.ts';

/** Earlier months that say what is usual. */
const USUAL_MONTHS = 2;

/**
 * Reports on the month that has ended, one for each pocket. A month without a reading has none. The other pockets that one
 * is compared with are those of its district.
 */
export async function reportMonth(context: JobContext): Promise<void> {
  const { tx, registry, zone, slot, now, district } = context;
  const month = monthBefore(slot, zone);
  if (!(await wasRead(tx, month))) return;
  const month_iso = zone.localMonth(month.from);
  const read = await monthSums(tx, month, zone, district);
  const measured = Map.groupBy(
    await hourlyMeasurements(tx, month, zone, district),
    ({ pocket_id }) => pocket_id,
  );
  const scalesFor = await loadScales(context);
  const pockets = registry.pockets.map(({ id, character }) => {
    const scales = scalesFor(id);
    return {
      id,
      setting: { character, scales },
      sums: read.get(id) ?? { hours: [], anomalies: 0 },
      here: sumComfort(measured.get(id) ?? [], scales),
    };
  });
  const everywhere = addComfort(pockets.map(({ here }) => here));
  const compare = pocketComparer(
    await partMeans(
      tx,
      { from: zone.startOfMonth(month.from, -USUAL_MONTHS), to: month.to },
      new Set(pockets.map(({ id }) => id)),
      cityCalendar(registry),
      district,
    ),
    month.from,
    district !== WHOLE_CITY,
  );
  const othersIn = otherHours(pockets.map(({ sums }) => wakingBuckets(sums.hours)));
  const observed = pockets.filter(({ sums }) => sums.hours.length > 0);
  const anomalies = observed.reduce((sum, pocket) => sum + pocket.sums.anomalies, 0);
  const verdicts = new Map(
    (await readSums(tx, pocketRollup, month, { by: ['pocket_id'], sums: cellSums, district })).map((sums) => [
      sums.pocket_id,
      sums,
    ]),
  );
  const reports = pockets.map(({ id, setting, sums, here }) => {
    const others = observed.length - (sums.hours.length ? 1 : 0);
    const around = {
      zone,
      othersIn,
      comparison: compare(id, setting),
      comfort: { here, everywhere },
      otherAnomalies: others ? (anomalies - sums.anomalies) / others : null,
    };
    return {
      month_iso,
      pocket_id: id,
      composed_at: now,
      ...pocketMonth(id, month_iso, sums, around),
      decisions_judged: decisionCells(verdicts.get(id) ?? zeroSums(cellSums)),
    };
  });
  await writeMonths(tx, reports);
}

/** Reports on restraint in the month that has ended, once every pocket has its report. */
export async function reportRestraint({ tx, zone, slot, now }: JobContext): Promise<void> {
  const month = monthBefore(slot, zone);
  if (!(await lacksRestraint(tx, zone.localMonth(month.from)))) return;
  const counts = await readTotals(tx, pocketRollup, month, {
    sums: [
      ...(['emissions', 'silences', 'already_speaking', 'quiet_hours'] as const),
      'attention_minutes',
      ...cellSums,
    ],
  });
  const report = restraintReport(
    {
      emitted: counts.emissions,
      withheld: counts.silences,
      already_speaking: counts.already_speaking,
      quiet_hours: counts.quiet_hours,
      judged: decisionCells(counts),
      attention_minutes: counts.attention_minutes / UNIT,
      forecasts: await sumsByOrigin(tx, forecastRollup, month, {
        by: ['prediction_type'],
        sums: overviewSums,
        only: { shadow: 0 },
      }),
      worst: await extremeSilence(tx, month, 'worst'),
      best: await extremeSilence(tx, month, 'best'),
      worst_line: await worstLine(tx, month),
    },
    zone,
  );
  await writeRestraint(tx, { month_iso: zone.localMonth(month.from), composed_at: now, ...report });
}
