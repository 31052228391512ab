/** The four cells of decisions and their outcomes (docs/formulas.md, "The four cells"). */
import { type PocketSum, roundedShare, type Sums } from '../stats/rollup.ts';
import { percentText } from '../text/figures.ts';
import type { LineOutcome } from './line-serves.ts';
import type { DecisionCells } from './verdict.ts';

/** The sums of verdicts that the cells are made of. */
export const cellSums = [
  ...(['lines_served', 'lines_failed', 'lines_unjudged'] as const),
  ...(['vindicated', 'missed', 'unjudged'] as const),
] satisfies PocketSum[];

export const decisionCells = (sums: Readonly<Sums<(typeof cellSums)[number]>>): DecisionCells => ({
  spoke_served: sums.lines_served,
  spoke_failed: sums.lines_failed,
  silent_right: sums.vindicated,
  silent_wrong: sums.missed,
  inconclusive: sums.lines_unjudged + sums.unjudged,
});

/** Ways in which a line fails. */
export const failedOutcomes = [
  'not_calm',
  'did_not_hold',
  'usually_calm',
  'no_better',
] as const satisfies LineOutcome[];

/** Decisions of one kind that were judged, how many of them were right, and their share; null without any. */
export interface JudgedShare {
  n: number;
  right: number;
  share: number | null;
}

const judgedShare = (right: number, wrong: number): JudgedShare => ({
  n: right + wrong,
  right,
  share: roundedShare(right, right + wrong),
});

export const linesJudged = ({ spoke_served, spoke_failed }: DecisionCells): JudgedShare =>
  judgedShare(spoke_served, spoke_failed);

export const silencesJudged = ({ silent_right, silent_wrong }: DecisionCells): JudgedShare =>
  judgedShare(silent_right, silent_wrong);

const whole = new Intl.NumberFormat('en');
const countText = (n: number, one: string): string => `${whole.format(n)} ${one}${n === 1 ? '' : 's'}`;

/** The part of a sentence that every text and page states the cells with. */
export function cellsText(cells: DecisionCells): string {
  const [lines, silences] = [linesJudged(cells), silencesJudged(cells)];
  const judged = [
    lines.share === null
      ? 'no line was judged'
      : `of ${countText(lines.n, 'line')} judged ${whole.format(lines.right)} served (${percentText(lines.share, 1)})`,
    silences.share === null
      ? 'no silence was judged'
      : `of ${countText(silences.n, 'silence')} ${whole.format(silences.right)} ${silences.right === 1 ? 'was' : 'were'} right (${percentText(silences.share, 1)})`,
  ].join(', ');
  return cells.inconclusive ? `${judged}; ${whole.format(cells.inconclusive)} could not be judged` : judged;
}
