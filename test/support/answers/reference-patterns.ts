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

function quarterOf(row: StoredQuarter): Quarter {
  const singapore = new Date(row.slot + 8 * 3_600_000);
  const text = singapore.toISOString();
  const day = names[singapore.getUTCDay()] ?? '';
  return { ...row, date: text.slice(0, 10), day, hour: singapore.getUTCHours(), clock: text.slice(11, 16) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const used = ({ activity }: Quarter): number => activity ?? 0;
const meanUse = (quarters: readonly Quarter[]): number => mean(quarters.map(used));

/** The confidence label, from how much the ratio varies from day to day. */
function confidenceOf(
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

function quiet(open: readonly Quarter[]): ReferencePattern[] {
  const found = names.flatMap((day) => {
    const windows = Array.from({ length: 23 }, (_, from) => {
      const inside = open.filter((q) => q.day === day && (q.hour === from || q.hour === from + 1));
      const others = (hour: number) => open.filter((q) => q.day !== day && q.hour === hour);
      const full = [from, from + 1].every(
        (hour) => inside.some((q) => q.hour === hour) && others(hour).length >= 8,
      );
      const usual = new Map([from, from + 1].map((hour) => [hour, meanUse(others(hour))]));
      const expected = (q: Quarter) => usual.get(q.hour) ?? 0;
      const ratio = full ? sum(inside.map(used)) / sum(inside.map(expected)) : 1;
      return { from, inside, expected, ratio, compared: others(from).length + others(from + 1).length };
    });
    const lowest = Math.min(...windows.map(({ ratio }) => ratio));
    const window = windows.find(({ ratio }) => ratio === lowest);
    if (!window || lowest > 0.75 || days(window.inside) < 3) return [];
    const { from, inside, expected, compared } = window;
    const pattern: ReferencePattern = {
      kind: 'quiet_window',
      text: `quiet on ${day}, ${two(from)}:00 to ${two((from + 2) % 24)}:00: ${Math.round(100 * (1 - lowest))} % under the same hours of other days (n=${inside.length}).`,
      confidence: confidenceOf(inside, used, expected),
      basis: `${inside.length} quarter hours on ${days(inside)} ${day}, held against ${compared} in the same hours of other days`,
    };
    return [{ pattern, lowest }];
  });
  return found
    .sort((a, b) => a.lowest - b.lowest)
    .slice(0, 2)
    .map(({ pattern }) => pattern);
}

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
  const change = sum(wet.map(used)) / sum(wet.map(expected)) - 1;
  const points = Math.round(100 * Math.abs(change));
  const effect =
    Math.abs(change) < 0.05
      ? 'rain makes little difference to its use'
      : change < 0
        ? `rain takes ${points} % of its use`
        : `rain adds ${points} % to its use`;
  return [
    {
      kind: 'rain_sensitivity',
      text: `${effect} (n=${wet.length}).`,
      confidence: confidenceOf(wet, used, expected),
      basis: `${wet.length} wet quarter hours on ${days(wet)} days, each held against dry ones at the same hour`,
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
  const figure = (value: number) => Math.round(100 * value) / 100;
  return [
    {
      kind: 'dna_descriptor',
      text: `${own.key}: ${figure(meanUse(own.group))} of capacity in use then, ${figure(overall)} overall; fullest when the pocket is ${mood?.key} (n=${open.length}).`,
      confidence: confidenceOf(own.group, used, () => overall),
      basis: `${open.length} quarter hours in which it was open, ${own.group.length} of them in that part of ${days(own.group)} days and ${mood?.group.length} in that mood`,
    },
  ];
}

function overlap({ opens_at, closes_at }: Outlet, all: readonly Quarter[]): ReferencePattern[] {
  const read = all.filter(({ primary_state }) => primary_state !== null);
  const open = ({ clock }: Quarter) =>
    opens_at < closes_at ? clock >= opens_at && clock < closes_at : clock >= opens_at || clock < closes_at;
  const share = (group: readonly Quarter[]) => Math.round((100 * group.filter(open).length) / group.length);
  const calm = read.filter(({ primary_state }) => primary_state?.startsWith('calm'));
  const social = read.filter(({ primary_state }) => primary_state?.includes('social'));
  return [
    {
      kind: 'hours_overlap',
      text: `open for ${share(calm)} % of the calm hours and ${share(social)} % of the sociable hours of its pocket (n=${read.length}).`,
      confidence: confidenceOf(
        calm,
        (q) => (open(q) ? 1 : 0),
        () => 1,
      ),
      basis: `${read.length} readings of the pocket on ${days(read)} days, held against its opening hours`,
    },
  ];
}

export function referencePatterns(outlet: Outlet, rows: readonly StoredQuarter[]): ReferencePattern[] {
  const all = rows.map(quarterOf);
  const open = all.filter((quarter) => used(quarter) > 0);
  return [...quiet(open), ...rain(open), ...dna(open), ...overlap(outlet, all)];
}
