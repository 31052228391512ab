// An outlet's patterns computed independently from the stored rows, without any code of the service.
import type { Outlet } from '../../../src/domain/city/city.ts';
import type { Pattern } from '../../../src/domain/merchant/patterns/pattern.ts';

/** One quarter hour of the outlet and of its pocket, as stored. */
export interface StoredQuarter {
  slot: number;
  activity: number | null;
  rain_mm: number | null;
  primary_state: string | null;
}

const names = ['sundays', 'mondays', 'tuesdays', 'wednesdays', 'thursdays', 'fridays', 'saturdays'];

interface Quarter extends StoredQuarter {
  date: string;
  day: string;
  hour: number;
  clock: string;
}

function localQuarter(row: StoredQuarter): Quarter {
  const singapore = new Date(row.slot + 8 * 3_600_000);
  const text = singapore.toISOString();
  const day = names[singapore.getUTCDay()] ?? '';
  return { ...row, date: text.slice(0, 10), day, hour: singapore.getUTCHours(), clock: text.slice(11, 16) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const knownUse = ({ activity }: Quarter): number => activity ?? 0;
const meanUse = (quarters: readonly Quarter[]): number => mean(quarters.map(knownUse));

/** The confidence label, from how much the ratio varies from day to day. */
function referenceConfidence(
  quarters: readonly Quarter[],
  part: (q: Quarter) => number,
  whole: (q: Quarter) => number,
): string {
  const days = unique(quarters.map(({ date }) => date)).map((date) => {
    const own = quarters.filter((quarter) => quarter.date === date);
    return sum(own.map(part)) / sum(own.map(whole));
  });
  const deviation = Math.sqrt(sum(days.map((day) => (day - mean(days)) ** 2)) / (days.length - 1));
  const error = deviation / Math.sqrt(days.length);
  if (days.length < 3) return 'low';
  if (days.length >= 7 && error <= 0.05) return 'high';
  return error <= 0.12 ? 'medium' : 'low';
}

const two = (n: number): string => String(n).padStart(2, '0');
const days = (quarters: readonly Quarter[]): number => unique(quarters.map(({ date }) => date)).length;

type ReferencePattern = Omit<Pattern, 'confidence'> & { confidence: string };

/** The quarter as part of the day on which the outlet opened: after midnight an hour above 24. */
function openingDay(quarter: Quarter, opens_at: string): Quarter {
  if (quarter.clock >= opens_at) return quarter;
  const before = localQuarter({ ...quarter, slot: quarter.slot - 24 * 3_600_000 });
  return { ...quarter, date: before.date, day: before.day, hour: quarter.hour + 24 };
}

function quiet({ opens_at, closes_at }: Outlet, used_: readonly Quarter[]): ReferencePattern[] {
  const open = used_.map((quarter) => openingDay(quarter, opens_at));
  const own = meanUse(open);
  const found = names.flatMap((day) => {
    const inside = (hour: number) => open.filter((q) => q.day === day && q.hour === hour);
    const others = (hour: number) => open.filter((q) => q.day !== day && q.hour === hour);
    const isQuiet = (hour: number) =>
      inside(hour).length > 0 &&
      others(hour).length >= 8 &&
      meanUse(inside(hour)) <= 0.75 * Math.min(own, meanUse(others(hour)));
    const hours = Array.from({ length: 48 }, (_, hour) => hour).filter(isQuiet);
    const firsts = hours.filter((hour) => !hours.includes(hour - 1));
    return firsts.flatMap((first) => {
      const run = hours.filter(
        (hour) => hour >= first && hours.indexOf(hour) - hours.indexOf(first) === hour - first,
      );
      return quietWindow(day, run);
    });
    function quietWindow(day: string, run: readonly number[]) {
      const first = `${two((run[0] ?? 0) % 24)}:00`;
      const last = `${two(((run.at(-1) ?? 0) + 1) % 24)}:00`;
      // Clipped to the opening hours.
      const from = open.some((q) => q.hour === run[0] && q.clock === first) ? first : opens_at;
      const lastQuarter = `${two((run.at(-1) ?? 0) % 24)}:45`;
      const to = open.some((q) => q.hour === run.at(-1) && q.clock === lastQuarter) ? last : closes_at;
      const minutes = (clockMinutes(to) - clockMinutes(from) + 1440) % 1440;
      const quarters = run.flatMap(inside);
      const usual = new Map(run.map((hour) => [hour, meanUse(others(hour))]));
      const expected = (q: Quarter) => usual.get(q.hour) ?? 0;
      const dates = unique(quarters.map(({ date }) => date));
      const weeks = dates.filter((date) => {
        const week = quarters.filter((q) => q.date === date);
        return sum(week.map(knownUse)) <= 0.75 * Math.min(sum(week.map(expected)), own * week.length);
      });
      if (minutes < 120 || weeks.length < 3 || weeks.length < 0.75 * dates.length) return [];
      const ratio = sum(quarters.map(knownUse)) / sum(quarters.map(expected));
      const under = (share: number) => Math.round(100 * (1 - share));
      const pattern: ReferencePattern = {
        kind: 'quiet_window',
        text: `quiet on ${day}, ${from} to ${to}, in ${weeks.length} of ${dates.length} weeks: ${under(ratio)}\u00a0% under the same hours of other days, ${under(meanUse(quarters) / own)}\u00a0% under its mean while open (n = ${quarters.length}).`,
        confidence: referenceConfidence(quarters, knownUse, expected),
        basis: `${quarters.length} quarter hours on ${dates.length} ${day}, compared with ${sum(run.map((hour) => others(hour).length))} in the same hours of other days`,
      };
      return [{ pattern, ratio }];
    }
  });
  return found.sort((a, b) => a.ratio - b.ratio).map(({ pattern }) => pattern);
}

const clockMinutes = (clock: string): number => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3));

function rain(open: readonly Quarter[]): ReferencePattern[] {
  const weekend = ({ day }: Quarter) => day === 'saturdays' || day === 'sundays';
  const measured = open.filter(({ rain_mm }) => rain_mm !== null);
  const isWet = ({ rain_mm }: Quarter) => (rain_mm ?? 0) >= 0.2;
  const dryLike = (wet: Quarter) =>
    measured.filter((q) => !isWet(q) && q.hour === wet.hour && weekend(q) === weekend(wet));
  const wet = measured.filter((q) => isWet(q) && dryLike(q).length >= 4);
  if (wet.length < 8 || days(wet) < 3) return [];
  const dry = new Map(wet.map((q) => [q.slot, meanUse(dryLike(q))]));
  const expected = (q: Quarter) => dry.get(q.slot) ?? 0;
  const change = sum(wet.map(knownUse)) / sum(wet.map(expected)) - 1;
  const points = Math.round(100 * Math.abs(change));
  const effect =
    Math.abs(change) < 0.05
      ? 'rain makes little difference to its use'
      : change < 0
        ? `rain takes ${points}\u00a0% of its use`
        : `rain adds ${points}\u00a0% to its use`;
  return [
    {
      kind: 'rain_sensitivity',
      text: `${effect} (n = ${wet.length}).`,
      confidence: referenceConfidence(wet, knownUse, expected),
      basis: `${wet.length} wet quarter hours on ${days(wet)} days, each compared with dry ones at the same hour`,
    },
  ];
}

function dna(open: readonly Quarter[]): ReferencePattern[] {
  const part = ({ hour }: Quarter) => {
    if (hour < 5 || hour >= 21) return 'a late place';
    if (hour < 11) return 'a morning place';
    if (hour < 14) return 'a midday place';
    return hour < 17 ? 'an afternoon place' : 'an evening place';
  };
  const fullest = (keyOf: (q: Quarter) => string | null) => {
    const groups = unique(open.map(keyOf)).flatMap((key) => {
      const group = open.filter((q) => keyOf(q) === key);
      return key === null || group.length < 20 ? [] : [{ key, group }];
    });
    return groups.sort((a, b) => meanUse(b.group) - meanUse(a.group))[0];
  };
  const [own, mood] = [fullest(part), fullest(({ primary_state }) => primary_state)];
  if (!own || days(own.group) < 3) return [];
  const overall = meanUse(open);
  const figure = (value: number) => (100 * value).toFixed(0);
  return [
    {
      kind: 'dna_descriptor',
      text: `${own.key}: ${figure(meanUse(own.group))}\u00a0% of its room in use then, ${figure(overall)}\u00a0% overall; fullest when the pocket is ${mood?.key} (n = ${open.length}).`,
      confidence: referenceConfidence(own.group, knownUse, () => overall),
      basis: `${open.length} quarter hours in which it was open, ${own.group.length} of them in that part of ${days(own.group)} days and ${mood?.group.length} in that mood`,
    },
  ];
}

const isOpen = ({ opens_at, closes_at }: Outlet, { clock }: Quarter): boolean =>
  opens_at < closes_at ? clock >= opens_at && clock < closes_at : clock >= opens_at || clock < closes_at;

function overlap(outlet: Outlet, all: readonly Quarter[]): ReferencePattern[] {
  const read = all.filter(({ primary_state, hour }) => primary_state !== null && hour >= 7 && hour < 23);
  const open = (quarter: Quarter) => isOpen(outlet, quarter);
  const share = (group: readonly Quarter[]) => Math.round((100 * group.filter(open).length) / group.length);
  const calm = read.filter(({ primary_state }) => primary_state?.startsWith('calm'));
  const social = read.filter(({ primary_state }) => primary_state?.includes('social'));
  const spreads = [calm, social].map((group) => {
    const daily = unique(group.map(({ date }) => date)).map((date) => {
      const day = group.filter((quarter) => quarter.date === date);
      return day.filter(open).length / day.length;
    });
    return Math.sqrt(sum(daily.map((one) => (one - mean(daily)) ** 2)) / (daily.length - 1));
  });
  const spread = Math.max(...spreads);
  return [
    {
      kind: 'hours_overlap',
      text: `open for ${share(calm)}\u00a0% of the calm hours and ${share(social)}\u00a0% of the sociable hours of its pocket between 07:00 and 23:00 (n = ${read.length}).`,
      confidence: spread <= 0.15 ? 'high' : spread <= 0.25 ? 'medium' : 'low',
      basis: `${read.length} readings of the pocket on ${days(read)} days, compared with its opening hours; from day to day the share varies by ${Math.round(100 * spread)} points`,
    },
  ];
}

export function referencePatterns(outlet: Outlet, rows: readonly StoredQuarter[]): ReferencePattern[] {
  const all = rows.map(localQuarter);
  const open = all.filter((quarter) => quarter.activity !== null && isOpen(outlet, quarter));
  return [...quiet(outlet, open), ...rain(open), ...dna(open), ...overlap(outlet, all)];
}
