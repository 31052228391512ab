// Tables, bars and lists of figures. They work without scripts; page.js makes tables sortable.
import { type Html, html, type Piece } from './html.ts';

export interface Column {
  name: string;
  /** Aligned to the right. */
  figures?: boolean;
  /** The heading is hidden visually, since the cells explain themselves; screen readers still read it. */
  unseen?: boolean;
  /** Cells hold sentences and may wrap. */
  text?: boolean;
  /** The URL of the table sorted by this column, where the server can sort it. */
  sortedAt?: string;
  /** Set on the column that the table is sorted by. */
  sorted?: 'ascending' | 'descending';
}

/** A column is its name where there is nothing more to say of it. */
export type Columns = readonly (Column | string)[];

export const figureColumns = (...names: string[]): Column[] => names.map((name) => ({ name, figures: true }));

export interface Row {
  cells: readonly Piece[];
  /** The x coordinate of the row in its chart. */
  x?: number;
}

/** A table of at most this many columns fits a phone; the figures of a chart, which are smaller, may have more. */
const NARROW_COLUMNS = 3;
const NARROW_CHART_COLUMNS = 5;
/** More rows would make too long a list of cards, and too large a page. */
const MOST_CARDS = 40;

/**
 * The first cell of a row is its heading. On a phone a wide table of few rows becomes a list of cards, where each cell
 * states its column; any other scrolls within its own region.
 */
export function table(caption: string, given: Columns, rows: readonly Row[]): Html {
  if (!rows.length) return html`<p>${caption}: none.</p>`;
  const columns = given.map((column) => (typeof column === 'string' ? { name: column } : column));
  const isOfChart = rows.some(({ x }) => x !== undefined);
  const isWide = columns.length > (isOfChart ? NARROW_CHART_COLUMNS : NARROW_COLUMNS);
  const cards = isWide && rows.length <= MOST_CARDS;
  return html`
<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="sortable${cards ? ' cards' : ''}"${role(cards, 'table')}>
<caption class="unseen">${caption}</caption>
<thead${role(cards, 'rowgroup')}><tr${role(cards, 'row')}>${columns.map(heading)}</tr></thead>
<tbody${role(cards, 'rowgroup')}>${rows.map((one) => (cards ? card(columns, one) : row(columns, one)))}</tbody>
</table></div>`;
}

/** Elements of a table that are laid out as blocks lose their meaning for screen readers unless it is stated. */
const role = (cards: boolean, name: string): Html | null => (cards ? html` role="${name}"` : null);

const xAttribute = ({ x }: Row): Html | null => (x === undefined ? null : html` data-x="${x}"`);

const card = (columns: readonly Column[], one: Row): Html =>
  html`<tr role="row"${xAttribute(one)}>${one.cells.map((cell, at) => {
    const column = columns[at];
    if (at === 0) return html`<th scope="row" role="rowheader"${columnClass(column)}>${cell}</th>`;
    const label = column?.unseen ? null : html` data-label="${column?.name ?? ''}"`;
    return html`<td role="cell"${columnClass(column)}${label}>${cell}</td>`;
  })}</tr>\n`;

const columnClass = (column: Column | undefined): Html | null =>
  column?.figures ? html` class="figures"` : column?.text ? html` class="text"` : null;

const heading = (column: Column): Html => {
  const { name, sortedAt, sorted, unseen } = column;
  return html`<th scope="col"${columnClass(column)}${sorted ? html` aria-sort="${sorted}"` : null}>${
    sortedAt
      ? html`<a href="${sortedAt}">${name}</a>`
      : unseen
        ? html`<span class="unseen">${name}</span>`
        : name
  }</th>`;
};

const row = (columns: readonly Column[], one: Row): Html =>
  one.x === undefined
    ? html`<tr>${one.cells.map((cell, at) =>
        at === 0
          ? html`<th scope="row"${columnClass(columns[at])}>${cell}</th>`
          : html`<td${columnClass(columns[at])}>${cell}</td>`,
      )}</tr>\n`
    : chartRow(columns, one);

/** Charts have many rows: without the end tags and quotes that HTML does not need they are a third lighter. */
const chartRow = (columns: readonly Column[], { x, cells }: Row): Html =>
  html`<tr data-x=${x ?? null}>${cells.map((cell, at) => {
    const kind = columns[at]?.figures ? html` class=figures` : columns[at]?.text ? html` class=text` : null;
    return at === 0 ? html`<th scope=row${kind}>${cell}` : html`<td${kind}>${cell}`;
  })}\n`;

/**
 * A bar for a share of 0 to 1, with a mark where a threshold lies. Hidden from screen readers: the figures beside it say
 * the same.
 */
export function meter(share: number | null, kind = 'plain', threshold: number | null = null): Html {
  const mark =
    threshold === null
      ? null
      : html`<rect class="threshold" x="${Math.min(99, meterWidth(threshold))}" width="1" height="8"/>`;
  return html`<svg class="meter ${kind}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/><rect class="fill" width="${meterWidth(share ?? 0)}" height="8"/>${mark}</svg>`;
}

const meterWidth = (share: number): number => Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;

interface Bar {
  label: Piece;
  /** Length of the bar, 0 to 1; null when not known. */
  share: number | null;
  value: Piece;
  kind?: string;
  /** What the value has to reach, on the scale of `share`: drawn on the bar and stated beside the value. */
  threshold?: number;
}

/** Horizontal bars with their figures, and with the threshold of each that has one. */
export const bars = (caption: string, list: readonly Bar[]): Html => html`
<table class="bars"><caption class="unseen">${caption}</caption><tbody>${list.map(
  ({ label, share, value, kind, threshold }) =>
    html`<tr><th scope="row">${label}</th><td class="bar">${meter(share, kind, threshold)}</td><td class="figures">${value}${threshold === undefined ? null : html` <small>needs ${threshold}</small>`}</td></tr>\n`,
)}</tbody></table>`;

/** A list of names with their values. */
export const facts = (list: readonly (readonly [name: Piece, value: Piece, more?: Piece])[]): Html => html`
<dl class="facts">${list.map(
  ([name, value, more]) =>
    html`<div><dt>${name}</dt><dd>${value}${more ? html` <small>${more}</small>` : null}</dd></div>`,
)}</dl>`;
