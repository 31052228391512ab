// The text of the accuracy report: all state forecasts first, then those that pass the filter.
import type { AppliedFilter, accuracyReport } from '../../domain/prediction/accuracy-report.ts';
import { comparisonText, leadText, partsText, splitText } from '../../domain/prediction/accuracy-text.ts';
import type { calmReliability } from '../../domain/prediction/calm-reliability.ts';
import { printable } from '../../domain/text/printable.ts';
import type { WindowName } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { listWithin, restAddress } from '../core/text-list.ts';

interface Report extends ReturnType<typeof accuracyReport> {
  window: WindowName;
  pocket_id: string | null;
  history_until: string | null;
  filter: AppliedFilter & { prediction_type: string | null };
  calm_reliability: ReturnType<typeof calmReliability>;
}

export function speakAccuracy(report: Report, zone: Zone): string {
  const { filter, window, pocket_id, headline, all_forecasts: all } = report;
  const about = [
    `${pocket_id === null ? 'all pockets' : printable(pocket_id)}, forecasts sealed ${window === 'all' ? 'at any time' : `over the last ${window}`}`,
    ...(filter.prediction_type ? [`of type ${filter.prediction_type}`] : []),
    `those on trial ${filter.include_shadow ? 'included' : 'left out'}`,
  ].join(', ');
  if (!all.n) return `${about}: none has been scored yet, ${headline.inconclusive_count} inconclusive.`;
  return [
    `${about}: ${splitText(all)}.`,
    ...originText(report, zone),
    ...stateText(report),
    ...calmText(report),
    confidentText(report),
    `all kinds of forecasts: ${all.accuracy} of ${all.n} came true, the naive baseline in ${all.baseline}.`,
    ...typesText(report),
    `weighted by the moment's quality: ${report.weighted_by_mqs.accuracy ?? 'nothing to weigh'}.`,
    `by pocket: ${pocketsText(report)}.`,
    missesText(report),
  ].join(' ');
}

/** Which forecasts were written afterwards. */
function originText({ all_forecasts, history_until }: Report, zone: Zone): string[] {
  if (!all_forecasts.written_afterwards.n || history_until === null) return [];
  const end = Date.parse(history_until);
  return [`written afterwards are those sealed up to ${zone.clockWithZone(end)} on ${zone.localDate(end)}.`];
}

/** Half of the text at most: a city may have thousands of pockets. */
const SPOKEN_POCKETS = 60;

function pocketsText({ by_pocket, window }: Report): string {
  const pockets = by_pocket.map(({ pocket_id, all }) => `${pocket_id} ${all.accuracy ?? 'unscored'}`);
  return listWithin(pockets, restAddress('/api/accuracy', { since: window }), SPOKEN_POCKETS).join(', ');
}

function stateText({ state_forecasts: state, baselines, by_horizon }: Report): string[] {
  if (!state.n) return [];
  const compared = comparisonText(baselines);
  const inWaking = comparisonText(
    baselines.slice(0, 1).map(({ name, waking_hours }) => ({ name, ...waking_hours })),
  );
  const horizons = by_horizon.map(
    ({ horizon_minutes, all }) =>
      `${horizon_minutes} minutes ahead ${all.accuracy} of ${all.n} (${simpleText(all)})`,
  );
  return [
    `state forecasts: ${state.accuracy} of ${state.n} came true, ${partsText(state)}; ${compared}.`,
    ...(inWaking === null ? [] : [`in waking hours ${inWaking}.`]),
    `by horizon: ${horizons.join('; ')}.`,
  ];
}

/** The share of each simple forecast that came true, the strongest of them by all forecasts first. */
function simpleText({
  same_hour_last_week,
  persistence,
  baseline,
}: Report['by_type'][number]['all']): string {
  return [
    ...(same_hour_last_week === null ? [] : [`same hour last week ${same_hour_last_week}`]),
    ...(persistence === null ? [] : [`persistence ${persistence}`]),
    `naive ${baseline ?? 'unscored'}`,
  ].join(', ');
}

/** Of the forecasts that called calm likeliest, how often it was. */
function calmText({ calm_reliability, window }: Report): string[] {
  const told = calm_reliability.flatMap(({ horizon_minutes, tenths }) => {
    const sure = tenths.at(-1);
    return sure?.n
      ? [
          `${horizon_minutes} minutes ahead ${sure.was_calm} of ${sure.n}${sure.waking_hours.n ? ` (in waking hours ${sure.waking_hours.was_calm} of ${sure.waking_hours.n})` : ''}`,
        ]
      : [];
  });
  return [
    ...(told.length
      ? [`where a calm probability of 0.9 or more was stated, the pocket was calm: ${told.join('; ')}.`]
      : []),
    ...(calm_reliability.length
      ? [`${restAddress('/api/accuracy', { since: window })} has every tenth of the calm probability.`]
      : []),
  ];
}

function confidentText(report: Report): string {
  const { filter, headline, baseline, calibration } = report;
  const { overall_accuracy, revealed_count, inconclusive_count } = headline;
  const those = `with confidence from ${filter.min_confidence} and completeness from ${filter.min_completeness}:`;
  const lead = leadText(overall_accuracy, baseline.baseline_accuracy, 'the naive baseline');
  if (lead === null) return `${those} none has been scored yet, ${inconclusive_count} inconclusive.`;
  const observed = calibration.filter(({ predictions }) => predictions > 0);
  return [
    `${those} ${overall_accuracy} of ${revealed_count} came true, ${partsText(report)}, ${inconclusive_count} inconclusive;`,
    `${lead} (${baseline.baseline_accuracy}).`,
    `observed by confidence: ${observed.map(({ bucket, observed_accuracy }) => `${bucket} ${observed_accuracy}`).join(', ')}.`,
  ].join(' ');
}

function typesText({ by_type }: Report): string[] {
  const types = by_type.map(
    ({ prediction_type, all }) =>
      `${prediction_type} ${all.accuracy ?? 'unscored'} of ${all.n} (${simpleText(all)})`,
  );
  const unskilled = by_type.filter(({ skill }) => skill === 'none');
  return [
    `by type: ${types.join(', ')}.`,
    ...(unskilled.length
      ? [
          `no better than a simple forecast: ${unskilled.map(({ prediction_type }) => prediction_type).join(', ')}.`,
        ]
      : []),
  ];
}

function missesText({ error_taxonomy }: Report): string {
  const causes = error_taxonomy.filter(({ count }) => count > 0);
  return causes.length
    ? `misses: ${causes.map(({ type, count }) => `${count} ${type}`).join(', ')}.`
    : 'no misses.';
}
