/** Untrusted text as one line that shows all that it holds: without control, bidirectional or zero-width characters. */
export const plainLine = (text: string): string =>
  text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');

/** The same, and short. */
export function printable(text: string, maxLength = 80): string {
  const clean = plainLine(text);
  const letters = [...clean];
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : clean;
}

/** Untrusted text as a quotation. Quotes inside it are replaced, so that none of them ends it. */
export const quote = (text: string): string => `'${printable(text).replaceAll("'", '’')}'`;

/** Untrusted text as one line in which those characters are shown by their number. */
export const escapeControls = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
