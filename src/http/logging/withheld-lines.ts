// Queues texts that broke the rules of the voice, and stores them for review by a person (`pocketwatch review`).
import { hash } from 'node:crypto';
import { LONGEST_LINE } from '../../domain/decision/review.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Store } from '../../store/engine/store.ts';
import { type WithheldLine, writeWithheld } from '../../store/runtime/reviews.ts';

export interface WithheldLines {
  add(operation: string, faults: readonly string[], line: string): void;
  /** Stores the queued lines now. */
  flush(): Promise<void>;
}

const FLUSH_DELAY_MS = 1_000;
/** For each process. Every withheld line has its entry in the log; a reviewer needs no more than this to see what is wrong. */
const MAX_PER_DAY = 50;

/**
 * Requests do not wait for it: lines are queued and stored together, a second after the first. A line is stored once a
 * day; lines that differ only in their figures count as the same.
 */
export function createWithheldLines(
  store: Store,
  now: () => number,
  zone: Zone,
  onError: (error: unknown) => void,
  flushDelayMs = FLUSH_DELAY_MS,
): WithheldLines {
  let day = '';
  const seenToday = new Set<string>();
  let queue: WithheldLine[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = queue;
    queue = [];
    if (!lines.length) return;
    try {
      await store.transaction((tx) => writeWithheld(tx, lines));
    } catch (error) {
      // Forgotten, so that they are queued again when the same question is next asked.
      for (const { id } of lines) seenToday.delete(id);
      onError(error);
    }
  };
  return {
    flush,
    add: (operation, faults, line) => {
      const at = now();
      if (zone.localDate(at) !== day) seenToday.clear();
      day = zone.localDate(at);
      const unquoted = withoutQuotations(line);
      const id = `voice-${day}-${digest([operation, ...faults, unquoted.replaceAll(/\d+/g, '0')])}`;
      if (seenToday.has(id) || seenToday.size >= MAX_PER_DAY) return;
      seenToday.add(id);
      queue.push({ id, at, operation, faults: [...faults], line: printable(unquoted, LONGEST_LINE) });
      timer ??= setTimeout(flush, flushDelayMs).unref();
    },
  };
}

/** Quotation marks enclose words of a caller, which are not stored. */
const withoutQuotations = (line: string): string => line.replaceAll(/'[^']*'/g, "'…'");

const digest = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts)).slice(0, 10);
