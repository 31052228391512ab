import { isCalmState, primaryStates } from '../../domain/atmosphere/primary-state.ts';
import type { Pocket, Registry } from '../../domain/city/city.ts';
import {
  calendarStepAt,
  calmShareScale,
  type Design,
  type Forecaster,
  loadStatePart,
  newForecaster,
  type Sample,
  stateParts,
} from '../../domain/forecaster/index.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { DAY, dateOf, HOUR, MINUTE, SLOT, startOfDay } from '../../domain/time/sgt.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { firstReading, type PastReading, pastReadings } from '../../store/observation/past-readings.ts';
import {
  newestForecasterState,
  readForecasterPart,
  writeForecasterState,
} from '../../store/prediction/forecaster-states.ts';
import { type Expectations, type Step, stepOn } from '../jobs/forecast-inputs.ts';

/** A calm reading, as `domain/atmosphere.ts` draws the line. */
const CALM = 0.55;
const STEP_MINUTES = SLOT / MINUTE;
const SINGAPORE_MINUTES = 8 * 60;
/** So far back a forecaster that has lost its state learns again. */
const RELEARN = 56 * DAY;

export const pocketDesign = (pockets: readonly Pocket[]): Design => ({
  stepMinutes: STEP_MINUTES,
  horizons: HORIZONS.map((minutes) => minutes / STEP_MINUTES),
  classes: primaryStates.length,
  calmClasses: primaryStates.map(isCalmState),
  exogenous: 3,
  scales: pockets.map(() => calmShareScale(CALM)),
});

/**
 * The forecaster of all pockets, from slot to slot. It lives in this process; what it knew at midnight is in the store,
 * and what it has learned since follows from the readings, so that any worker can take over.
 */
export class PocketForecaster {
  #forecaster: Forecaster | undefined;
  /** The slot learned last; null when nothing is known to be learned. */
  #slot: number | null = null;

  /** Learns what was read at `slot` and forecasts each pocket for each horizon. */
  async expect(
    tx: Transaction,
    registry: Registry,
    slot: number,
    read: readonly PastReading[],
    instead: Iterable<readonly PastReading[]> = [],
  ): Promise<Expectations> {
    const known = this.#slot === slot - SLOT ? this.#forecaster : undefined;
    const forecaster = known ?? (await this.#recall(tx, registry, slot));
    this.#slot = slot;
    return stepOn(forecaster, stepOf(registry, slot, read, instead));
  }

  /** At midnight, what has been learned goes to the store. */
  async keep(tx: Transaction, slot: number): Promise<void> {
    if (slot === startOfDay(slot) && this.#forecaster)
      await writeForecasterState(tx, slot, stateParts(this.#forecaster));
  }

  forget(): void {
    this.#slot = null;
  }

  /** An outage leaves slots out: the forecaster sees them as unmeasured. */
  async #recall(tx: Transaction, registry: Registry, slot: number): Promise<Forecaster> {
    const design = pocketDesign(registry.pockets);
    let forecaster = newForecaster(design, this.#forecaster);
    const kept = await restore(tx, forecaster, slot);
    // Of another city or an earlier release, perhaps in part: it has to learn again.
    if (kept === null) forecaster = newForecaster(design, forecaster);
    this.#forecaster = forecaster;
    const known = kept ?? slot - RELEARN;
    const first = (await firstReading(tx, known)) ?? slot;
    // An hour at a time: a day of thousands of pockets is too much to hold.
    for (let after = first - SLOT; after < slot - SLOT; after += HOUR) {
      const past = await pastReadings(tx, after, Math.min(after + HOUR, slot - SLOT));
      for (const [then, read] of Map.groupBy(past, (reading) => reading.slot))
        stepOn(forecaster, stepOf(registry, then, read));
    }
    return forecaster;
  }
}

/** The slot up to which everything is known again; null when nothing is. */
async function restore(tx: Transaction, forecaster: Forecaster, slot: number): Promise<number | null> {
  const kept = await newestForecasterState(tx, slot);
  if (!kept) return null;
  for (let part = 0; part < kept.parts; part += 1) {
    const bytes = await readForecasterPart(tx, kept.slot, part);
    if (!bytes || !loadStatePart(forecaster, part, bytes)) return null;
  }
  return kept.slot;
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
  calendarStepAt(slot / SLOT, STEP_MINUTES, SINGAPORE_MINUTES, registry.holidays.includes(dateOf(slot)));

const unread: Sample = { value: null, class: null, calm: null };

function readingsOf({ pockets }: Registry, read: readonly PastReading[]): Sample[] {
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
