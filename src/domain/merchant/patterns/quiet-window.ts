import { hourOfDay, weekday } from '../../time/sgt.ts';
import { confidenceOf, DailyRatios, LEAST_DAYS, type OutletUse, type Pattern, percent } from './pattern.ts';

const weekdays = ['mondays', 'tuesdays', 'wednesdays', 'thursdays', 'fridays', 'saturdays', 'sundays'];
const HOURS = 2;
/** A window is quiet when its use is at most this share of the same hours on other days. */
const QUIET = 0.75;
const MOST_WINDOWS = 2;
/** Slots of other days that each hour of the window must be compared with. */
const LEAST_OTHERS = 8;

interface Sum {
  n: number;
  use: number;
}

interface Window {
  day: number;
  hour: number;
  n: number;
  others: number;
  ratio: number;
}

/** Two-hour windows of a weekday with less use than the same hours of other days; one a weekday, the emptiest first. */
export function quietWindowPatterns(uses: readonly OutletUse[]): Pattern[] {
  const cells = new Map<number, Sum>();
  const hours = new Map<number, Sum>();
  for (const { slot, activity } of uses) {
    const hour = Math.floor(hourOfDay(slot));
    count(cells, weekday(slot) * 24 + hour, activity);
    count(hours, hour, activity);
  }
  const quiet = weekdays.flatMap((_name, day) => emptiest(day, cells, hours) ?? []);
  return quiet
    .sort((a, b) => a.ratio - b.ratio)
    .flatMap((window) => toPattern(window, uses, cells, hours) ?? [])
    .slice(0, MOST_WINDOWS);
}

function count(sums: Map<number, Sum>, key: number, use: number): void {
  const sum = sums.get(key) ?? { n: 0, use: 0 };
  sums.set(key, { n: sum.n + 1, use: sum.use + use });
}

/** The same hour on other days. */
function othersOf(day: number, hour: number, cells: Map<number, Sum>, hours: Map<number, Sum>): Sum | null {
  const cell = cells.get(day * 24 + hour);
  const all = hours.get(hour);
  if (!cell || !all || all.n - cell.n < LEAST_OTHERS) return null;
  return { n: all.n - cell.n, use: all.use - cell.use };
}

function emptiest(day: number, cells: Map<number, Sum>, hours: Map<number, Sum>): Window | null {
  let best: Window | null = null;
  for (let hour = 0; hour + HOURS <= 24; hour++) {
    const window = { day, hour, n: 0, others: 0 };
    let [use, expected] = [0, 0];
    for (let at = hour; at < hour + HOURS; at++) {
      const cell = cells.get(day * 24 + at);
      const others = othersOf(day, at, cells, hours);
      if (!cell || !others) {
        expected = 0;
        break;
      }
      window.n += cell.n;
      window.others += others.n;
      use += cell.use;
      expected += (cell.n * others.use) / others.n;
    }
    const ratio = use / expected;
    if (expected > 0 && ratio <= QUIET && (!best || ratio < best.ratio)) best = { ...window, ratio };
  }
  return best;
}

function toPattern(
  { day, hour, n, others, ratio }: Window,
  uses: readonly OutletUse[],
  cells: Map<number, Sum>,
  hours: Map<number, Sum>,
): Pattern | null {
  const days = new DailyRatios();
  for (const { slot, activity } of uses) {
    const at = Math.floor(hourOfDay(slot));
    if (weekday(slot) !== day || at < hour || at >= hour + HOURS) continue;
    const usual = othersOf(day, at, cells, hours);
    if (usual) days.add(slot, activity, usual.use / usual.n);
  }
  if (days.count < LEAST_DAYS) return null;
  const name = weekdays[day];
  return {
    kind: 'quiet_window',
    text: `quiet on ${name}, ${clock(hour)} to ${clock(hour + HOURS)}: ${percent(1 - ratio)} under the same hours of other days (n=${n}).`,
    confidence: confidenceOf(days.ratios()),
    basis: `${n} quarter hours on ${days.count} ${name}, held against ${others} in the same hours of other days`,
  };
}

const clock = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
