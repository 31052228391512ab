/** A pocket against its own usual: each part of each day of the week, within the period and before it. */
import type { PocketSetting } from '../atmosphere/atmosphere.ts';
import { mean, sum } from '../stats/samples.ts';
import { round } from '../stats/unit-scale.ts';
import { dayNames } from '../time/periods.ts';
import {
  type Difference,
  LEAST_DIFFERENCE,
  LEAST_EARLIER,
  MOST_FROM_USUAL,
  USUAL_ERRORS,
} from './difference.ts';
import { differenceCause, meanSignals, sumSignals } from './difference-cause.ts';
import { type ComparedQuality, comparedQualities, type PartMean } from './part-means.ts';

/** The furthest difference of each part of a day, if any is large enough; the furthest of these first. */
export function usualComparer(
  read: readonly PartMean[],
  from: number,
): (pocket: string, setting: PocketSetting) => Difference[] {
  const cells = weekdayCells(read, from);
  const byPocket = Map.groupBy(cells, ({ first }) => first.pocket_id);
  const byHours = Map.groupBy(cells, hoursKey);
  const networkSpreads = pooledSpreads(cells);
  return (pocket, setting) => {
    const own = byPocket.get(pocket) ?? [];
    const ownSpreads = pooledSpreads(own);
    const found = own.flatMap((cell) => {
      const spreads = [ownSpreads, networkSpreads].flatMap((all) => all.get(dayKindKey(cell)) ?? []);
      const [furthest] = comparedQualities
        .flatMap((quality) => differenceIn(cell, quality, Math.max(...spreads.map((one) => one[quality]))))
        .sort((a, b) => inErrors(b) - inErrors(a));
      if (!furthest) return [];
      const others = (byHours.get(hoursKey(cell)) ?? []).filter((other) => other !== cell);
      return [
        {
          ...furthest,
          network_difference: others.length
            ? round(mean(others.map((other) => levelShift(other, furthest.quality))))
            : null,
          cause: differenceCause(
            furthest,
            cell.first,
            meanSignals(sumSignals(cell.within)),
            meanSignals(sumSignals(cell.earlier)),
            setting,
          ),
        },
      ];
    });
    return found.sort((a, b) => inErrors(b) - inErrors(a)).slice(0, MOST_FROM_USUAL);
  };
}

/** The same part of the same day of the week of one pocket. */
interface Cell {
  first: PartMean;
  within: PartMean[];
  earlier: PartMean[];
}

function weekdayCells(read: readonly PartMean[], from: number): Cell[] {
  const groups = Map.groupBy(read, ({ pocket_id, weekday, part }) => `${pocket_id} ${weekday} ${part}`);
  return [...groups.values()].flatMap((parts) => {
    const within = parts.filter(({ day }) => day >= from);
    const earlier = parts.filter(({ day }) => day < from);
    const [first] = within;
    return first && earlier.length >= LEAST_EARLIER ? [{ first, within, earlier }] : [];
  });
}

const hoursKey = ({ first }: Cell): string => `${first.weekday} ${first.part}`;

/** Working days vary alike, and so do the days of a weekend. */
const dayKindKey = ({ first }: Cell): string => `${first.weekend} ${first.part}`;

type Spread = Record<ComparedQuality, number>;

/** By kind of day and part: the standard deviation of earlier levels around the mean of their cell, pooled over cells. */
const pooledSpreads = (cells: readonly Cell[]): Map<string, Spread> =>
  new Map(
    [...Map.groupBy(cells, dayKindKey)].map(([kind, alike]) => {
      const spreads = comparedQualities.map((quality) => {
        const squares = alike.map(({ earlier }) => {
          const usual = mean(earlier.map((one) => one[quality]));
          return sum(earlier.map((one) => (one[quality] - usual) ** 2));
        });
        const freedom = sum(alike.map(({ earlier }) => earlier.length - 1));
        return [quality, Math.sqrt(sum(squares) / freedom)];
      });
      return [kind, Object.fromEntries(spreads) as Spread];
    }),
  );

/** `spread` is the larger of the pocket's own and the network's: one of few weeks may be small by chance. */
function differenceIn(
  { first, within, earlier }: Cell,
  quality: ComparedQuality,
  spread: number,
): Difference[] {
  const value = round(mean(within.map((one) => one[quality])));
  const reference = round(mean(earlier.map((one) => one[quality])));
  const difference = round(value - reference);
  const standard_error = round(spread * Math.sqrt(1 / within.length + 1 / earlier.length));
  if (Math.abs(difference) < Math.max(LEAST_DIFFERENCE, USUAL_ERRORS * standard_error)) return [];
  return [
    {
      against: 'own_usual',
      quality,
      day: dayNames[first.weekday] ?? null,
      part: first.part,
      value,
      reference,
      difference,
      standard_error,
      pocket_spread: null,
      rank: null,
      of_pockets: null,
      network_difference: null,
      cause: null,
    },
  ];
}

const levelShift = ({ within, earlier }: Cell, quality: ComparedQuality): number =>
  mean(within.map((one) => one[quality])) - mean(earlier.map((one) => one[quality]));

/** How far from the usual, in standard errors. */
const inErrors = ({ difference, standard_error }: Difference): number =>
  Math.abs(difference) / Math.max(standard_error, 0.001);
