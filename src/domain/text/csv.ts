/** CSV by RFC 4180: lines end in CRLF, and a cell is quoted where it would be misread otherwise. */
export type Cell = string | number | boolean | null;

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** Spreadsheets run a text that begins like this as a formula (CSV injection); a leading quote makes it plain text. */
const formula = /^[=+\-@\t\r]/;

/** Null is an empty cell. Numbers and flags are never formulas, so a minus sign in them is safe. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
