/** State forecasts beside simple forecasts of the same outcomes (docs/formulas.md, "Accuracy report"). */

import { roundedShare, type Sums } from '../stats/rollup.ts';
import { round } from '../stats/unit-scale.ts';
import type { OverviewSum, SimpleRule } from './forecast-sums.ts';

/** How many forecasts were scored, and how many of them the service and another got right. */
export interface Compared {
  scored: number;
  service: number;
  other: number;
}

/** What is left of the whole after the waking hours. */
export const nightCounts = (whole: Compared, waking: Compared): Compared => ({
  scored: whole.scored - waking.scored,
  service: whole.service - waking.service,
  other: whole.other - waking.other,
});

export const difference = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : round(a - b);

export type BaselineName = 'same_hour_last_week' | 'persistence' | 'naive';

export const definitions: Record<BaselineName, string> = {
  same_hour_last_week: 'what was observed seven days before the outcome, where there is a reading',
  persistence: 'what was observed when the forecast was sealed, taken to last',
  naive: 'a fixed guess from the hour, the kind of day and the rain, sealed with each forecast',
};

/** Fewer forecasts than this do not tell which simple forecast is stronger. */
const LEAST_TO_RANK = 100;

/**
 * Each simple forecast beside the service on the same forecasts, over all hours and apart for waking hours and nights.
 * The strongest comes first: the one that the service is least ahead of.
 */
export function compareBaselines(sums: Readonly<Sums<OverviewSum>>) {
  const ofRule = (rule: SimpleRule, part: '' | 'waking_'): Compared => ({
    scored: sums[`${part}${rule}_scored`],
    service: sums[`${part}${rule}_service_hits`],
    other: sums[`${part}${rule}_hits`],
  });
  const ofNaive = (part: '' | 'waking_'): Compared => ({
    scored: sums[`${part}scored`],
    service: sums[`${part}hits`],
    other: sums[`${part}baseline_hits`],
  });
  // Where too little is known to rank them, in the order in which months of forecasts do.
  const all = [
    compareBaseline('same_hour_last_week', (part) => ofRule('last_week', part)),
    compareBaseline('persistence', (part) => ofRule('persistence', part)),
    compareBaseline('naive', ofNaive),
  ];
  return all.toSorted((a, b) => baselineStrength(b) - baselineStrength(a));
}

function compareBaseline(name: BaselineName, comparedIn: (part: '' | 'waking_') => Compared) {
  const [whole, waking] = [comparedIn(''), comparedIn('waking_')];
  return {
    name,
    ...comparedFigures(whole),
    waking_hours: comparedFigures(waking),
    nights: comparedFigures(nightCounts(whole, waking)),
  };
}

function comparedFigures({ scored, service, other }: Compared) {
  const [accuracy, service_accuracy_on_same_rows] = [
    roundedShare(other, scored),
    roundedShare(service, scored),
  ];
  return {
    accuracy,
    n: scored,
    gap_vs_service: difference(accuracy, service_accuracy_on_same_rows),
    service_accuracy_on_same_rows,
  };
}

/** Less than any difference where it is not known. */
const baselineStrength = ({
  n,
  gap_vs_service: gap,
}: {
  n: number;
  gap_vs_service: number | null;
}): number => (gap === null || n < LEAST_TO_RANK ? -2 : gap);
