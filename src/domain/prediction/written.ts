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
 * When the outcome is known: the hour that a forecast is for, the end of the hour in which a silence is judged, the end
 * of a submission's window. Null for a reveal, which is itself an outcome.
 */
export function outcomeTime(payload: object): string | null {
  const { reveal_at, window_end, prediction_window_end } = payload as Partial<Record<string, string>>;
  return reveal_at ?? window_end ?? prediction_window_end ?? null;
}

/** Null for a reveal. Times are compared as text: all of them are written by `Date.toISOString`. */
export function isSealedBeforeOutcome(payload: Sealed<object>): boolean | null {
  const outcome = outcomeTime(payload);
  return outcome === null ? null : !payload.backfilled && payload.written_at < outcome;
}
