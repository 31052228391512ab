import { round } from '../../stats/unit-scale.ts';
import { percentText } from '../../text/figures.ts';
import { type Hours, openingHours } from '../../time/opening-hours.ts';
import type { Zone } from '../../time/zone.ts';
import type { OpenUse } from './opening-day.ts';
import { DailyRatios, dailyConfidence, type Pattern } from './pattern.ts';

const weekdays = ['mondays', 'tuesdays', 'wednesdays', 'thursdays', 'fridays', 'saturdays', 'sundays'];
/** Quiet: at most this share of the outlet's own mean while open, and of the same hours on other days. */
const QUIET = 0.75;
/** Hours that a window lasts at least. */
const LEAST_HOURS = 2;
/** Weeks in which a window must have been quiet, and the share of the weeks seen. */
const LEAST_WEEKS = 3;
const LEAST_SHARE = 0.75;
/** Quarter hours of other days that each hour of a window must be compared with. */
const LEAST_OTHERS = 8;

interface Sum {
  n: number;
  use: number;
}

/** One hour of one weekday, with the same hour on other days. */
interface Cell extends Sum {
  others: Sum;
}

interface Window {
  day: number;
  /** The first hour, and the one after the last. */
  from: number;
  to: number;
}

/**
 * The windows of a weekday in which an outlet is quiet, week after week; as many as its history shows, the emptiest
 * first.
 */
export function quietWindowPatterns(outlet: Hours, uses: readonly OpenUse[], zone: Zone): Pattern[] {
  if (!uses.length) return [];
  const { opens, closes } = openingHours(outlet);
  const cells = hourCells(uses);
  const ownMean = uses.reduce((sum, { activity }) => sum + activity, 0) / uses.length;
  const isQuiet = (cell: Cell | undefined): boolean =>
    !!cell && cell.others.n >= LEAST_OTHERS && isUnder(cell.use / cell.n, ownMean, meanUse(cell.others));
  return weekdays
    .flatMap((_name, day) => runs(day, (hour) => isQuiet(cells.get(hourKey(day, hour)))))
    .map((window) => ({ ...window, starts: Math.max(window.from, opens), ends: Math.min(window.to, closes) }))
    .filter(({ starts, ends }) => ends - starts >= LEAST_HOURS)
    .flatMap((window) => windowPattern(window, uses, cells, ownMean, zone) ?? [])
    .sort((a, b) => a.ratio - b.ratio)
    .map(({ pattern }) => pattern);
}

const hourKey = (day: number, hour: number): number => day * 48 + hour;
const meanUse = ({ n, use }: Sum): number => use / n;
const isUnder = (use: number, ownMean: number, others: number): boolean =>
  use <= QUIET * ownMean && use <= QUIET * others;

function hourCells(uses: readonly OpenUse[]): Map<number, Cell> {
  const own = new Map<number, Sum>();
  const hours = new Map<number, Sum>();
  for (const { day, hour, activity } of uses) {
    addTo(own, hourKey(day, hour), activity);
    addTo(hours, hour, activity);
  }
  return new Map(
    [...own].map(([key, { n, use }]) => {
      const all = hours.get(key % 48) ?? { n, use };
      return [key, { n, use, others: { n: all.n - n, use: all.use - use } }];
    }),
  );
}

function addTo(sums: Map<number, Sum>, key: number, use: number): void {
  const sum = sums.get(key) ?? { n: 0, use: 0 };
  sums.set(key, { n: sum.n + 1, use: sum.use + use });
}

/** The longest runs of quiet hours of a weekday. */
function runs(day: number, isQuiet: (hour: number) => boolean): Window[] {
  const found: Window[] = [];
  for (let hour = 0; hour < 48; hour++) {
    if (!isQuiet(hour)) continue;
    const last = found.at(-1);
    if (last?.to === hour) last.to = hour + 1;
    else found.push({ day, from: hour, to: hour + 1 });
  }
  return found;
}

/** Null unless the whole window was quiet in enough of the weeks seen. */
function windowPattern(
  { day, from, to, starts, ends }: Window & { starts: number; ends: number },
  uses: readonly OpenUse[],
  cells: ReadonlyMap<number, Cell>,
  ownMean: number,
  zone: Zone,
): { ratio: number; pattern: Pattern } | null {
  const [againstOthers, againstOwn] = [new DailyRatios(zone), new DailyRatios(zone)];
  let n = 0;
  let since = Number.POSITIVE_INFINITY;
  for (const { day: opened, date, hour, activity } of uses) {
    const cell = cells.get(hourKey(day, hour));
    if (opened !== day || hour < from || hour >= to || !cell) continue;
    n += 1;
    since = Math.min(since, date);
    againstOthers.add(date, activity, meanUse(cell.others));
    againstOwn.add(date, activity, ownMean);
  }
  const own = againstOwn.ratios();
  const weeks = againstOthers.ratios();
  const quiet = weeks.filter((ratio, week) => ratio <= QUIET && (own[week] ?? 1) <= QUIET).length;
  const ratio = againstOthers.ratio();
  if (ratio === null || quiet < LEAST_WEEKS || quiet < LEAST_SHARE * weeks.length) return null;
  const name = weekdays[day];
  const underOwn = 1 - (againstOwn.ratio() ?? 1);
  let others = 0;
  for (let hour = from; hour < to; hour++) others += cells.get(hourKey(day, hour))?.others.n ?? 0;
  return {
    ratio,
    pattern: {
      kind: 'quiet_window',
      text: `quiet on ${name}, ${clock(starts)} to ${clock(ends)}, in ${quiet} of ${weeks.length} weeks: ${percentText(1 - ratio)} under the same hours of other days, ${percentText(underOwn)} under its mean while open (n = ${n}).`,
      confidence: dailyConfidence(weeks),
      basis: `${n} quarter hours on ${weeks.length} ${name}, compared with ${others} in the same hours of other days`,
      window: {
        weekday: day,
        from: clock(starts),
        to: clock(ends),
        weeks_quiet: quiet,
        weeks_seen: weeks.length,
        under_other_days: round(1 - ratio, 2),
        under_own_mean: round(underOwn, 2),
        n,
        since: zone.localDate(since),
      },
    },
  };
}

/** 'HH:MM' of hours since midnight, with the fraction. */
function clock(hour: number): string {
  const minutes = Math.round(hour * 60) % (24 * 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
