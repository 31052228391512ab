import { DAY, HOUR, SLOT, slotOf, startOfDay, startOfMonth } from './sgt.ts';
import type { Window } from './window.ts';

/** Slots from `from`, up to but without `to`. */
export interface Span {
  from: number;
  to: number;
}

export const spanNames = ['month', 'day', 'hour'] as const;
export type SpanName = (typeof spanNames)[number];

interface SpanKind {
  startOf(slot: number): number;
  next(start: number): number;
}

/** In Singapore's time; each kind is made of whole ones of the kind after it. */
export const spanKinds: Record<SpanName, SpanKind> = {
  month: { startOf: (slot) => startOfMonth(slot), next: (start) => startOfMonth(start, 1) },
  day: { startOf: startOfDay, next: (start) => start + DAY },
  hour: { startOf: (slot) => Math.floor(slot / HOUR) * HOUR, next: (start) => start + HOUR },
};

/** A window taken apart: whole months, days and hours, and the single slots that are left at its ends. */
export type Parts = Record<SpanName | 'slots', Span[]>;

export function partsOf({ after, until }: Window): Parts {
  const parts: Parts = { month: [], day: [], hour: [], slots: [] };
  takeApart({ from: slotOf(after) + SLOT, to: slotOf(until) + SLOT }, spanNames, parts);
  return parts;
}

function takeApart({ from, to }: Span, [name, ...finer]: readonly SpanName[], parts: Parts): void {
  if (from >= to) return;
  if (name === undefined) {
    parts.slots.push({ from, to });
    return;
  }
  const { startOf, next } = spanKinds[name];
  const begun = startOf(from);
  const first = begun === from ? begun : next(begun);
  const last = startOf(to);
  if (first >= last) {
    takeApart({ from, to }, finer, parts);
    return;
  }
  parts[name].push({ from: first, to: last });
  takeApart({ from, to: first }, finer, parts);
  takeApart({ from: last, to }, finer, parts);
}
