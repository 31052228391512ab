// A table that becomes a list of cards on a phone: each cell carries the name of its column, which the stylesheet shows.
import { type Html, html, type Piece } from './html.ts';
import type { Column, Row } from './table.ts';

/** The first cell of a row is its heading, and the heading of its card. */
export const cardTable = (caption: string, columns: readonly Column[], rows: readonly Row[]): Html => html`
<table class="sortable carded">
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map(({ cells }) => html`<tr>${cells.map((cell, at) => cellOf(columns[at], cell, at))}</tr>\n`)}</tbody>
</table>`;

const classOf = (column: Column | undefined): Html | null =>
  column?.figures ? html` class="figures"` : column?.text ? html` class="text"` : null;

const heading = (column: Column): Html =>
  html`<th scope="col"${classOf(column)}>${column.unseen ? html`<span class="unseen">${column.name}</span>` : column.name}</th>`;

function cellOf(column: Column | undefined, cell: Piece, at: number): Html {
  if (at === 0) return html`<th scope="row"${classOf(column)}>${cell}</th>`;
  const label = column?.unseen ? '' : (column?.name ?? '');
  return html`<td${classOf(column)} data-label="${label}">${cell}</td>`;
}
