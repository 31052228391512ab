/** The first window that begins within the sealed forecasts, where none begins now (docs/formulas.md, "Windows"). */
import { round } from '../stats/unit-scale.ts';
import { MINUTE } from '../time/slot.ts';
import { longestHeld, type Outlook, WINDOW_MINUTES, windowChances } from './calm-window.ts';
import type { ExpectedWindow } from './usual-chance.ts';
import type { WindowRecord } from './window-record.ts';

/** Minutes from now at which a later window can begin: those of the forecasts that reach an hour beyond. */
export const LATER_STARTS = [60, 120] as const;

export function laterWindow(
  slot: number,
  ahead: readonly Outlook[],
  record: WindowRecord,
): ExpectedWindow | null {
  for (const lead of LATER_STARTS) {
    const longest = longestHeld(windowChances(ahead, lead), WINDOW_MINUTES, record);
    const start = ahead.find(({ minutes }) => minutes === lead);
    if (!longest?.holds || !start) continue;
    const starts_at = slot + lead * MINUTE;
    return {
      basis: 'forecast',
      starts_at,
      ends_at: starts_at + longest.minutes * MINUTE,
      calm_probability: round(start.calm_probability),
      held_share: longest.share,
    };
  }
  return null;
}
