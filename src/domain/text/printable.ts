/** Other people's text as it may stand in a line: no control, bidirectional or zero-width characters, and short. */
export function printable(text: string, most = 80): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const letters = [...clean];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : clean;
}

/** Other people's text as a quotation in one of our lines. No quote inside it can end it. */
export const quoted = (text: string): string => `'${printable(text).replaceAll("'", '’')}'`;
