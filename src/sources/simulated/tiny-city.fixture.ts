import type { Category, Character, Outlet, Pocket, Registry } from '../../domain/city/city.ts';
import { pocketSignalKinds } from '../../domain/signals/signal.ts';

/** Small registries for tests. */

const ordinary: Character = {
  summary: 'an ordinary street',
  footfall_peak: 600,
  rhythm: { early: 0.12, morning: 0.4, lunch: 0.8, afternoon: 0.55, evening: 0.9, night: 0.35 },
  weekend: 1,
  office: 0.2,
  transit: 0.5,
  traffic: 0.5,
  shelter: 0.4,
  green: 0.3,
  carpark_lots: 220,
};

export const pocket = (id: string, lat: number, lng: number, character: Partial<Character> = {}): Pocket => ({
  id,
  name: id,
  region: 'central',
  lat,
  lng,
  aliases: [],
  character: { ...ordinary, ...character },
  expects: [...pocketSignalKinds],
});

export const outlet = (
  n: number,
  pocket_id: string,
  category: Category,
  hours: [string, string],
): Outlet => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  name: `outlet ${n}`,
  pocket_id,
  unit: `#01-${n}`,
  opens_at: hours[0],
  closes_at: hours[1],
  category,
  active: true,
  seats: 30,
  typical_spend: 12,
  margin: 0.6,
});

/** Eight pockets: five in a row about a kilometre apart, three further off. */
export const tinyCity = (changes: Partial<Registry> = {}): Registry => ({
  city: {
    name: 'Tiny',
    time_zone: 'Asia/Singapore',
    currency: 'SGD',
    locale: 'en-SG',
    weekend: [5, 6],
    substrate: 'simulated',
    scales: 'fixed',
    priors: {},
    seed: 'tiny',
  },
  pockets: [
    pocket('office', 1.28, 103.84, { office: 0.9, weekend: 0.5, transit: 0.9, footfall_peak: 1500 }),
    pocket('open', 1.29, 103.84, { shelter: 0, footfall_peak: 800 }),
    pocket('sheltered', 1.3, 103.84, { shelter: 0.95, footfall_peak: 800 }),
    pocket('leisure', 1.31, 103.84, { office: 0, weekend: 1.7, green: 0.8 }),
    pocket('ordinary', 1.32, 103.84),
    pocket('east', 1.31, 103.93, { traffic: 0.9 }),
    pocket('west', 1.32, 103.72, { green: 0.9, footfall_peak: 120, carpark_lots: 0 }),
    pocket('north', 1.42, 103.82, { transit: 0.2 }),
  ],
  outlets: [
    outlet(1, 'open', 'cafe', ['08:00', '18:00']),
    outlet(2, 'office', 'hawker', ['07:00', '20:30']),
    outlet(3, 'leisure', 'bar', ['17:00', '02:00']),
    outlet(4, 'leisure', 'bookshop', ['11:00', '21:00']),
    outlet(5, 'ordinary', 'restaurant', ['11:30', '22:00']),
    outlet(6, 'ordinary', 'grocer', ['00:00', '00:00']),
    { ...outlet(7, 'ordinary', 'florist', ['09:00', '19:00']), active: false },
  ],
  intents: [],
  holidays: ['2026-01-01', '2026-02-17', '2026-02-18', '2026-04-03', '2026-05-01'],
  holidayNames: {},
  places: [],
  ...changes,
});

export const singaporeTime = (local: string): number => Date.parse(`${local}+08:00`);

/** Pearson's r of the pairs for which both sides are known. */
export function correlation(xs: (number | undefined)[], ys: (number | undefined)[]): number {
  const pairs = xs.flatMap((x, i): [number, number][] => {
    const y = ys[i];
    return x === undefined || y === undefined ? [] : [[x, y]];
  });
  const meanX = mean(pairs.map(([x]) => x));
  const meanY = mean(pairs.map(([, y]) => y));
  const product = (f: (x: number, y: number) => number) =>
    mean(pairs.map(([x, y]) => f(x - meanX, y - meanY)));
  return product((x, y) => x * y) / Math.sqrt(product((x) => x * x) * product((_, y) => y * y));
}

export const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
