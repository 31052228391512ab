// A drawing of round strokes in flat colours, with smooth edges. Everything that the service draws as PNG (link cards,
// icons) is made of such strokes: letters, bars and the mark.
import type { Colour, IndexedImage } from './png.ts';

/** In pixels; y grows downwards. */
export interface Point {
  x: number;
  y: number;
}

/** '#rrggbb' */
export type Hex = `#${string}`;

/** Steps from the ground to a full stroke at its edge. */
const LEVELS = 16;
const FULL = LEVELS - 1;

export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #ground: Hex;
  readonly #inks: Hex[] = [];
  /** For each pixel the ink × LEVELS + the level; 0 is the ground. */
  readonly #pixels: Uint8Array;

  constructor(width: number, height: number, ground: Hex) {
    this.width = width;
    this.height = height;
    this.#ground = ground;
    this.#pixels = new Uint8Array(width * height);
  }

  /** A line through the points with round ends; a single point is a dot. */
  stroke(points: readonly Point[], thickness: number, colour: Hex): void {
    const ink = this.#inkOf(colour);
    const [first] = points;
    if (points.length === 1 && first) this.#segment(first, first, thickness / 2, ink);
    for (let n = 1; n < points.length; n++)
      this.#segment(points[n - 1] as Point, points[n] as Point, thickness / 2, ink);
  }

  #inkOf(colour: Hex): number {
    const known = this.#inks.indexOf(colour);
    if (known >= 0) return known;
    if (this.#inks.length === 256 / LEVELS) throw new RangeError('too many colours');
    return this.#inks.push(colour) - 1;
  }

  #segment(from: Point, to: Point, radius: number, ink: number): void {
    const dx = to.x - from.x;
    const dy = to.y - from.y;
    const squared = dx * dx + dy * dy;
    const reach = radius + 0.5;
    const left = Math.max(0, Math.floor(Math.min(from.x, to.x) - reach));
    const right = Math.min(this.width - 1, Math.ceil(Math.max(from.x, to.x) + reach));
    const top = Math.max(0, Math.floor(Math.min(from.y, to.y) - reach));
    const bottom = Math.min(this.height - 1, Math.ceil(Math.max(from.y, to.y) + reach));
    const inside = radius > 0.5 ? (radius - 0.5) ** 2 : -1;
    const pixels = this.#pixels;
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        // From the segment's start to the middle of the pixel, and from there to the nearest point of the segment.
        const px = x + 0.5 - from.x;
        const py = y + 0.5 - from.y;
        const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
        const ox = px - along * dx;
        const oy = py - along * dy;
        const apart = ox * ox + oy * oy;
        if (apart >= reach * reach) continue;
        // Most pixels are well inside and need no square root.
        const level = apart <= inside ? FULL : Math.round(FULL * Math.min(1, reach - Math.sqrt(apart)));
        const at = y * this.width + x;
        if (level > 0 && level >= (pixels[at] as number) % LEVELS) pixels[at] = ink * LEVELS + level;
      }
    }
  }

  /** Edges are mixed with the ground. */
  image(): IndexedImage {
    const ground = rgb(this.#ground);
    const palette = this.#inks.flatMap((hex) => {
      const ink = rgb(hex);
      return Array.from({ length: LEVELS }, (_, level): Colour => {
        const share = level / FULL;
        const mix = (from: number, to: number) => Math.round(from + share * (to - from));
        return {
          red: mix(ground.red, ink.red),
          green: mix(ground.green, ink.green),
          blue: mix(ground.blue, ink.blue),
        };
      });
    });
    const { width, height } = this;
    return {
      ...{ width, height, pixels: this.#pixels },
      palette: palette.length ? palette : [ground],
    };
  }
}

const rgb = (hex: Hex) => {
  const value = Number.parseInt(hex.slice(1), 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
};

/** Points along an ellipse between two angles in degrees; 0 is right and 90 up. */
export function arc(centre: Point, rx: number, ry: number, from: number, to: number, steps = 20): Point[] {
  return Array.from({ length: steps + 1 }, (_, n) => {
    const angle = ((from + ((to - from) * n) / steps) * Math.PI) / 180;
    return { x: centre.x + rx * Math.cos(angle), y: centre.y - ry * Math.sin(angle) };
  });
}
