/** A table as RFC 4180 has it: a header, lines that end in CRLF, quotes where a cell would be misread without. */
export type Cell = string | number | boolean | null;

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** A spreadsheet takes a text that begins like this for a formula; a quote before it makes it text again. */
const formula = /^[=+\-@\t\r]/;

/** Nothing is an empty cell. Numbers and flags are no text, so that a minus sign is safe. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
