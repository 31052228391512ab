// What sets pockets apart, computed independently from waking readings, by its definition.
import { DAY, HOUR } from '../../../src/domain/time/slot.ts';

export type Quality = 'calm' | 'social' | 'productive';

export interface Reading extends Record<Quality, number> {
  slot: number;
  pocket_id: string;
}

const local = (slot: number) => new Date(slot + 8 * HOUR);
export const localHour = (slot: number) => local(slot).getUTCHours();
export const midnight = (slot: number) => Math.floor((slot + 8 * HOUR) / DAY) * DAY - 8 * HOUR;
const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
export const dayName = (slot: number) => names[local(slot).getUTCDay()] ?? '';
export const isAwake = ({ slot }: { slot: number }) => localHour(slot) >= 7 && localHour(slot) < 23;
export const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
/** The sum of the squared distances from the mean. */
export const squares = (values: readonly number[]) =>
  values.reduce((sum, x) => sum + (x - mean(values)) ** 2, 0);
export const parts = { morning: [7, 11], midday: [11, 14], afternoon: [14, 18], evening: [18, 23] } as const;
export type Part = keyof typeof parts;
export const dayPart = (slot: number) =>
  (Object.keys(parts) as Part[]).find((part) => localHour(slot) < parts[part][1]) ?? 'evening';

/** Means by pocket, day and part, with at least half of the quarter hours read. */
export const partLevels = (readings: readonly Reading[]) =>
  [
    ...Map.groupBy(
      readings,
      ({ pocket_id, slot }) => `${pocket_id} ${midnight(slot)} ${dayPart(slot)}`,
    ).values(),
  ].flatMap((rows) => {
    const [row] = rows;
    if (!row) return [];
    const part = dayPart(row.slot);
    if (rows.length < 2 * (parts[part][1] - parts[part][0])) return [];
    const of = (quality: Quality) => mean(rows.map((one) => one[quality]));
    const level = { calm: of('calm'), social: of('social'), productive: of('productive') };
    return [{ pocket_id: row.pocket_id, day: midnight(row.slot), part, ...level }];
  });
export type Level = ReturnType<typeof partLevels>[number];
export const qualities: Quality[] = ['calm', 'social', 'productive'];

/** The figures of one quality in one part of the day, against the other pockets on the same days. */
export function againstNetwork(some: readonly Level[], pocket: string, quality: Quality) {
  const days = Map.groupBy(some, ({ day }) => day);
  const daily = [...days.values()].flatMap((all) => {
    const own = all.find(({ pocket_id }) => pocket_id === pocket);
    const others = all.filter((one) => one !== own).map((one) => one[quality]);
    return own ? [{ value: own[quality], reference: mean(others) }] : [];
  });
  const byPocket = Map.groupBy(some, ({ pocket_id }) => pocket_id);
  const means = new Map([...byPocket].map(([id, own]) => [id, mean(own.map((one) => one[quality]))]));
  const own = means.get(pocket) ?? 0;
  const others = [...means].filter(([id]) => id !== pocket).map(([, level]) => level);
  const differences = daily.map(({ value, reference }) => value - reference);
  const n = daily.length;
  return {
    value: mean(daily.map(({ value }) => value)),
    reference: mean(daily.map(({ reference }) => reference)),
    difference: mean(differences),
    standard_error: Math.sqrt(squares(differences) / (n - 1) / n),
    pocket_spread: Math.sqrt(squares(others) / (others.length - 1)),
    rank: 1 + others.filter((level) => level > own).length,
  };
}
