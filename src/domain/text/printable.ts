/** Untrusted text made safe to show in a line: without control, bidirectional or zero-width characters, and short. */
export function printable(text: string, maxLength = 80): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const letters = [...clean];
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : clean;
}

/** Untrusted text as a quotation. Quotes inside it are replaced, so that none of them ends it. */
export const quoted = (text: string): string => `'${printable(text).replaceAll("'", '’')}'`;
