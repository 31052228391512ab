// A heat map as a plain table: it needs no script, and every cell says in words what its colour shows.
import { type Html, html } from '../parts/html.ts';

/** Five steps of colour: 0 is the lowest value. */
export type HeatLevel = 0 | 1 | 2 | 3 | 4;

export interface HeatCell {
  /** Null where there is nothing to show: closed, or not observed. */
  level: HeatLevel | null;
  /** In the cell; with `compact` it is for screen readers only. */
  text: string;
  /** For screen readers, where `text` alone does not say it: 'closed' for a dash. */
  words?: string;
  /** Outlined: the present hour, or the day that the reader chose. */
  marked?: boolean;
}

export interface HeatMap {
  caption: string;
  /** What the first column holds, such as 'Hour'. */
  corner: string;
  columns: readonly string[];
  rows: readonly { label: string; cells: readonly HeatCell[] }[];
  /** `use`: stronger is more. `calm`: the colours of calm, from strained to calm. */
  scale: 'use' | 'calm';
  /** The meaning of some or all levels, below the table. */
  keys: readonly (readonly [level: HeatLevel, words: string])[];
  /** Small cells without visible text, for many columns. */
  compact?: boolean;
}

/** The level of a share of 0 to 1, in five equal steps. */
export const heatLevel = (share: number): HeatLevel =>
  Math.min(4, Math.max(0, Math.floor(share * 5))) as HeatLevel;

export const heatMap = ({ caption, corner, columns, rows, scale, keys, compact }: HeatMap): Html => html`
<div class="heat ${scale}${compact ? ' compact' : ''}">
<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${corner}</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
  ({ label, cells }) =>
    html`<tr><th scope="row">${label}</th>${cells.map((cell) => heatCell(cell, compact ?? false))}</tr>\n`,
)}</tbody>
</table></div>
<p class="keys">${keys.map(([level, words]) => html`<span class="key h${level}">${words}</span>`)}</p>
</div>`;

function heatCell({ level, text, words, marked }: HeatCell, compact: boolean): Html {
  const kind = `${level === null ? 'none' : `h${level}`}${marked ? ' marked' : ''}`;
  const spoken = words ?? text;
  if (compact) return html`<td class="${kind}"><span class="unseen">${spoken}</span></td>`;
  return words === undefined
    ? html`<td class="${kind}">${text}</td>`
    : html`<td class="${kind}"><span aria-hidden="true">${text}</span><span class="unseen">${words}</span></td>`;
}
