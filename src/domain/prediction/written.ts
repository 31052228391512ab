/**
 * What the ledger adds to every payload as it is sealed, and what follows from it: whether an entry was in the log
 * before its outcome was known (docs/formulas.md, "Sealed forecasts").
 */
export interface Written {
  /** The real time of sealing, in UTC, whichever slot the payload is about. It never decreases along the log. */
  written_at: string;
  /** Written by a virtual clock, as history of a simulated city; absent from a live entry. */
  backfilled?: true;
}

/** A payload as it stands in the ledger. */
export type Sealed<Payload extends object> = Payload & Written;

/**
 * When the outcome is known: the hour that a forecast is for, the end at which a line or a silence is judged, the end
 * of a submission's window. Null for a reveal or a verdict, which is itself an outcome, and for a change of the ledger's key, which
 * has none.
 */
export function outcomeTime(payload: object): string | null {
  const { reveal_at, window_end, prediction_window_end } = payload as Partial<Record<string, string>>;
  return reveal_at ?? window_end ?? prediction_window_end ?? null;
}

/** Null for a reveal and for a change of the ledger's key. Times are compared as text: all of them are written by `Date.toISOString`. */
export function isSealedBeforeOutcome(payload: Sealed<object>): boolean | null {
  const outcome = outcomeTime(payload);
  return outcome === null ? null : !payload.backfilled && payload.written_at < outcome;
}

/** When an entry was written, in words. Of history it says no more than that: some of its outcomes were still open. */
export function whenWritten(payload: Sealed<object>): string {
  if ((payload as { type?: string }).type === 'key') return 'a change of the key';
  const before = isSealedBeforeOutcome(payload);
  if (payload.backfilled) return `${before === null ? 'an outcome, ' : ''}as history of the simulated city`;
  return before === null ? 'an outcome' : before ? 'before its outcome' : 'after its outcome';
}

/** How the entries of the ledger divide; those that are neither are reveals, verdicts and changes of its key. */
export interface WrittenCounts {
  sealed_before_outcome: number;
  written_afterwards: number;
}

/** Says how many entries were sealed before their outcome and how many afterwards; `day` is when history was written. */
export function writtenSentence(
  { sealed_before_outcome: before, written_afterwards: afterwards }: WrittenCounts,
  day: string | null,
): string {
  if (!before && !afterwards) return 'nothing has been sealed yet.';
  const sealed =
    before === 0
      ? 'no entry has been sealed before its outcome yet'
      : before === 1
        ? '1 entry was sealed before its outcome'
        : `${before.toLocaleString('en')} entries were sealed before their outcome`;
  if (!afterwards) return `${sealed}, none afterwards.`;
  const history = day === null ? '' : `, as history of the simulated city, on ${day}`;
  return `${sealed}; ${afterwards.toLocaleString('en')} were written afterwards${history}.`;
}
