// Templates of HTML and XML that escape every value, so that text from outside never becomes markup.

/** Markup that is safe to output. Everything else put into an `html` template is escaped. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Null renders as nothing. */
export type Piece = Html | string | number | null | readonly Piece[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What begins markup, and what XML 1.0 forbids in any form (section 2.2): one such character and no reader takes a feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNSAFE = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const render = (piece: Piece): string => {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.markup;
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (typeof piece === 'number') return String(piece);
  return String(piece).replace(UNSAFE, (character) => entities[character] ?? ' ');
};

export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(strings.reduce((text, string, i) => text + render(pieces[i - 1] ?? null) + string));
