/** A pocket against the others: for each part of the day, its days minus the mean of the other pockets on the same days. */
import type { PocketSetting } from '../atmosphere/atmosphere.ts';
import { mean, sampleDeviation, sum } from '../stats/samples.ts';
import { round } from '../stats/unit-scale.ts';
import { wakingParts } from '../time/waking-hours.ts';
import {
  type Difference,
  LEAST_DAYS,
  LEAST_DIFFERENCE,
  LEAST_OTHER_POCKETS,
  NETWORK_ERRORS,
} from './difference.ts';
import { differenceCause, meanSignals, sumSignals } from './difference-cause.ts';
import { type ComparedQuality, comparedQualities, type PartMean } from './part-means.ts';

/** The furthest difference of each quality, if any is large enough; the furthest of these first. */
export function networkComparer(
  within: readonly PartMean[],
): (pocket: string, setting: PocketSetting) => Difference[] {
  const tables = wakingParts.flatMap((part) => {
    const all = within.filter((one) => one.part === part);
    return comparedQualities.map((quality) => qualityTable(all, quality));
  });
  return (pocket, setting) =>
    comparedQualities
      .flatMap((quality) => {
        const found = tables
          .filter((table) => table.quality === quality)
          .flatMap((table) => differenceIn(table, pocket, setting));
        return found.sort((a, b) => inSpreads(b) - inSpreads(a)).slice(0, 1);
      })
      .sort((a, b) => inSpreads(b) - inSpreads(a));
}

type Table = ReturnType<typeof qualityTable>;

/** All pockets in one part of the day, by one quality. */
function qualityTable(all: readonly PartMean[], quality: ComparedQuality) {
  const levels = (parts: readonly PartMean[]) => parts.map((one) => one[quality]);
  const pockets = Map.groupBy(all, ({ pocket_id }) => pocket_id);
  const days = Map.groupBy(all, ({ day }) => day);
  return {
    quality,
    pockets,
    levels: new Map([...pockets].map(([id, own]) => [id, mean(levels(own))])),
    days: new Map([...days].map(([day, own]) => [day, { pockets: own.length, sum: sum(levels(own)) }])),
    signals: sumSignals(all),
  };
}

function differenceIn(table: Table, pocket: string, setting: PocketSetting): Difference[] {
  const { quality, pockets, levels, days, signals } = table;
  const own = pockets.get(pocket) ?? [];
  const compared = own.flatMap((one) => {
    const day = days.get(one.day);
    const others = (day?.pockets ?? 1) - 1;
    if (!day || others < LEAST_OTHER_POCKETS) return [];
    return [{ value: one[quality], reference: (day.sum - one[quality]) / others }];
  });
  const [first] = own;
  if (!first || compared.length < LEAST_DAYS) return [];
  const value = round(mean(compared.map((day) => day.value)));
  const reference = round(mean(compared.map((day) => day.reference)));
  const difference = round(value - reference);
  const daily = sampleDeviation(compared.map((day) => day.value - day.reference));
  const standard_error = round(daily / Math.sqrt(compared.length));
  const others = [...levels].flatMap(([id, level]) => (id === pocket ? [] : [level]));
  const pocket_spread = round(sampleDeviation(others));
  const least = Math.max(LEAST_DIFFERENCE, NETWORK_ERRORS * standard_error, pocket_spread);
  if (Math.abs(difference) < least) return [];
  const level = levels.get(pocket) ?? value;
  const ownSignals = sumSignals(own);
  return [
    {
      against: 'network',
      quality,
      day: null,
      part: first.part,
      value,
      reference,
      difference,
      standard_error,
      pocket_spread,
      rank: 1 + others.filter((other) => other > level).length,
      of_pockets: levels.size,
      network_difference: null,
      cause: differenceCause(
        { quality, difference },
        first,
        meanSignals(ownSignals),
        meanSignals(signals, ownSignals),
        setting,
      ),
    },
  ];
}

/** How far from the network, in standard deviations between the other pockets. */
const inSpreads = ({ difference, pocket_spread }: Difference): number =>
  Math.abs(difference) / Math.max(pocket_spread ?? 0, 0.001);
