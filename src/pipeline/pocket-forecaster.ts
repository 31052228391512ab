import type { Pocket, Registry } from '../domain/city.ts';
import {
  calmShare,
  type Design,
  type Forecast,
  type Forecaster,
  momentAt,
  newForecaster,
  observe,
  predict,
  type Reading,
  restore,
  save,
} from '../domain/forecast/index.ts';
import { HORIZONS } from '../domain/prediction.ts';
import { DAY, dateOf, MINUTE, SLOT, startOfDay } from '../domain/sgt.ts';
import { isCalmState, primaryStates } from '../domain/states.ts';
import { readForecasterState, writeForecasterState } from '../store/forecaster-states.ts';
import { type PastReading, pastReadings } from '../store/past-readings.ts';
import type { Transaction } from '../store/store.ts';

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

/**
 * The forecaster of all pockets, from slot to slot. It lives in this process; what it knew at midnight is in the store,
 * and what it has learned since follows from the readings, so that any worker can take over.
 */
export class PocketForecaster {
  #forecaster: Forecaster | undefined;
  #slot = Number.NaN;

  /** Learns what was read at `slot` and forecasts each pocket for each horizon. */
  async forecast(
    tx: Transaction,
    registry: Registry,
    slot: number,
    read: readonly PastReading[],
  ): Promise<Forecast[][]> {
    if (this.#forecaster === undefined || this.#slot !== slot - SLOT) await this.#recall(tx, registry, slot);
    const forecasts = this.#step(registry, slot, read);
    if (slot === startOfDay(slot) && this.#forecaster)
      await writeForecasterState(tx, slot, save(this.#forecaster));
    return forecasts;
  }

  forget(): void {
    this.#forecaster = undefined;
  }

  #step(registry: Registry, slot: number, read: readonly PastReading[]): Forecast[][] {
    const forecaster = this.#forecaster ?? newForecaster(pocketDesign(registry.pockets));
    const now = moment(slot, registry);
    observe(forecaster, now, readingsOf(registry, read));
    this.#forecaster = forecaster;
    this.#slot = slot;
    return predict(
      forecaster,
      now,
      HORIZONS.map((minutes) => moment(slot + minutes * MINUTE, registry)),
    );
  }

  /** An outage leaves slots out: the forecaster sees them as unmeasured. */
  async #recall(tx: Transaction, registry: Registry, slot: number): Promise<void> {
    const design = pocketDesign(registry.pockets);
    const kept = await readForecasterState(tx, slot);
    const restored = kept && restore(design, kept.bytes);
    this.#forecaster = restored ?? newForecaster(design);
    const after = restored && kept ? kept.slot : slot - RELEARN;
    const past = await pastReadings(tx, after, slot);
    for (let at = 0; at < past.length; ) {
      const first = past[at] as PastReading;
      let end = at;
      while (past[end]?.slot === first.slot) end += 1;
      this.#step(registry, first.slot, past.slice(at, end));
      at = end;
    }
  }
}

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
