import type { HourNorm } from '../domain/atmosphere/anomaly.ts';
import { HORIZONS, revealTime } from '../domain/prediction/prediction.ts';
import { SLOT } from '../domain/time/sgt.ts';
import type { Silent } from '../store/decision/vindications.ts';
import { isCanonical, type RevealedLeaves } from '../store/prediction/canonical-rows.ts';
import type { Outcome } from '../store/prediction/observed-outcomes.ts';
import type { DueLeaf, RevealRow } from '../store/prediction/predictions.ts';

const LONGEST_FORECAST = revealTime(0, Math.max(...HORIZONS));

/** The longest way back that a step looks: to where a forecast was sealed that is revealed a slot late. */
const LONGEST = LONGEST_FORECAST + SLOT;

/** What a slot left behind. */
interface Left {
  outcomes: ReadonlyMap<string, Outcome & { stress: number }>;
  silences: readonly Silent[];
  /** The pockets in which something was said. */
  spoken: readonly string[];
  verdicts: Map<string, number | null>;
  /** What is still to be revealed at this slot. */
  due: DueLeaf[];
  /** What has been revealed for it and counts, in the order of sealing. */
  revealed: RevealedLeaves[];
}

const nothing = (): Left => ({
  outcomes: new Map(),
  silences: [],
  spoken: [],
  verdicts: new Map(),
  due: [],
  revealed: [],
});

/**
 * What this process wrote in the last hours, so that it need not ask for it. It knows only what came after its
 * beginning, and answers nothing where a question reaches further back: then the store is asked. It begins anew whenever
 * another process may have written.
 */
export class Trail {
  #isKept = false;
  /** The first slot that was read since the beginning. */
  #from = Number.POSITIVE_INFINITY;
  readonly #slots = new Map<number, Left>();
  /** By the hour of the week. */
  readonly #norms = new Map<number, ReadonlyMap<string, HourNorm>>();

  begin(isKept: boolean): void {
    this.#isKept = isKept;
    this.#from = Number.POSITIVE_INFINITY;
    this.#slots.clear();
    this.#norms.clear();
  }

  leave(slot: number, left: Pick<Left, 'outcomes' | 'silences' | 'spoken'>): void {
    if (!this.#isKept) return;
    this.#from = Math.max(Math.min(this.#from, slot), slot - LONGEST);
    Object.assign(this.#at(slot), left);
    for (const old of this.#slots.keys()) if (old < this.#from) this.#slots.delete(old);
  }

  leaveDue(slot: number, due: readonly DueLeaf[]): void {
    if (this.#knows(slot)) for (const one of due) this.#at(one.reveal_at).due.push(one);
  }

  leaveRevealed(revealAt: number, rows: readonly RevealRow[]): void {
    const left = this.#slots.get(revealAt);
    if (!left) return;
    const gone = new Set(rows.map(({ prediction_leaf }) => prediction_leaf));
    left.due = left.due.filter(({ leaf }) => !gone.has(leaf));
    for (const row of rows) {
      if (isCanonical(row) && row.accuracy_score !== null)
        left.revealed.push({ sealed: row.prediction_leaf, opened: row.leaf });
    }
    left.revealed.sort((a, b) => a.sealed - b.sealed);
  }

  leaveVerdicts(slot: number, verdicts: readonly { pocket_id: string; vindicated: number | null }[]): void {
    const left = this.#slots.get(slot);
    for (const { pocket_id, vindicated } of verdicts) left?.verdicts.set(pocket_id, vindicated);
  }

  leaveNorms(hour: number, norms: ReadonlyMap<string, HourNorm>): void {
    if (this.#isKept) this.#norms.set(hour, norms);
  }

  norms(hour: number): ReadonlyMap<string, HourNorm> | undefined {
    return this.#norms.get(hour);
  }

  at(slot: number): Readonly<Left> | undefined {
    return this.#knows(slot) ? (this.#slots.get(slot) ?? nothing()) : undefined;
  }

  /** The slots after the one and up to the other. */
  within(after: number, until: number): { slot: number; left: Readonly<Left> }[] | undefined {
    if (!this.#knows(after + SLOT)) return undefined;
    const found = [];
    for (let slot = after + SLOT; slot <= until; slot += SLOT) {
      const left = this.#slots.get(slot);
      if (left) found.push({ slot, left });
    }
    return found;
  }

  /** All that was forecast for this slot, up to three hours before. */
  forecastFor(revealAt: number): Readonly<Left> | undefined {
    return this.#knows(revealAt - LONGEST_FORECAST) ? this.at(revealAt) : undefined;
  }

  #knows(slot: number): boolean {
    return slot >= this.#from;
  }

  #at(slot: number): Left {
    let left = this.#slots.get(slot);
    if (!left) {
      left = nothing();
      this.#slots.set(slot, left);
    }
    return left;
  }
}
