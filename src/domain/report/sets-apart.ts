/** The part of a weekly or monthly report that says what sets the pocket and the period apart. */

import type { Holiday } from '../city/rest-day.ts';
import { dayNames } from '../time/periods.ts';
import { partLabel, wakingParts } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';
import type { PocketComparison } from './compare-pockets.ts';
import { type Difference, LEAST_EARLIER, LEAST_OTHER_POCKETS } from './difference.ts';
import { differenceText } from './difference-text.ts';

export interface StatedDifference extends Difference {
  /** 'HH:00-HH:00' */
  hours: string;
  /** The public holiday that its day was; null for any other day, and for the days of a month taken together. */
  holiday: string | null;
  text: string;
}

export interface ComparedWith {
  other_pockets: number;
  /** The earlier weeks or months that were read, oldest first. */
  earlier: string[];
  /** With which pockets of a large city, and what could not be compared and why; null where everything was, with all. */
  note: string | null;
}

export interface SetsApart {
  /** Empty where no difference is larger than chance and the usual spread explain. */
  sets_apart: StatedDifference[];
  compared_with: ComparedWith;
  /** The opening sentences of the narrative: the newest difference first, then what always sets the pocket apart. */
  lead: string[];
}

/** Differences of each kind that the narrative tells, of different hours; the list has all. */
const MOST_TOLD = 2;

/** `periodName` gives the week or month of a day. `holidays` are those of a week: of a month, a day of the week is several. */
export function setsApart(
  { differences, other_pockets, within_district, earlier_days }: PocketComparison,
  period: 'week' | 'month',
  periodName: (day: number) => string,
  zone: Zone,
  holidays: readonly Holiday[] = [],
): SetsApart {
  const sets_apart = differences.map((difference) => {
    const holiday = holidays.find(({ day }) => day === difference.day)?.name ?? null;
    const text = differenceText(difference, period, holiday !== null);
    return { ...difference, hours: partLabel(difference.part), holiday, text };
  });
  const tellDifferences = (against: Difference['against']): string[] =>
    sets_apart
      .filter((one) => one.against === against)
      .filter((one, at, all) => all.findIndex(({ day, part }) => day === one.day && part === one.part) === at)
      .slice(0, MOST_TOLD)
      .sort(newestFirst)
      .map(({ text }) => text);
  const earlier = [...new Set(earlier_days.map(periodName))];
  const notes = [
    ...(within_district ? ['the other pockets are those of its district.'] : []),
    ...(hasUsual(earlier_days, zone) ? [] : [`too few earlier ${period}s were read to say what is usual.`]),
    ...(other_pockets >= LEAST_OTHER_POCKETS
      ? []
      : [`fewer than ${LEAST_OTHER_POCKETS} other pockets were read, too few to compare with.`]),
  ];
  return {
    sets_apart,
    compared_with: { other_pockets, earlier, note: notes.join(' ') || null },
    lead: [
      ...tellDifferences('own_usual'),
      ...(other_pockets >= LEAST_OTHER_POCKETS
        ? orElse(tellDifferences('network'), likeOthers(other_pockets))
        : []),
    ],
  };
}

/** The latest day of the week and part of it first; what holds on every day stays in its order. */
const newestFirst = (a: Difference, b: Difference): number =>
  a.day === null || b.day === null
    ? 0
    : dayNames.indexOf(b.day) - dayNames.indexOf(a.day) ||
      wakingParts.indexOf(b.part) - wakingParts.indexOf(a.part);

/** Some day of the week was read often enough before the period. */
const hasUsual = (earlier: readonly number[], zone: Zone): boolean =>
  [...Map.groupBy(earlier, zone.weekday).values()].some((days) => days.length >= LEAST_EARLIER);

const orElse = (told: string[], otherwise: string): string[] => (told.length ? told : [otherwise]);

const likeOthers = (count: number): string =>
  `in every part of the day it was about like the ${count} other pockets.`;
