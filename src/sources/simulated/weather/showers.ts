import { monsoon, yearShare } from '../calendar.ts';
import { field, smooth } from '../random/noise.ts';
import { draws, mix, normal, poisson, uniform } from '../random/random.ts';

/** A patch of rain that is born, drifts with the wind, swells, fades and is gone. Hours, kilometres, mm in 15 minutes. */
export interface Shower {
  born: number;
  life: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  radius: number;
  peak: number;
}

/** Showers are drawn for each square of this side, so the weather of a place does not depend on which other pockets there are. */
export const TILE = 16;
export const LONGEST_LIFE = 2.5;
export const FASTEST = 25;
export const WIDEST = 8;

/** Showers in a tile on an ordinary day with a storm over it from midnight to midnight. */
const PER_STORMY_DAY = 70;
const MOST_PER_HOUR = 40;
/** Strength of a full storm; most of the time there is a small fraction of it. */
const STORM_CAP = 40;
/** Storms are some 40 km across. */
const SPREAD = TILE / 38;

/** How readily showers are born, by hour: few at night, some before noon, most in the afternoon. */
const hourWeights = [
  2, 2, 2, 2.4, 3.2, 3.8, 3.6, 3.8, 4.6, 5.4, 5.4, 5, 5, 6, 6.6, 8, 9, 8, 5, 3, 2.2, 1.8, 1.9, 2,
];
const hourTotal = hourWeights.reduce((a, b) => a + b, 0);

/** Wet and dry spells of a few days, with days of their own: 0 is a day without showers, the mean is about 1. */
function wetness(seed: number, day: number): number {
  const spell = 0.65 * smooth(mix(seed, 1), day / 3.5) + 0.75 * normal(mix(mix(seed, 2), day));
  if (spell < -1 - 0.5 * monsoon(day)) return 0;
  return (0.72 + 0.2 * monsoon(day)) * Math.exp(0.75 * spell);
}

/** Wind in km/h: it carries showers to the south-west around the new year, to the north-east in mid-year. */
function wind(seed: number, day: number): [number, number] {
  const season = Math.cos(2 * Math.PI * (yearShare(day) - 0.03));
  const gust = (key: number) => 5 * smooth(mix(seed, key), day / 1.7);
  return [-7 * season + gust(3), -6 * season + gust(4)];
}

/** The showers born in one tile on one day. They come in storms: many close together, then none for hours. */
export function tileShowers(seed: number, day: number, tileX: number, tileY: number): Shower[] {
  const wet = wetness(seed, day);
  if (wet === 0) return [];
  const tileSeed = mix(mix(mix(seed, day), tileX), tileY);
  const breeze = wind(seed, day);
  const born: Shower[] = [];
  for (const [n, weight] of hourWeights.entries()) {
    const hour = day * 24 + n;
    const storm = Math.exp(2.5 * field(mix(seed, 5), tileX * SPREAD, tileY * SPREAD, hour / 4)) / STORM_CAP;
    const expected = PER_STORMY_DAY * wet * (weight / hourTotal) * Math.min(1, storm);
    const key = mix(tileSeed, n);
    const count = poisson(expected, uniform(key), MOST_PER_HOUR);
    for (let i = 0; i < count; i++)
      born.push(shower(mix(key, i + 1), hour, tileX, tileY, breeze, monsoon(day)));
  }
  return born;
}

function shower(
  key: number,
  hour: number,
  tileX: number,
  tileY: number,
  breeze: [number, number],
  monsoonal: number,
): Shower {
  const draw = draws(key);
  const [vx, vy] = drift(breeze, draw(), draw());
  return {
    born: hour + draw(),
    life: Math.min(LONGEST_LIFE, 0.5 + (1.2 + 0.8 * monsoonal) * draw() ** 1.3),
    x: (tileX + draw()) * TILE,
    y: (tileY + draw()) * TILE,
    vx,
    vy,
    radius: Math.min(WIDEST, (2.2 + 3.8 * draw()) * (1 + 0.2 * monsoonal)),
    peak: Math.min(16, (1.9 - 0.4 * monsoonal) * Math.exp(1.25 * normal(mix(key, 100)))),
  };
}

function drift([wx, wy]: [number, number], a: number, b: number): [number, number] {
  const vx = wx + (a - 0.5) * 5;
  const vy = wy + (b - 0.5) * 5;
  const speed = Math.hypot(vx, vy) || 1;
  const allowed = Math.min(FASTEST, Math.max(4, speed)) / speed;
  return [vx * allowed, vy * allowed];
}

/** Strength of a shower at a point of its life, 0..1: a quick rise and a slower end. */
export const vigour = (lived: number): number =>
  lived <= 0 || lived >= 1 ? 0 : Math.sin(Math.PI * lived ** 0.8) ** 0.7;
