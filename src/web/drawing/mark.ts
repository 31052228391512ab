// The mark of the service, as in assets/icon.svg and assets/icons.
import { arc, type Canvas, type Hex, type Point } from './canvas.ts';

/** The side of the square that icon.svg is drawn in. */
const BOX = 32;

/** The watch: its case, its hands and its crown. `corner` is the upper left of a square with this side. */
export function drawMark(canvas: Canvas, corner: Point, side: number, colour: Hex): void {
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
