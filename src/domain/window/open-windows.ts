/** The windows of a pocket whose end has not come, and what became of those whose end has (docs/formulas.md, "Windows"). */
import { MINUTE, SLOT } from '../time/slot.ts';
import { WINDOW_MINUTES } from './calm-window.ts';
import { USUAL_MINUTES } from './usual-chance.ts';
import { calmHeld, type WindowOutcome } from './window-record.ts';

/** Those that begin now, those that begin later within the forecasts, and those that the usual of their hours gives. */
export const windowKinds = ['now', 'later', 'usual'] as const;
export type WindowKind = (typeof windowKinds)[number];

export const windowLengths: Record<WindowKind, readonly number[]> = {
  now: WINDOW_MINUTES,
  later: WINDOW_MINUTES,
  usual: USUAL_MINUTES,
};

/** Where the record of each kind is stored in the state of the pipeline. */
export const windowKeys: Record<WindowKind, string> = {
  now: 'windows',
  later: 'windows later',
  usual: 'windows usual',
};

/** Stored as JSON while its end has not come, so its field names are part of the saved state. */
export interface OpenWindow {
  kind: WindowKind;
  start: number;
  /** The lowest chance within each of its lengths. */
  chances: number[];
  /** The minutes that were shown to people; null where none of its lengths was. */
  shown: number | null;
}

export interface OpenWindows {
  /** The slots of the last hours, and whether the pocket was in a calm state. */
  read: [slot: number, calm: 0 | 1][];
  open: OpenWindow[];
}

export interface KnownOutcome extends WindowOutcome {
  kind: WindowKind;
  start: number;
  shown: boolean;
}

const LONGEST = Math.max(...Object.values(windowLengths).flat()) * MINUTE;

/** Adds a reading and the windows that begin with it or are drafted at it; tells what became of those that end with it. */
export function stepWindows(
  before: OpenWindows | undefined,
  slot: number,
  calm: boolean,
  drafted: readonly OpenWindow[],
): { windows: OpenWindows; outcomes: KnownOutcome[] } {
  const earlier = (before?.read ?? []).filter(([at]) => at >= slot - LONGEST && at < slot);
  const read: OpenWindows['read'] = [...earlier, [slot, calm ? 1 : 0]];
  const calmAt = new Map(read.map(([at, value]) => [at, value === 1]));
  const outcomes = (before?.open ?? []).flatMap((window) => knownOutcomes(window, slot, calmAt));
  const open = [...(before?.open ?? []), ...drafted].filter((window) => lastEnd(window) > slot);
  return { windows: { read, open }, outcomes };
}

const lastEnd = ({ kind, start, chances }: OpenWindow): number =>
  start + (windowLengths[kind][chances.length - 1] ?? 0) * MINUTE;

/** Of the length that ends at `slot`; none where a reading in between is missing. */
function knownOutcomes(
  { kind, start, chances, shown }: OpenWindow,
  slot: number,
  calmAt: ReadonlyMap<number, boolean>,
): KnownOutcome[] {
  const minutes = (slot - start) / MINUTE;
  const chance = chances[windowLengths[kind].indexOf(minutes)];
  if (chance === undefined) return [];
  const calm: boolean[] = [];
  for (let at = start + SLOT; at <= slot; at += SLOT) {
    const one = calmAt.get(at);
    if (one === undefined) return [];
    calm.push(one);
  }
  return [{ kind, start, minutes, chance, held: calmHeld(calm), shown: shown === minutes }];
}
