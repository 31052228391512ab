import type { Pocket, Registry } from '../domain/city.ts';
import { calmShare, type Design, type Forecast, momentAt, type Reading } from '../domain/forecast/index.ts';
import { HORIZONS } from '../domain/prediction.ts';
import { DAY, dateOf, MINUTE, SLOT, startOfDay } from '../domain/sgt.ts';
import { isCalmState, primaryStates } from '../domain/states.ts';
import { readForecasterState, writeForecasterState } from '../store/forecaster-states.ts';
import { type PastReading, pastReadings } from '../store/past-readings.ts';
import type { Transaction } from '../store/store.ts';
import { type ForecastCore, inlineCore, type Step } from './forecast-core.ts';

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

/** Forecasts by pocket and horizon, when they are done. */
export interface Expected {
  forecasts: Promise<Forecast[][]>;
  /** The same for each of the readings that were supposed instead. */
  supposed: Promise<Forecast[][][]>;
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
   * Learns what was read at `slot` and forecasts each pocket for each horizon. What comes back at once is only a
   * promise of the forecasts: the caller may go on with the transaction meanwhile.
   */
  async begin(
    tx: Transaction,
    registry: Registry,
    slot: number,
    read: readonly PastReading[],
    instead: readonly PastReading[][] = [],
  ): Promise<Expected> {
    if (this.#slot !== slot - SLOT) await this.#recall(tx, registry, slot);
    this.#slot = slot;
    const supposed = instead.length
      ? this.#core.suppose(instead.map((other) => stepOf(registry, slot, other)))
      : Promise.resolve([]);
    const forecasts = this.#core.step(stepOf(registry, slot, read));
    // If the transaction fails before anyone waits for them, nobody will.
    for (const promise of [forecasts, supposed]) promise.catch(() => undefined);
    return { forecasts, supposed };
  }

  /** At midnight, what has been learned goes to the store. */
  async keep(tx: Transaction, slot: number): Promise<void> {
    if (slot === startOfDay(slot)) await writeForecasterState(tx, slot, await this.#core.save());
  }

  forget(): void {
    this.#slot = null;
  }

  close(): Promise<void> {
    return this.#core.close();
  }

  /** An outage leaves slots out: the forecaster sees them as unmeasured. */
  async #recall(tx: Transaction, registry: Registry, slot: number): Promise<void> {
    const kept = await readForecasterState(tx, slot);
    const restored = await this.#core.begin(pocketDesign(registry.pockets), kept?.bytes ?? null);
    const past = await pastReadings(tx, restored && kept ? kept.slot : slot - RELEARN, slot);
    for (let at = 0; at < past.length; ) {
      const first = past[at] as PastReading;
      let end = at;
      while (past[end]?.slot === first.slot) end += 1;
      await this.#core.step(stepOf(registry, first.slot, past.slice(at, end)));
      at = end;
    }
  }
}

const stepOf = (registry: Registry, slot: number, read: readonly PastReading[]): Step => ({
  now: moment(slot, registry),
  targets: HORIZONS.map((minutes) => moment(slot + minutes * MINUTE, registry)),
  readings: readingsOf(registry, read),
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
