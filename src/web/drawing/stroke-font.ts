// A small font of strokes, drawn for this service: Latin letters with common accents, digits and punctuation. Capitals
// are 7 units high, small letters 5; y grows upwards from the baseline.
import { arc, type Canvas, type Hex, type Point } from './canvas.ts';

/** Strokes are separated by '|'. `x,y` is a point; `x,y,rx,ry,from,to` an arc of an ellipse in degrees. */
const bowl = '2,2.5,2,2.5,0,360';
const dot = '0.4,6.8';
const glyphs: Record<string, [width: number, strokes: string]> = {
  a: [4, `${bowl}|4,5 4,0`],
  b: [4, `0,7 0,0|${bowl}`],
  c: [3.6, '2,2.5,2,2.5,50,310'],
  d: [4, `4,7 4,0|${bowl}`],
  e: [4, '0,2.5 4,2.5 2,2.5,2,2.5,0,310'],
  f: [2.7, '2.5,5.5,1.3,1.5,80,180 1.2,0|0,5 2.6,5'],
  g: [4, `${bowl}|4,5 4,0 2,0,2,2,0,-140`],
  h: [4, '0,7 0,0|0,3 2,3,2,2,180,0 4,0'],
  i: [0.8, `0.4,5 0.4,0|${dot}`],
  j: [1.6, '1.5,5 1.5,-0.8 0.3,-0.8,1.2,1.2,0,-80|1.5,6.8'],
  k: [3.7, '0,7 0,0|3.5,5 0,1.8|1.3,3 3.7,0'],
  l: [0.8, '0.4,7 0.4,0'],
  m: [6.4, '0,5 0,0|0,3.2 1.6,3.2,1.6,1.8,180,0 3.2,0|3.2,3.2 4.8,3.2,1.6,1.8,180,0 6.4,0'],
  n: [4, '0,5 0,0|0,3 2,3,2,2,180,0 4,0'],
  o: [4, bowl],
  p: [4, `0,5 0,-2|${bowl}`],
  q: [4, `4,5 4,-2|${bowl}`],
  r: [2.8, '0,5 0,0|0,3 1.9,3.1,1.9,1.9,180,60'],
  s: [3.3, '1.7,3.75,1.5,1.25,40,270 1.7,1.25,1.6,1.25,90,-140'],
  t: [2.7, '1.2,6.6 1.2,1.3 2.4,1.3,1.2,1.3,180,280|0,5 2.6,5'],
  u: [4, '0,5 0,2 2,2,2,2,180,360|4,5 4,0'],
  v: [4, '0,5 2,0 4,5'],
  w: [6, '0,5 1.5,0 3,5 4.5,0 6,5'],
  x: [3.7, '0,5 3.7,0|3.7,5 0,0'],
  y: [4, '0,5 2,0|4,5 1.2,-2'],
  z: [3.8, '0.2,5 3.6,5 0,0 3.8,0'],
  A: [5, '0,0 2.5,7 5,0|0.9,2.4 4.1,2.4'],
  B: [4.4, '0,0 0,7 2.2,7 2.2,5.3,1.7,1.7,90,-90 0,3.6|2.4,3.6 2.4,1.8,2,1.8,90,-90 0,0'],
  C: [5.5, '3.2,3.5,3.2,3.5,45,315'],
  D: [5, '0,0 0,7 1.8,7 1.8,3.5,3.2,3.5,90,-90 0,0'],
  E: [4, '4,7 0,7 0,0 4,0|0,3.7 3.4,3.7'],
  F: [4, '4,7 0,7 0,0|0,3.7 3.4,3.7'],
  G: [6.4, '3.2,3.5,3.2,3.5,45,355 6.4,3.3 3.9,3.3'],
  H: [4.8, '0,7 0,0|4.8,7 4.8,0|0,3.6 4.8,3.6'],
  I: [0.8, '0.4,7 0.4,0'],
  J: [2.8, '2.8,7 2.8,1.6 1.2,1.6,1.6,1.6,0,-160'],
  K: [4.6, '0,7 0,0|4.4,7 0,2.6|1.7,4.3 4.6,0'],
  L: [3.8, '0,7 0,0 3.8,0'],
  M: [5.8, '0,0 0,7 2.9,2.2 5.8,7 5.8,0'],
  N: [4.8, '0,0 0,7 4.8,0 4.8,7'],
  O: [6.6, '3.3,3.5,3.3,3.5,0,360'],
  P: [4.3, '0,0 0,7 2.3,7 2.3,5,2,2,90,-90 0,3'],
  Q: [6.6, '3.3,3.5,3.3,3.5,0,360|4.2,1.8 6.4,-0.5'],
  R: [4.4, '0,0 0,7 2.3,7 2.3,5,2,2,90,-90 0,3|2,3 4.4,0'],
  S: [4.4, '2.2,5.3,2,1.7,40,270 2.2,1.8,2.2,1.8,90,-140'],
  T: [4.8, '0,7 4.8,7|2.4,7 2.4,0'],
  U: [4.6, '0,7 0,2.3 2.3,2.3,2.3,2.3,180,360 4.6,7'],
  V: [5, '0,7 2.5,0 5,7'],
  W: [7.2, '0,7 1.8,0 3.6,7 5.4,0 7.2,7'],
  X: [4.6, '0,7 4.6,0|4.6,7 0,0'],
  Y: [4.8, '0,7 2.4,3.3 4.8,7|2.4,3.3 2.4,0'],
  Z: [4.6, '0.2,7 4.4,7 0,0 4.6,0'],
  '0': [4, '2,3.5,2,3.5,0,360'],
  '1': [2.4, '0.4,5.4 2,7 2,0'],
  '2': [4, '2,5.1,1.9,1.9,160,-30 0.1,0 4,0'],
  '3': [4, '1.9,5.35,1.65,1.65,150,-90 1.9,1.85,2.05,1.85,90,-150'],
  '4': [4.2, '3,0 3,7 0,2 4.2,2'],
  '5': [4, '3.6,7 0.7,7 0.5,3.7 1.9,2.2,2.1,2.2,130,-145'],
  '6': [4, '2,2.1,2,2.1,0,360|2.9,7 0.35,3.2'],
  '7': [4, '0,7 4,7 1.3,0'],
  '8': [4, '2,5.3,1.6,1.7,0,360|2,1.8,2,1.8,0,360'],
  '9': [4, '2,4.9,2,2.1,0,360|3.65,3.8 1.1,0'],
  ' ': [1.4, ''],
  '.': [0.8, '0.4,0'],
  ',': [0.8, '0.6,0.1 0.2,-1.2'],
  ':': [0.8, '0.4,0.3|0.4,4.2'],
  '-': [2.4, '0,2.5 2.4,2.5'],
  '–': [3.4, '0,2.5 3.4,2.5'],
  '+': [3.6, '0,2.7 3.6,2.7|1.8,4.5 1.8,0.9'],
  '·': [0.8, '0.4,2.5'],
  '/': [3, '0,-0.6 3,7.4'],
  '%': [5.8, '1.2,5.6,1.2,1.4,0,360|4.6,1.4,1.2,1.4,0,360|5,7 0.8,0'],
  '&': [5, '5,0 1.2,4.8 2.4,5.6,1.3,1.4,200,-20 0.6,2.6 2,1.7,2,1.7,155,330 4.9,3'],
  "'": [0.8, '0.4,7 0.4,5.4'],
  '’': [0.8, '0.5,7 0.2,5.4'],
  '(': [1.8, '3.4,3,3.4,5,130,230'],
  ')': [1.8, '-1.6,3,3.4,5,50,-50'],
};

/** Accents by their combining character; the origin is the middle of the letter at its upper edge. */
const accents: Record<string, string> = {
  '\u0300': '-0.8,2 0.3,0.9',
  '\u0301': '0.8,2 -0.3,0.9',
  '\u0302': '-1.1,0.9 0,2 1.1,0.9',
  '\u0303': '-1.2,1 -0.4,1.7 0.4,1 1.2,1.7',
  '\u0304': '-1.1,1.4 1.1,1.4',
  '\u0308': '-1,1.5|1,1.5',
  '\u030a': '0,1.5,0.7,0.7,0,360',
};

const CAPITAL = 7;
const SPACING = 1.6;

interface Placed {
  strokes: string;
  x: number;
  y: number;
}

const decompose = (text: string): string[] => [...text.replaceAll('ß', 'ss').normalize('NFD')];

/** Whether every character has a glyph. */
export const canDraw = (text: string): boolean =>
  decompose(text).every((character) => character in glyphs || character in accents);

/** The glyphs in a line, in units, and how long the line is. Characters without a glyph are left out. */
function layOut(text: string): { placed: Placed[]; width: number } {
  const placed: Placed[] = [];
  let [x, last] = [0, { middle: 0, top: 0 }];
  for (const character of decompose(text)) {
    const accent = accents[character];
    if (accent) placed.push({ strokes: accent, x: last.middle, y: last.top });
    const glyph = glyphs[character];
    if (!glyph) continue;
    const [width, strokes] = glyph;
    placed.push({ strokes, x, y: 0 });
    last = { middle: x + width / 2, top: /[a-z]/.test(character) ? 5 : CAPITAL };
    x += width + SPACING;
  }
  return { placed, width: Math.max(0, x - SPACING) };
}

export interface TextStyle {
  /** Height of a capital in pixels. */
  height: number;
  thickness: number;
  colour: Hex;
  /** The start of the text, or its end, is at `at`. */
  align?: 'start' | 'end';
}

/** In pixels. */
export const textWidth = (text: string, height: number): number => (layOut(text).width * height) / CAPITAL;

/** `at` is on the baseline. */
export function drawText(
  canvas: Canvas,
  text: string,
  at: Point,
  { height, thickness, colour, align = 'start' }: TextStyle,
): void {
  const unit = height / CAPITAL;
  const { placed, width } = layOut(text);
  const left = align === 'end' ? at.x - width * unit : at.x;
  for (const { strokes, x, y } of placed) {
    for (const stroke of strokes.split('|').filter(Boolean))
      canvas.stroke(
        stroke
          .split(' ')
          .flatMap(elementPoints)
          .map((point) => ({ x: left + (x + point.x) * unit, y: at.y + (point.y - y) * unit })),
        thickness,
        colour,
      );
  }
}

/** The points of one element in units, with y downwards as on a canvas. */
function elementPoints(element: string): Point[] {
  const [x = 0, y = 0, rx, ry, from, to] = element.split(',').map(Number);
  if (rx === undefined || ry === undefined || from === undefined || to === undefined) return [{ x, y: -y }];
  return arc({ x, y: -y }, rx, ry, from, to);
}
