import { CALM_STATE_LEVEL } from '../../domain/atmosphere/atmosphere.ts';
import { isCalmState, primaryStates } from '../../domain/atmosphere/primary-state.ts';
import type { Pocket, Registry } from '../../domain/city/city.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
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
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { cityZone, type Zone } from '../../domain/time/zone.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { firstReadingSlot, type PastReading, pastReadings } from '../../store/observation/past-readings.ts';
import {
  type ForecasterAt,
  newestForecasterState,
  readForecasterPart,
  writeForecasterState,
} from '../../store/prediction/forecaster-states.ts';
import type { BlockFile } from './block-file.ts';
import { learnAndForecast, type SlotForecasts, type SlotSamples } from './learn-and-forecast.ts';

const STEP_MINUTES = SLOT / MINUTE;
/** How far back a forecaster without a stored state learns again. */
const RELEARN = 56 * DAY;

const pocketDesign = (pockets: readonly Pocket[]): Design => ({
  stepMinutes: STEP_MINUTES,
  horizons: HORIZONS.map((minutes) => minutes / STEP_MINUTES),
  classes: primaryStates.length,
  calmClasses: primaryStates.map(isCalmState),
  exogenous: 3,
  scales: pockets.map(() => calmShareScale(CALM_STATE_LEVEL)),
});

/**
 * The forecaster of all pockets of a district. Its state is in memory, or in a file of this process where there are too
 * many of them; the store has a copy of every midnight, and what was learned since is replayed from the readings, so that
 * any worker can take over.
 */
export class PocketForecaster {
  #forecaster: Forecaster | undefined;
  /** The last slot that was learned; null when the state in memory cannot be trusted. */
  #slot: number | null = null;
  readonly #district: string;
  /** Where the places are between two slots, if this process has no room for them. */
  readonly #file: BlockFile | undefined;
  #isStored = false;

  constructor(district = WHOLE_CITY, file?: BlockFile) {
    this.#district = district;
    this.#file = file;
  }

  /** Learns the readings of `slot` and forecasts each pocket for each horizon, in each scenario too. */
  async forecast(
    tx: Transaction,
    registry: Registry,
    slot: number,
    read: readonly PastReading[],
    scenarios: Iterable<readonly PastReading[]> = [],
  ): Promise<SlotForecasts> {
    const current = this.#slot === slot - SLOT ? this.#inMemory() : undefined;
    const forecaster = current ?? (await this.#restore(tx, registry, slot));
    this.#slot = slot;
    const forecasts = learnAndForecast(forecaster, slotSamples(registry, slot, read, scenarios));
    this.#store();
    return forecasts;
  }

  /** Stores the state at midnight. */
  async save(tx: Transaction, slot: number, zone: Zone): Promise<void> {
    if (slot !== zone.startOfDay(slot)) return;
    const forecaster = this.#inMemory();
    if (!forecaster) return;
    await writeForecasterState(tx, { district: this.#district, slot }, stateParts(forecaster));
    this.#store();
  }

  /** The forecaster, with its places read back if they are in the file. */
  #inMemory(): Forecaster | undefined {
    if (this.#forecaster && this.#isStored) {
      this.#forecaster.blocks = this.#file?.take(this.#district) ?? [];
      this.#isStored = false;
    }
    return this.#forecaster;
  }

  #store(): void {
    if (!this.#forecaster || this.#isStored) return;
    this.#isStored = this.#file?.put(this.#district, this.#forecaster.blocks) ?? false;
    if (this.#isStored) this.#forecaster.blocks = [];
  }

  /** After a failed transaction: the next call restores the state from the store. */
  reset(): void {
    this.#slot = null;
  }

  /** Loads the newest stored state and learns the readings since. Slots missing after an outage count as unmeasured. */
  async #restore(tx: Transaction, registry: Registry, slot: number): Promise<Forecaster> {
    const design = pocketDesign(registry.pockets);
    // What is in the file is not needed any more, and may be what could not be read.
    let forecaster = newForecaster(design, this.#isStored ? undefined : this.#forecaster);
    this.#isStored = false;
    const storedSlot = await readStored(tx, forecaster, { district: this.#district, slot });
    // The stored state may be of another city or an earlier release, and read in part: then learn from the readings.
    if (storedSlot === null) forecaster = newForecaster(design, forecaster);
    this.#forecaster = forecaster;
    const learnedUntil = storedSlot ?? slot - RELEARN;
    const first = (await firstReadingSlot(tx, learnedUntil)) ?? slot;
    // An hour at a time: a day of thousands of pockets does not fit in memory.
    for (let from = first; from < slot; from += HOUR) {
      const slots = Array.from({ length: HOUR / SLOT }, (_, n) => from + n * SLOT).filter(
        (one) => one < slot,
      );
      const past = await pastReadings(tx, slots, this.#district);
      for (const [then, read] of Map.groupBy(past, (reading) => reading.slot))
        learnAndForecast(forecaster, slotSamples(registry, then, read));
    }
    return forecaster;
  }
}

/** Reads the newest stored state; returns its slot, or null when there is none that fits. */
async function readStored(tx: Transaction, forecaster: Forecaster, at: ForecasterAt): Promise<number | null> {
  const stored = await newestForecasterState(tx, at);
  if (!stored) return null;
  for (let part = 0; part < stored.parts; part += 1) {
    const bytes = await readForecasterPart(tx, { ...at, slot: stored.slot }, part);
    if (!bytes || !loadStatePart(forecaster, part, bytes)) return null;
  }
  return stored.slot;
}

const slotSamples = (
  registry: Registry,
  slot: number,
  read: readonly PastReading[],
  scenarios: Iterable<readonly PastReading[]> = [],
): SlotSamples => ({
  now: calendarStep(slot, registry),
  targets: HORIZONS.map((minutes) => calendarStep(slot + minutes * MINUTE, registry)),
  readings: pocketSamples(registry, read),
  scenarioReadings: Array.from(scenarios, (other) => pocketSamples(registry, other)),
});

function calendarStep(slot: number, { city, holidays }: Registry) {
  const zone = cityZone(city);
  const isHoliday = holidays.includes(zone.localDate(slot));
  const offset = zone.offset(slot) + weekShift(city.weekend) * DAY;
  return calendarStepAt(slot / SLOT, STEP_MINUTES, offset / MINUTE, isHoliday);
}

/** The forecaster's week ends with two days of rest: the days by which another weekend is moved there. */
export function weekShift(weekend: readonly number[]): number {
  const first = weekend.find((day) => weekend.length === 2 && weekend.includes((day + 1) % 7));
  return first === undefined ? 0 : 5 - first;
}

const noSample: Sample = { value: null, class: null, calm: null };

function pocketSamples({ pockets }: Registry, read: readonly PastReading[]): Sample[] {
  const byPocket = new Map(read.map((reading) => [reading.pocket_id, reading]));
  return pockets.map(({ id }) => {
    const reading = byPocket.get(id);
    if (!reading) return noSample;
    const { calm, primary_state, rain_mm, crowd, transit_crowding } = reading;
    return {
      value: calm,
      class: primaryStates.indexOf(primary_state),
      calm: isCalmState(primary_state),
      exogenous: [rain_mm, crowd, transit_crowding],
    };
  });
}
