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

const special = /[&<>"']/;
const eachSpecial = /[&<>"']/g;

/** Most values have nothing to escape, and a test is quicker than a replacement. */
const escaped = (text: string): string =>
  special.test(text) ? text.replace(eachSpecial, (character) => entities[character] ?? character) : text;

const render = (piece: Piece): string => {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.markup;
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (typeof piece === 'number') return String(piece);
  return escaped(String(piece));
};

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let markup = strings[0] ?? '';
  for (let at = 0; at < pieces.length; at += 1) markup += render(pieces[at] ?? null) + strings[at + 1];
  return new Html(markup);
}
