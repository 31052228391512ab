/** What a proposal would look like, for an outlet that has none now (docs/formulas.md, "Deal proposal"). */

import { type Hours, openingHours } from '../time/opening-hours.ts';
import { DAY, HOUR } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import { type DealInput, type Proposal, proposeDeal } from './deal.ts';
import type { OpenUse } from './patterns/opening-day.ts';
import type { QuietWindow } from './patterns/pattern.ts';
import { quietWindowPatterns } from './patterns/quiet-window.ts';
import type { HourOfUse } from './week-of-use.ts';

export const exampleBases = ['quiet_window', 'quietest_hour'] as const;

/** A proposal by the same rules as a real one, at the usual use of a coming hour. */
export interface DealExample {
  /** The hour that it is about, epoch milliseconds. */
  at: number;
  basis: (typeof exampleBases)[number];
  /** The usual share of its capacity in use then, from `n` quarter hours. */
  use: number;
  n: number;
  /** Without the visitor's reason: how calm the pocket will be is not part of an example. */
  proposal: Omit<Proposal, 'consumer_reason'>;
}

interface ComingHour {
  at: number;
  use: number;
  n: number;
  quiet: boolean;
}

/**
 * For the first hour of its next quiet window; without a quiet window, for the quietest open hour of the next 24. Movement
 * is taken as easy (friction 0), which gives the smallest saving, and the moment as one that asks for no silence. Null
 * where the rules make no proposal at its usual use, or that is not known.
 */
export function dealExample(
  input: Omit<DealInput, 'moment' | 'activity'>,
  uses: readonly OpenUse[],
  week: readonly HourOfUse[],
): DealExample | null {
  const { outlet, now, zone } = input;
  const windows = quietWindowPatterns(outlet, uses, zone);
  const hours = comingHours(
    outlet,
    week,
    windows.flatMap(({ window }) => window ?? []),
    { now, zone },
  );
  const quiet = hours.filter((hour) => hour.quiet).toSorted((a, b) => a.at - b.at);
  const soon = hours.filter(({ at }) => at <= now + DAY).toSorted((a, b) => a.use - b.use || a.at - b.at);
  for (const { at, use, n, quiet: isQuiet } of quiet.length ? quiet : soon) {
    const moment = {
      calm_probability: 0,
      movement_friction: 0,
      expires_at: at + HOUR,
      window_ends_at: null,
      silence_reasons: [],
    };
    const { proposal } = proposeDeal({ ...input, now: at, moment, activity: use });
    if (!proposal) continue;
    const { consumer_reason: _, ...shown } = proposal;
    return { at, basis: isQuiet ? 'quiet_window' : 'quietest_hour', use, n, proposal: shown };
  }
  return null;
}

/** The next time of each open hour of the week whose use is known. The hour of opening begins when it opens. */
function comingHours(
  outlet: Hours,
  week: readonly HourOfUse[],
  windows: readonly QuietWindow[],
  { now, zone }: { now: number; zone: Zone },
): ComingHour[] {
  const { opens } = openingHours(outlet);
  return week.flatMap(({ weekday, hour, use, n }) => {
    if (use === null) return [];
    // An hour after midnight can still come on the day after its opening day.
    const at = Array.from({ length: 9 }, (_, day) => day - 1)
      .filter((day) => zone.weekday(zone.startOfDay(now, day)) === weekday)
      .map((day) => zone.atHour(now, Math.max(hour, opens), day))
      .find((time) => time > now);
    if (at === undefined) return [];
    const quiet = windows.some((window) => window.weekday === weekday && isWithin(window, hour, opens));
    return [{ at, use, n, quiet }];
  });
}

/** Whether a full hour of an opening day lies in a window. */
function isWithin({ from, to }: QuietWindow, hour: number, opens: number): boolean {
  const since = (clock: string, after: number): number => {
    const hours = Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60;
    return hours < after ? hours + 24 : hours;
  };
  const start = since(from, opens);
  const end = since(to, start);
  return Math.max(hour, opens) >= start && hour < end;
}
