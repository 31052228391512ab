// The mark of the service, as in assets/icon.svg, for icons as PNG.
import { arc, Canvas, type Hex, type Point } from './canvas.ts';
import { encodePng, icoOf } from './png.ts';

const INK: Hex = '#2b8074';
const GROUND: Hex = '#f6f3ec';
/** The side of the square that icon.svg is drawn in. */
const BOX = 32;

/** The watch: its case, its hands and its crown. `corner` is the upper left of a square with this side. */
export function drawMark(canvas: Canvas, corner: Point, side: number, colour: Hex = INK): void {
  const scale = side / BOX;
  const strokes: [thickness: number, points: Point[]][] = [
    [3, arc({ x: 16, y: 18 }, 11, 11, 0, 360, 60)],
    [
      2.6,
      [
        { x: 16, y: 11.5 },
        { x: 16, y: 18 },
        { x: 20.5, y: 21 },
      ],
    ],
    [
      3,
      [
        { x: 13, y: 3.5 },
        { x: 19, y: 3.5 },
      ],
    ],
  ];
  for (const [thickness, points] of strokes)
    canvas.stroke(
      points.map(({ x, y }) => ({ x: corner.x + x * scale, y: corner.y + y * scale })),
      thickness * scale,
      colour,
    );
}

/** `fill` is the share of the side that the mark takes: a maskable icon may be cut to a circle of 0.8 of its side. */
export function iconPng(size: number, fill: number, transparent = false): Promise<Buffer> {
  const canvas = new Canvas(size, size, GROUND);
  const side = size * fill;
  drawMark(canvas, { x: (size - side) / 2, y: (size - side) / 2 }, side);
  return encodePng(canvas.image({ transparent }));
}

export const faviconIco = async (): Promise<Buffer> => icoOf(await iconPng(32, 1, true), 32);
