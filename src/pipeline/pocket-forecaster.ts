import type { Pocket, Registry } from '../domain/city.ts';
import { calmShare, type Design, momentAt, type Reading } from '../domain/forecast/index.ts';
import { HORIZONS } from '../domain/prediction.ts';
import { DAY, dateOf, HOUR, MINUTE, SLOT, startOfDay } from '../domain/sgt.ts';
import { isCalmState, primaryStates } from '../domain/states.ts';
import {
  newestForecasterState,
  readForecasterPart,
  writeForecasterState,
} from '../store/forecaster-states.ts';
import { firstReading, type PastReading, pastReadings } from '../store/past-readings.ts';
import type { Transaction } from '../store/store.ts';
import { type Expectations, type ForecastCore, inlineCore, type Step } from './forecast-core.ts';

/** A calm reading, as `domain/atmosphere.ts` draws the line. */
const CALM = 0.55;
const STEP_MINUTES = SLOT / MINUTE;
const SINGAPORE_MINUTES = 8 * 60;
/** So far back a forecaster that has lost its memory learns again. */
const RELEARN = 56 * DAY;

export const pocketDesign = (pockets: readonly Pocket[]): Design => ({
  stepMinutes: STEP_MINUTES,
  horizons: HORIZONS.map((minutes) => minutes / STEP_MINUTES),
  classes: primaryStates.length,
  calmClasses: primaryStates.map(isCalmState),
  exogenous: 3,
  scales: pockets.map(() => calmShare(CALM)),
});

/** What is expected of every pocket, when it is done. */
export interface Expected {
  made: Promise<Expectations>;
}

/**
 * The forecaster of all pockets, from slot to slot. It lives in this process; what it knew at midnight is in the store,
 * and what it has learned since follows from the readings, so that any worker can take over.
 */
export class PocketForecaster {
  readonly #core: ForecastCore;
  /** The slot learned last; null when nothing is known to be learned. */
  #slot: number | null = null;

  constructor(core: ForecastCore = inlineCore()) {
    this.#core = core;
  }

  /**
   * Learns what was read at `slot` and forecasts each pocket for each horizon. What comes back at once holds only a
   * promise of the forecasts: the caller may go on with the transaction meanwhile.
   */
  async begin(
    tx: Transaction,
    registry: Registry,
    slot: number,
    read: readonly PastReading[],
    instead: Iterable<readonly PastReading[]> = [],
  ): Promise<Expected> {
    if (this.#slot !== slot - SLOT) await this.#recall(tx, registry, slot);
    this.#slot = slot;
    const made = this.#core.step(stepOf(registry, slot, read, instead));
    // If the transaction fails before anyone waits for it, nobody will.
    made.catch(() => undefined);
    return { made };
  }

  /** At midnight, what has been learned goes to the store. */
  async keep(tx: Transaction, slot: number): Promise<void> {
    if (slot === startOfDay(slot)) await writeForecasterState(tx, slot, this.#parts());
  }

  forget(): void {
    this.#slot = null;
  }

  close(): Promise<void> {
    return this.#core.close();
  }

  async *#parts(): AsyncGenerator<Uint8Array> {
    for (let n = 0; ; n += 1) {
      const part = await this.#core.part(n);
      if (!part) return;
      yield part;
    }
  }

  /** An outage leaves slots out: the forecaster sees them as unmeasured. */
  async #recall(tx: Transaction, registry: Registry, slot: number): Promise<void> {
    const known = (await this.#restore(tx, registry, slot)) ?? slot - RELEARN;
    const first = (await firstReading(tx, known)) ?? slot;
    // An hour at a time: a day of thousands of pockets is too much to hold.
    for (let after = first - SLOT; after < slot - SLOT; after += HOUR) {
      const past = await pastReadings(tx, after, Math.min(after + HOUR, slot - SLOT));
      for (const [then, read] of Map.groupBy(past, (reading) => reading.slot))
        await this.#core.step(stepOf(registry, then, read));
    }
  }

  /** The slot up to which everything is known again; null when nothing is. */
  async #restore(tx: Transaction, registry: Registry, slot: number): Promise<number | null> {
    const design = pocketDesign(registry.pockets);
    await this.#core.begin(design);
    const kept = await newestForecasterState(tx, slot);
    if (!kept) return null;
    for (let part = 0; part < kept.parts; part += 1) {
      const bytes = await readForecasterPart(tx, kept.slot, part);
      if (bytes && (await this.#core.refill(part, bytes))) continue;
      // Of another city or an earlier release: it has to learn again.
      await this.#core.begin(design);
      return null;
    }
    return kept.slot;
  }
}

const stepOf = (
  registry: Registry,
  slot: number,
  read: readonly PastReading[],
  instead: Iterable<readonly PastReading[]> = [],
): Step => ({
  now: moment(slot, registry),
  targets: HORIZONS.map((minutes) => moment(slot + minutes * MINUTE, registry)),
  readings: readingsOf(registry, read),
  instead: Array.from(instead, (other) => readingsOf(registry, other)),
});

const moment = (slot: number, registry: Registry) =>
  momentAt(slot / SLOT, STEP_MINUTES, SINGAPORE_MINUTES, registry.holidays.includes(dateOf(slot)));

const unread: Reading = { value: null, class: null, calm: null };

function readingsOf({ pockets }: Registry, read: readonly PastReading[]): Reading[] {
  const byPocket = new Map(read.map((reading) => [reading.pocket_id, reading]));
  return pockets.map(({ id, character }) => {
    const reading = byPocket.get(id);
    if (!reading) return unread;
    const { calm, primary_state, rain_mm, footfall, transit_crowding } = reading;
    return {
      value: calm,
      class: primaryStates.indexOf(primary_state),
      calm: isCalmState(primary_state),
      exogenous: [rain_mm, footfall === null ? null : footfall / character.footfall_peak, transit_crowding],
    };
  });
}
