/** How much of the waking time of a pocket lines may take up (docs/formulas.md, "Heard enough"). */
import { DAY, HOUR } from '../time/slot.ts';
import { WAKING } from '../time/waking-hours.ts';

/** When a line was live. */
export interface SaidSpan {
  from: number;
  to: number;
}

/** The days over which the share is taken. */
const DAYS = 14;
/** Under the 15 % that are promised of any month, since a line of the present counts whole. */
const MOST = 0.14;

/** The lines of which a part lies in the days that count. */
export const recentLines = (lines: readonly SaidSpan[], now: number): SaidSpan[] =>
  lines.filter(({ to }) => to > now - DAYS * DAY);

/** Whether one more line, from now to `ends_at`, would take up more than its share of the waking time of two weeks. */
export function hasHeardEnough(lines: readonly SaidSpan[], now: number, ends_at: number): boolean {
  const from = now - DAYS * DAY;
  const said = recentLines(lines, now).reduce((sum, line) => sum + line.to - Math.max(line.from, from), 0);
  return said + (ends_at - now) > MOST * DAYS * (WAKING.to - WAKING.from) * HOUR;
}
