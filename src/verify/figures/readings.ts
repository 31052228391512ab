// What the log itself says was read of a pocket at a quarter hour: every forecast of its state is sealed with the reading
// that it was made from. Outcomes and verdicts that came later must say the same.

/** Outcomes are sealed at their time, verdicts at the end of a window; after an outage nothing was read of that time. */
const KEPT_SECONDS = 6 * 60 * 60;

export interface KnownReading {
  /** A number of a name. */
  state: number;
  calm: number;
  /** The row of the forecast: what was sealed before it need not have known of it. */
  leaf: number;
}

/** The readings of the last days, by time and pocket. Times are in seconds, pockets are numbers of names. */
export class Readings {
  readonly #slots = new Map<number, Map<number, KnownReading>>();

  /** Slots come in order, so the first ones are the oldest. Forecasts of all horizons are made from the same reading. */
  learn(time: number, pocket: number, reading: KnownReading): void {
    let slot = this.#slots.get(time);
    if (!slot) {
      slot = new Map();
      this.#slots.set(time, slot);
      for (const old of this.#slots.keys()) {
        if (old >= time - KEPT_SECONDS) break;
        this.#slots.delete(old);
      }
    }
    if (!slot.has(pocket)) slot.set(pocket, reading);
  }

  /** What the row at `leaf` could know. */
  at(time: number, pocket: number, leaf: number): KnownReading | undefined {
    const reading = this.#slots.get(time)?.get(pocket);
    return reading && reading.leaf < leaf ? reading : undefined;
  }
}
