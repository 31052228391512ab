/**
 * What a pocket will be like at a time, for every surface: up to three hours from its sealed forecasts, beyond that from
 * how often that hour of the week was calm (docs/formulas.md, "Windows").
 */

import type { Calendar } from '../city/rest-day.ts';
import { round } from '../stats/unit-scale.ts';
import { MINUTE } from '../time/slot.ts';
import { isWaking } from '../time/waking-hours.ts';
import { between, type Outlook } from './calm-window.ts';
import { laterWindow } from './later-window.ts';
import { type ExpectedWindow, USUAL_REACH, type UsualAt, usualWindows } from './usual-chance.ts';
import type { WindowRecord } from './window-record.ts';

export interface PocketOutlook {
  /** The slot from which `ahead` counts: of the current moment, else of the forecasts; null without either. */
  slot: number | null;
  /** The present, where there is a current moment, and the sealed forecasts, in the order of time. */
  ahead: readonly Outlook[];
  /** The window that is open; null without one. */
  open: { ends_at: number; held_share: number } | null;
  usualAt: UsualAt;
}

/** Until when the forecasts reach; null without any. */
export const forecastReach = ({ slot, ahead }: PocketOutlook): number | null => {
  const last = ahead.at(-1);
  return slot === null || !last ? null : slot + last.minutes * MINUTE;
};

export interface ExpectedCalm {
  basis: 'forecast' | 'usual';
  calm_probability: number;
  calm_level: number;
  /** The readings that the usual is the share of; null for a forecast. */
  n: number | null;
}

/** Null where nothing is known of the time. */
export function expectedAt(outlook: PocketOutlook, at: number): ExpectedCalm | null {
  const { slot, ahead, usualAt } = outlook;
  const reach = forecastReach(outlook);
  if (slot !== null && reach !== null && at <= reach) {
    const minutes = Math.max(0, (at - slot) / MINUTE);
    return {
      basis: 'forecast',
      calm_probability: round(between(ahead, minutes, 'calm_probability')),
      calm_level: round(between(ahead, minutes, 'expected_calm')),
      n: null,
    };
  }
  const usual = usualAt(at);
  return (
    usual && { basis: 'usual', calm_probability: usual.chance, calm_level: usual.calm_level, n: usual.n }
  );
}

export interface WindowRecords {
  later: WindowRecord;
  usual: WindowRecord;
}

/** The windows of the next seven days, or up to a time, in their order: open or later by the forecasts, then by the usual. */
export function* expectedWindows(
  outlook: PocketOutlook,
  now: number,
  records: WindowRecords,
  calendar: Calendar,
  until = now + USUAL_REACH,
): Generator<ExpectedWindow, void> {
  const first = forecastWindow(outlook, records, calendar);
  const from = Math.max(now, forecastReach(outlook) ?? now, first?.ends_at ?? now);
  if (first) yield first;
  yield* usualWindows(from, until, outlook.usualAt, records.usual, calendar);
}

function forecastWindow(
  { slot, ahead, open }: PocketOutlook,
  { later }: WindowRecords,
  { zone }: Calendar,
): ExpectedWindow | null {
  const present = ahead[0];
  if (slot === null || !present) return null;
  if (open)
    return {
      basis: 'forecast',
      starts_at: slot,
      ends_at: open.ends_at,
      calm_probability: present.calm_probability,
      held_share: open.held_share,
    };
  const window = laterWindow(slot, ahead, later);
  return window && isWaking(window.starts_at, zone) ? window : null;
}

/** Whether the window ends only where the forecasts do. */
export const endsWithForecasts = (outlook: PocketOutlook, { basis, ends_at }: ExpectedWindow): boolean =>
  basis === 'forecast' && ends_at === forecastReach(outlook);

/** The window at a time, and the first that begins after it: windows in the order of time, and no more than it takes. */
export function windowsAround(
  windows: Iterable<ExpectedWindow>,
  at: number,
): { window: ExpectedWindow | null; next: ExpectedWindow | null } {
  let window: ExpectedWindow | null = null;
  for (const each of windows) {
    if (each.starts_at > at) return { window, next: each };
    if (at < each.ends_at) window = each;
  }
  return { window, next: null };
}
