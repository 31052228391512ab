// The picture that other sites show beside a link (og:image): the name, the state and the calm level of a pocket, or
// the name of the service.
import { Canvas, type Hex } from './canvas.ts';
import { drawMark } from './mark.ts';
import { encodePng } from './png.ts';
import { canDraw, drawText, textWidth } from './stroke-font.ts';

/** What sites that show link cards ask for. */
export const CARD = { width: 1200, height: 630 } as const;

const MARGIN = 80;
const WIDTH = CARD.width - 2 * MARGIN;

// The light colours of styles/base.css.
const GROUND: Hex = '#f6f3ec';
const INK: Hex = '#22302d';
const SOFT: Hex = '#586863';
const ACCENT: Hex = '#1c685d';
const TRACK: Hex = '#ded8c8';
const calmColours: readonly Hex[] = ['#c2602f', '#d69a5b', '#b9b08a', '#78ab98', '#2b8074'];

export interface LinkCard {
  /** The first of these that can be drawn is shown: a name may have letters that the font lacks. */
  names: readonly string[];
  /** A line under the name. */
  line: string;
  /** Where the data comes from, at the upper right; empty where that need not be said. */
  data: string;
  /** Null where nothing is known, and for a card that is not about a pocket. */
  calm: { level: number; label: string; time: string } | null;
}

export function linkCardPng({ names, line, data, calm }: LinkCard): Promise<Buffer> {
  const canvas = new Canvas(CARD.width, CARD.height, GROUND);
  drawMark(canvas, { x: MARGIN - 8, y: 62 }, 64, ACCENT);
  drawText(canvas, 'pocketwatch', { x: MARGIN + 72, y: 112 }, { height: 34, thickness: 5, colour: ACCENT });
  drawText(
    canvas,
    data,
    { x: CARD.width - MARGIN, y: 110 },
    { height: 26, thickness: 3.6, colour: SOFT, align: 'end' },
  );
  const name = names.find(canDraw) ?? '';
  const height = heightThatFits(name, 92);
  drawText(canvas, name, { x: MARGIN, y: 310 }, { height, thickness: height / 8, colour: INK });
  const lineHeight = heightThatFits(line, 42);
  drawText(
    canvas,
    line,
    { x: MARGIN, y: 404 },
    { height: lineHeight, thickness: lineHeight / 8, colour: SOFT },
  );
  if (calm) drawMeter(canvas, calm);
  return encodePng(canvas.image());
}

/** The greatest height up to `most` at which the text fits between the margins. */
const heightThatFits = (text: string, most: number): number =>
  Math.min(most, WIDTH / Math.max(1e-9, textWidth(text, 1)));

function drawMeter(canvas: Canvas, { level, label, time }: NonNullable<LinkCard['calm']>): void {
  const thickness = 32;
  const [left, right] = [MARGIN + thickness / 2, CARD.width - MARGIN - thickness / 2];
  const y = 478;
  const step = Math.min(calmColours.length - 1, Math.floor(level * calmColours.length));
  canvas.stroke(
    [
      { x: left, y },
      { x: right, y },
    ],
    thickness,
    TRACK,
  );
  canvas.stroke(
    [
      { x: left, y },
      { x: left + level * (right - left), y },
    ],
    thickness,
    calmColours[step] ?? INK,
  );
  const style = { height: 30, thickness: 4 };
  drawText(canvas, label, { x: MARGIN, y: 558 }, { ...style, colour: INK });
  drawText(canvas, time, { x: CARD.width - MARGIN, y: 558 }, { ...style, colour: SOFT, align: 'end' });
}
