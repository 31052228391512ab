// The badge of a pocket: a small SVG for READMEs and other sites. It may stand alone in an <img>, so it has its own
// colours and no stylesheet.
import { type Html, html } from '../parts/html.ts';
import type { PocketView } from './pocket-view.ts';

const HEIGHT = 22;
const PADDING = 8;
/** Mean width of a character of 11 px sans-serif. `textLength` makes every font keep to the width. */
const CHARACTER = 6.4;

/** Dark enough for white text, each with a contrast of at least 4.5. */
const colours: Record<string, string> = {
  c0: '#a84a12',
  c1: '#8a5a1c',
  c2: '#6b6540',
  c3: '#3d7362',
  c4: '#1c685d',
  unread: '#586863',
};

const textWidth = (text: string): number => Math.round([...text].length * CHARACTER);

export function badgeSvg({ name, state, calm, kind, read, data }: PocketView): Html {
  // In an <img> nothing else is seen: not the title, nor a page around it.
  const seen = [data, read?.clock].filter(Boolean).join(', ');
  const value = [state, calm?.label, seen].filter(Boolean).join(' · ');
  const [left, right] = [textWidth(name) + 2 * PADDING, textWidth(value) + 2 * PADDING];
  const text = (x: number, words: string) =>
    html`<text x="${x + PADDING}" y="15" textLength="${textWidth(words)}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" viewBox="0 0 ${left + right} ${HEIGHT}" role="img" aria-label="${name}: ${value}"><title>${name}: ${value}${read && !value.includes(read.day) ? `, ${read.day}` : null}</title><rect width="${left + right}" height="${HEIGHT}" rx="5" fill="${colours[kind] ?? '#586863'}"/><path d="M5 0H${left}V${HEIGHT}H5A5 5 0 0 1 0 ${HEIGHT - 5}V5A5 5 0 0 1 5 0Z" fill="#22302d"/><g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(0, name)}${text(left, value)}</g></svg>`;
}
