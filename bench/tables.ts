// How a table of results is printed, and written into docs/performance.md.
import { availableParallelism } from 'node:os';

export function plainText(table: readonly string[][]): string {
  const width = (column: number) => Math.max(...table.map((line) => line[column]?.length ?? 0));
  const padded = table.map((line) => line.map((cell, column) => cell.padEnd(width(column))).join('  '));
  return `${padded.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** The page with this table between the marks of the measurement, and when and where it was measured. */
export function withTable(page: string, name: string, table: readonly string[][], now: Date): string {
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`the page has no marks for the table of ${name}`);
  return `${page.slice(0, from)}${tableCaption(now)}\n\n${markdownTable(table)}${page.slice(to)}`;
}

function tableCaption(now: Date): string {
  const { arch, platform, version } = process;
  const machine = `${availableParallelism()} cores, ${platform} ${arch}, Node ${version}`;
  return `Written by \`npm run bench -- --write\` on ${now.toISOString().slice(0, 10)} (${machine}).`;
}

const markdownTable = ([head = [], ...body]: readonly string[][]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
