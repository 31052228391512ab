// The same sums apart for each pocket, type, horizon and month, and the four cells of decisions and their outcomes
// (docs/formulas.md, "The four cells").
import { addScore, type ForecastSums, noForecasts } from './forecast-sums.ts';

export const CELLS = [
  'spoke_served',
  'spoke_failed',
  'silent_right',
  'silent_wrong',
  'inconclusive',
] as const;
export type Cells = Record<(typeof CELLS)[number], number>;

export const noCells = (): Cells => ({
  spoke_served: 0,
  spoke_failed: 0,
  silent_right: 0,
  silent_wrong: 0,
  inconclusive: 0,
});

/** What was decided and forecast in a local month. */
export interface MonthSums {
  said: number;
  withheld: number;
  cells: Cells;
  pockets: Map<string, Cells>;
  forecasts: ForecastSums;
}

/** Times are in seconds. Shadow forecasts are left out by the caller. */
export class Groups {
  /** By `type …`, `pocket …` and `horizon …`. */
  readonly forecasts = new Map<string, ForecastSums>();
  /** Within the window of the silences that are compared: of all pockets, and by pocket. */
  readonly cells = noCells();
  readonly pockets = new Map<string, Cells>();
  readonly months = new Map<string, MonthSums>();
  readonly #monthOf: (time: number) => string | undefined;
  readonly #isInWindow: (time: number) => boolean;

  constructor(isInWindow: (time: number) => boolean, monthAt: (time: number) => string | undefined) {
    this.#isInWindow = isInWindow;
    this.#monthOf = monthAt;
  }

  countDecision(time: number, isLine: boolean): void {
    const month = this.#month(time);
    if (month) month[isLine ? 'said' : 'withheld']++;
  }

  /** `served` is NaN where it could not be judged. */
  countVerdict(time: number, pocket: string, isLine: boolean, served: number): void {
    const cell = Number.isNaN(served)
      ? 'inconclusive'
      : isLine
        ? served === 1
          ? 'spoke_served'
          : 'spoke_failed'
        : served === 1
          ? 'silent_wrong'
          : 'silent_right';
    const month = this.#month(time);
    if (month) {
      month.cells[cell]++;
      ofKey(month.pockets, pocket, noCells)[cell]++;
    }
    if (!this.#isInWindow(time)) return;
    this.cells[cell]++;
    ofKey(this.pockets, pocket, noCells)[cell]++;
  }

  countReveal(
    time: number,
    keys: readonly string[],
    isEligible: boolean,
    score: number,
    naive: number,
  ): void {
    for (const key of keys) addScore(ofKey(this.forecasts, key, noForecasts), isEligible, score, naive);
    const month = this.#month(time);
    if (month) addScore(month.forecasts, isEligible, score, naive);
  }

  #month(time: number): MonthSums | undefined {
    const name = this.#monthOf(time);
    if (name === undefined) return undefined;
    return ofKey(this.months, name, () => ({
      said: 0,
      withheld: 0,
      cells: noCells(),
      pockets: new Map(),
      forecasts: noForecasts(),
    }));
  }
}

function ofKey<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
