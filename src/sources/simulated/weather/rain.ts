// Rain on the sites of a city: the showers of showers.ts, summed over the places that they pass.
import { memoize } from '../memoize.ts';
import { mix } from '../random/random.ts';
import type { Site } from '../sites.ts';
import { FASTEST, LONGEST_LIFE, type Shower, TILE, tileShowers, vigour, WIDEST } from './showers.ts';

/** Millimetres that fell on each site in the quarter hour that ends at `quarter`. */
export type Rain = (quarter: number) => Float64Array;

const BUCKET = 4;
const CACHED_DAYS = 16;
const REACH = Math.ceil((FASTEST * LONGEST_LIFE + WIDEST) / TILE);
/** When each quarter is sampled, in hours before its end: several times, so that a fast shower does not skip a site. */
const samples = [0.21, 0.125, 0.04];

interface Box {
  west: number;
  east: number;
  south: number;
  north: number;
}

export function rainOver(sites: Site[], seed: number, cached: number): Rain {
  const boxes = tileBoxes(sites);
  const tiles = tilesAround(boxes.keys());
  const buckets = siteBuckets(sites);
  const skySeed = mix(seed, 1);

  const showersBorn = memoize(CACHED_DAYS, (day) => {
    const near = [...boxes.values()];
    return tiles.flatMap(([tx, ty]) =>
      tileShowers(skySeed, day, tx, ty).filter((shower) => near.some((box) => sweeps(shower, box))),
    );
  });

  return memoize(cached, (quarter) => {
    const fallen = new Float64Array(sites.length);
    const end = quarter / 4;
    const day = Math.floor(end / 24);
    // A shower born before midnight may outlive it.
    for (const born of [showersBorn(day - 1), showersBorn(day)]) {
      for (const shower of born) {
        if (shower.born >= end || shower.born + shower.life <= end - 0.25) continue;
        for (const ago of samples) pour(shower, end - ago, sites, buckets, fallen);
      }
    }
    return fallen;
  });
}

function pour(
  shower: Shower,
  hour: number,
  sites: Site[],
  buckets: Map<string, number[]>,
  fallen: Float64Array,
): void {
  const lived = hour - shower.born;
  const strength = (shower.peak * vigour(lived / shower.life)) / samples.length;
  if (strength === 0) return;
  const { radius } = shower;
  const x = shower.x + shower.vx * lived;
  const y = shower.y + shower.vy * lived;
  for (let bx = Math.floor((x - radius) / BUCKET); bx <= Math.floor((x + radius) / BUCKET); bx++) {
    for (let by = Math.floor((y - radius) / BUCKET); by <= Math.floor((y + radius) / BUCKET); by++) {
      for (const i of buckets.get(`${bx},${by}`) ?? []) {
        const site = sites[i] as Site;
        const near = 1 - ((site.x - x) ** 2 + (site.y - y) ** 2) / radius ** 2;
        if (near > 0) fallen[i] = (fallen[i] as number) + strength * near;
      }
    }
  }
}

function siteBuckets(sites: Site[]): Map<string, number[]> {
  const buckets = new Map<string, number[]>();
  for (const [i, { x, y }] of sites.entries()) {
    const key = `${Math.floor(x / BUCKET)},${Math.floor(y / BUCKET)}`;
    const bucket = buckets.get(key);
    if (bucket) bucket.push(i);
    else buckets.set(key, [i]);
  }
  return buckets;
}

/** For each tile with sites in it, the box that holds them. */
function tileBoxes(sites: Site[]): Map<string, Box> {
  const boxes = new Map<string, Box>();
  for (const { x, y } of sites) {
    const key = `${Math.floor(x / TILE)},${Math.floor(y / TILE)}`;
    const box = boxes.get(key) ?? { west: x, east: x, south: y, north: y };
    boxes.set(key, {
      west: Math.min(box.west, x),
      east: Math.max(box.east, x),
      south: Math.min(box.south, y),
      north: Math.max(box.north, y),
    });
  }
  return boxes;
}

/** Every tile from which a shower could reach a site. */
function tilesAround(occupied: Iterable<string>): [number, number][] {
  const tiles = new Map<string, [number, number]>();
  for (const key of occupied) {
    const [cx = 0, cy = 0] = key.split(',').map(Number);
    for (let tx = cx - REACH; tx <= cx + REACH; tx++)
      for (let ty = cy - REACH; ty <= cy + REACH; ty++) tiles.set(`${tx},${ty}`, [tx, ty]);
  }
  return [...tiles.values()];
}

function sweeps({ x, y, vx, vy, life, radius }: Shower, box: Box): boolean {
  const x2 = x + vx * life;
  const y2 = y + vy * life;
  return (
    Math.max(x, x2) + radius >= box.west &&
    Math.min(x, x2) - radius <= box.east &&
    Math.max(y, y2) + radius >= box.south &&
    Math.min(y, y2) - radius <= box.north
  );
}
