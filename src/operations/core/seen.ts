// The readings that the text of a tool rests on, in its text: the one place where they are told.

import { withNewestReading, withReadDays } from '../../domain/atmosphere/seen-text.ts';
import type { Registry } from '../../domain/city/city.ts';
import { findOutlet } from '../../domain/city/lists/find-entries.ts';
import type { Substrate } from '../../domain/signals/signal.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { newestReading, newestSlot } from '../../store/observation/readings.ts';

/** What an operation declares about the readings behind its text. */
export interface SeenRules<Answer> {
  /**
   * The whole days whose readings the text tells; null where it tells none. Without it the text rests on the newest
   * readings of the pockets that are asked about.
   */
  seen?(answer: Answer, zone: Zone): Span | null;
}

interface SeenContext {
  registry: Registry;
  store: Reader;
  substrate: Substrate;
  now: number;
  zone: Zone;
}

/** The text with what was seen, and when. A not-found reply is worded by the interface: it stays as it is. */
export async function withSeen(
  { seen }: SeenRules<unknown>,
  input: object,
  { structured, text }: { structured: unknown; readonly text: string },
  context: SeenContext,
): Promise<string> {
  if (isNotFound(structured)) return text;
  if (seen) {
    const days = seen(structured, context.zone);
    return days ? withReadDays(text, days, context) : text;
  }
  const at = await newestReadingFor(input, context).catch((error: unknown) => {
    // What was answered without the store is told without its newest reading.
    if (error instanceof StoreError) return null;
    throw error;
  });
  // Before anything was read there is nothing to tell of it.
  return at === null ? text : withNewestReading(text, { ...context, at });
}

const isNotFound = (structured: unknown): boolean =>
  (structured as { available?: unknown } | null)?.available === false;

/** The newest reading of the pockets that the arguments name, or of all. */
async function newestReadingFor(
  input: object,
  { store, registry, now }: SeenContext,
): Promise<number | null> {
  const { pocket_id, pocket_id_a, pocket_id_b, outlet_id } = input as Record<string, unknown>;
  const outlet = typeof outlet_id === 'string' ? findOutlet(registry, outlet_id)?.pocket_id : undefined;
  const pockets = [pocket_id, pocket_id_a, pocket_id_b, outlet].filter((id) => typeof id === 'string');
  if (!pockets.length) return newestSlot(store, now);
  const slots = await Promise.all(pockets.map((id) => newestReading(store, id, now)));
  return slots.reduce((newest, slot) => (slot === null ? newest : Math.max(slot, newest ?? slot)), null);
}
