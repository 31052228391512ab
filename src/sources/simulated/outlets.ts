// How full the simulated outlets are.
import type { Category, Outlet } from '../../domain/city/city.ts';
import { openingHours } from '../../domain/time/opening-hours.ts';
import type { CalendarSlot } from './calendar.ts';
import type { Crowd } from './crowd.ts';
import { clamp01 } from './numbers.ts';
import { smooth } from './random/noise.ts';
import { draws, hashText, mix, normal } from './random/random.ts';
import { bump } from './rhythm.ts';

/** An outlet's regular behaviour. All of it recurs, so it can be learned from the outlet's history. */
export interface Habits {
  id: string;
  seed: number;
  category: Category;
  /** Hours; a place that closes after midnight closes beyond 24. */
  opens: number;
  closes: number;
  /** How full an ordinary best hour is. */
  level: number;
  /** -1 leans to the morning, 1 to the evening. */
  lean: number;
  /** What heavy rain takes away, as a share; below 0 the rain drives people in. */
  rainLoss: number;
  quiet: { weekdays: number[]; from: number; to: number; left: number };
}

/** When each category is full: [hour, width in hours, height], and the share that heavy rain takes. */
const trades: Record<Category, { peaks: [number, number, number][]; base: number; rainLoss: number }> = {
  cafe: {
    peaks: [
      [9.5, 2, 0.9],
      [15.5, 2.2, 1],
    ],
    base: 0.25,
    rainLoss: -0.05,
  },
  bakery: {
    peaks: [
      [8.5, 1.6, 1],
      [17.5, 1.6, 0.7],
    ],
    base: 0.22,
    rainLoss: 0.25,
  },
  restaurant: {
    peaks: [
      [12.7, 1.3, 0.85],
      [19.5, 1.7, 1],
    ],
    base: 0.1,
    rainLoss: 0.2,
  },
  hawker: {
    peaks: [
      [8, 1.4, 0.6],
      [12.5, 1.3, 1],
      [18.8, 1.5, 0.85],
    ],
    base: 0.15,
    rainLoss: 0.4,
  },
  bar: {
    peaks: [
      [22, 2.8, 1],
      [18.7, 1.2, 0.4],
    ],
    base: 0.08,
    rainLoss: 0.25,
  },
  dessert: {
    peaks: [
      [15.5, 2, 0.6],
      [21, 1.7, 1],
    ],
    base: 0.15,
    rainLoss: 0.35,
  },
  bookshop: {
    peaks: [
      [14, 2.5, 0.8],
      [18.5, 1.8, 0.8],
    ],
    base: 0.2,
    rainLoss: -0.2,
  },
  grocer: {
    peaks: [
      [9.5, 1.8, 0.8],
      [18.3, 1.8, 1],
    ],
    base: 0.25,
    rainLoss: 0.3,
  },
  florist: {
    peaks: [
      [10.5, 2, 0.9],
      [17.3, 1.5, 0.8],
    ],
    base: 0.15,
    rainLoss: 0.45,
  },
  gallery: { peaks: [[15, 2.6, 1]], base: 0.15, rainLoss: -0.1 },
  wellness: {
    peaks: [
      [10, 1.6, 0.8],
      [19, 1.8, 1],
    ],
    base: 0.25,
    rainLoss: 0.1,
  },
  boutique: {
    peaks: [
      [13.5, 1.8, 0.7],
      [17.5, 2.2, 0.9],
    ],
    base: 0.15,
    rainLoss: 0.35,
  },
};

export function outletHabits(outlet: Outlet, seed: string): Habits {
  const own = hashText(`${seed}/outlet/${outlet.id}`);
  const draw = draws(own);
  const { opens, closes } = openingHours(outlet);
  const length = Math.min(3, closes - opens, 1.5 + Math.floor(draw() * 4) / 2);
  const latest = Math.max(0, closes - opens - length - 1);
  const from = opens + Math.min(0.5, closes - opens - length) + Math.floor(draw() * latest * 2) / 2;
  const weekday = Math.floor(draw() * 7);
  return {
    id: outlet.id,
    seed: own,
    category: outlet.category,
    opens,
    closes,
    level: 0.6 + 0.35 * draw(),
    lean: 2 * draw() - 1,
    rainLoss: trades[outlet.category].rainLoss + 0.5 * (draw() - 0.5),
    quiet: {
      weekdays: [weekday, (weekday + 1 + Math.floor(draw() * 6)) % 7],
      from,
      to: from + length,
      left: 0.25 + 0.2 * draw(),
    },
  };
}

/** Share of an outlet's usual capacity in use, 0..1; 0 while it is closed. */
export function activityAt(habits: Habits, calendar: CalendarSlot, crowd: Crowd, felt: number): number {
  const { opens, closes } = habits;
  const beforeMidnight = calendar.hour >= opens;
  const hour = beforeMidnight ? calendar.hour : calendar.hour + 24;
  if (hour >= closes) return 0;
  // The hours after midnight belong to the weekday on which the outlet opened.
  const weekday = (calendar.day + (beforeMidnight ? 3 : 2)) % 7;
  const { quiet } = habits;
  const quietShare =
    quiet.weekdays.includes(weekday) && hour >= quiet.from && hour < quiet.to ? quiet.left : 1;
  const lean = 1 + 0.4 * habits.lean * Math.tanh((hour - (opens + closes) / 2) / 3);
  const settling = Math.min(1, 0.35 + (hour - opens) * 1.3, 0.35 + (closes - hour) * 1.3);
  const passing = (0.45 + 0.55 * Math.min(1.2, crowd.usual)) * clampRatio(crowd) ** 0.55;
  const rain = 1 - habits.rainLoss * felt;
  const wander = Math.exp(
    0.1 * smooth(mix(habits.seed, 51), calendar.quarter / 10) +
      0.09 * normal(mix(mix(habits.seed, 52), calendar.day)),
  );
  const noise = 0.015 * normal(mix(mix(habits.seed, 53), calendar.quarter));
  const share =
    habits.level * demand(habits.category, hour) * passing * rain * lean * quietShare * settling * wander;
  // Never 0 while open: 0 activity means closed.
  return Math.max(0.01, clamp01(share + noise));
}

const clampRatio = ({ level, usual }: Crowd): number =>
  Math.min(2.5, Math.max(0.2, level / Math.max(0.02, usual)));

function demand(category: Category, hour: number): number {
  const { peaks, base } = trades[category];
  let full = base;
  for (const [centre, width, height] of peaks) full += height * (1 - base) * bump(hour, centre, width);
  return Math.min(1.1, full);
}
