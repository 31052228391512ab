import { type Html, html, type Piece } from './html.ts';

export interface Column {
  name: string;
  /** Figures are set to the right. */
  figures?: boolean;
  /** What the column holds is plain: only those who listen are told its name. */
  unseen?: boolean;
  /** Sentences may run over several lines. */
  text?: boolean;
  /** The address that shows the table in the order of this column, where the server can sort it. */
  sortedAt?: string;
  /** The order that the table is in. */
  sorted?: 'ascending' | 'descending';
}

export interface Row {
  cells: readonly Piece[];
  /** Where the row stands in a chart. */
  x?: number;
}

/** A table that scrolls in itself where it is too wide. The first cell names its row. */
export const table = (caption: string, columns: readonly Column[], rows: readonly Row[]): Html => html`
<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="sortable">
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map(({ cells, x }) => row(columns, cells, x))}</tbody>
</table></div>`;

const classOf = (column: Column | undefined): Html | null =>
  column?.figures ? html` class="figures"` : column?.text ? html` class="text"` : null;

const heading = (column: Column): Html => {
  const { name, sortedAt, sorted, unseen } = column;
  return html`<th scope="col"${classOf(column)}${sorted ? html` aria-sort="${sorted}"` : null}>${
    sortedAt
      ? html`<a href="${sortedAt}">${name}</a>`
      : unseen
        ? html`<span class="unseen">${name}</span>`
        : name
  }</th>`;
};

const row = (columns: readonly Column[], cells: readonly Piece[], x: number | undefined): Html =>
  html`<tr${x === undefined ? null : html` data-x="${x}"`}>${cells.map((cell, at) =>
    at === 0
      ? html`<th scope="row"${classOf(columns[at])}>${cell}</th>`
      : html`<td${classOf(columns[at])}>${cell}</td>`,
  )}</tr>\n`;

/** A bar from 0 to 1 beside a figure that says the same. */
export function meter(share: number | null, kind = 'plain'): Html {
  const width = Math.round(1000 * Math.min(1, Math.max(0, share ?? 0))) / 10;
  return html`<svg class="meter ${kind}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/><rect class="fill" width="${width}" height="8"/></svg>`;
}

export interface Bar {
  label: Piece;
  /** How long the bar is, 0 to 1; null: nothing is known. */
  share: number | null;
  value: Piece;
  kind?: string;
}

/** Figures as bars, one under another. */
export const bars = (caption: string, list: readonly Bar[]): Html => html`
<table class="bars"><caption class="unseen">${caption}</caption><tbody>${list.map(
  ({ label, share, value, kind }) =>
    html`<tr><th scope="row">${label}</th><td class="bar">${meter(share, kind)}</td><td class="figures">${value}</td></tr>\n`,
)}</tbody></table>`;

/** Names and what they stand at, side by side. */
export const facts = (list: readonly (readonly [name: Piece, value: Piece, more?: Piece])[]): Html => html`
<dl class="facts">${list.map(
  ([name, value, more]) =>
    html`<div><dt>${name}</dt><dd>${value}${more ? html` <small>${more}</small>` : null}</dd></div>`,
)}</dl>`;
