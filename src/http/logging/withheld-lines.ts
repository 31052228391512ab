import { hash } from 'node:crypto';
import { LONGEST_LINE } from '../../domain/decision/review.ts';
import { printable } from '../../domain/text/printable.ts';
import { dateOf } from '../../domain/time/sgt.ts';
import type { Store } from '../../store/engine/store.ts';
import { type WithheldLine, writeWithheld } from '../../store/runtime/reviews.ts';

/** Lines that broke the voice, on their way to a person. */
export interface WithheldLines {
  add(operation: string, faults: readonly string[], line: string): void;
  /** Writes what has been gathered. */
  flush(): Promise<void>;
}

const GATHER_MS = 1_000;
/** Of one process. The log has every one of them; a person needs no more to see what is wrong. */
const MOST_A_DAY = 50;

/**
 * Off the request's path: lines are gathered and written a second later, together. The same line counts once a day,
 * whatever figures stand in it.
 */
export function createWithheldLines(
  store: Store,
  now: () => number,
  onFault: (error: unknown) => void,
  gatherMs = GATHER_MS,
): WithheldLines {
  let day = '';
  const known = new Set<string>();
  let waiting: WithheldLine[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (!lines.length) return;
    try {
      await store.transaction((tx) => writeWithheld(tx, lines));
    } catch (error) {
      // Asked again, they are withheld again.
      for (const { id } of lines) known.delete(id);
      onFault(error);
    }
  };
  return {
    flush,
    add: (operation, faults, line) => {
      const at = now();
      if (dateOf(at) !== day) known.clear();
      day = dateOf(at);
      const kept = withoutQuotations(line);
      const id = `voice-${day}-${digest([operation, ...faults, kept.replaceAll(/\d+/g, '0')])}`;
      if (known.has(id) || known.size >= MOST_A_DAY) return;
      known.add(id);
      waiting.push({ id, at, operation, faults: [...faults], line: printable(kept, LONGEST_LINE) });
      timer ??= setTimeout(flush, gatherMs).unref();
    },
  };
}

/** Between quotes stand the words of whoever asked or submitted, and those are not kept. */
const withoutQuotations = (line: string): string => line.replaceAll(/'[^']*'/g, "'…'");

const digest = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts)).slice(0, 10);
