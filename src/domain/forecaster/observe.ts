import { type CalendarStep, livedStep } from './calendar-step.ts';
import { wander } from './calibration.ts';
import { learnCalm } from './calm-model.ts';
import { count, learnClass } from './class-model.ts';
import type { Sample } from './design.ts';
import { gather, mark } from './feature-row.ts';
import { indexOf } from './features.ts';
import { learnError, learnSurprise, type Weighing } from './level-model.ts';
import { levelOf } from './level-scale.ts';
import { absorb, forget, MOST_SURPRISE } from './place.ts';
import { within } from './recursive.ts';
import { type Forecaster, loadPlace, type Own, type Shared, storeLearned } from './state.ts';

/** What all places share is learned over a quarter of a year or so, what is a place's own over two months. */
const SHARED_DAYS = 90;
const OWN_DAYS = 60;

/** Takes in one slot: first as the outcome of earlier forecasts, then as news. Slots only go forward. */
export function observe(forecaster: Forecaster, now: CalendarStep, readings: readonly Sample[]): void {
  const weighing = turnTo(forecaster, now, readings);
  settle(
    forecaster,
    now,
    showAll(forecaster, now, readings, {
      before: (p) => learnPlace(forecaster, p, now.slot, readings[p] as Sample, weighing(p)),
      after: (p) => storeLearned(forecaster, p),
    }),
  );
}

/** The first half of it: the slot as the outcome of earlier forecasts. */
export function learn(forecaster: Forecaster, now: CalendarStep, readings: readonly Sample[]): void {
  const weighing = turnTo(forecaster, now, readings);
  for (let p = 0; p < readings.length; p++) {
    loadPlace(forecaster, p);
    learnPlace(forecaster, p, now.slot, readings[p] as Sample, weighing(p));
    storeLearned(forecaster, p);
  }
}

/** The second half: the slot as news. */
export function takeIn(forecaster: Forecaster, now: CalendarStep, readings: readonly Sample[]): void {
  settle(forecaster, now, showAll(forecaster, now, readings, { after: (p) => storeLearned(forecaster, p) }));
}

function settle({ common: { together } }: Forecaster, now: CalendarStep, surprise: number): void {
  together[now.slot % together.length] = surprise;
}

/** Sets the clock, and answers how the outcome of each place is weighed. */
function turnTo(
  forecaster: Forecaster,
  now: CalendarStep,
  readings: readonly Sample[],
): (p: number) => Weighing {
  const { extent, common } = forecaster;
  const last = common.clock[0] as number;
  if (now.slot <= last) throw new RangeError(`slot ${now.slot} does not come after ${last}`);
  if (readings.length !== extent.places) throw new RangeError('one reading is needed for each place');
  skip(forecaster, last, now.slot);
  common.clock[0] = now.slot;
  for (const { calm } of common.shared) wander(calm.calibration, extent.day);
  const narrow: Weighing = {
    standsFor: 0,
    weight: 1 / extent.hour,
    keepShared: 1 - 1 / (SHARED_DAYS * extent.day * extent.places),
    keepOwn: 1 - 1 / (OWN_DAYS * extent.day),
  };
  const wide = { ...narrow, standsFor: extent.hour };
  return (p) => ((now.slot + p) % extent.hour === 0 ? wide : narrow);
}

/** Shows each place what was read there, and answers what they feel together. Whoever is called has it on the desk. */
export function showAll(
  forecaster: Forecaster,
  now: CalendarStep,
  readings: readonly Sample[],
  call: { before?: (p: number) => void; after?: (p: number) => void },
): number {
  const { extent } = forecaster;
  const lived = livedStep(now, extent.day);
  let sum = 0;
  let known = 0;
  for (let p = 0; p < readings.length; p++) {
    const place = loadPlace(forecaster, p);
    call.before?.(p);
    absorb(place, extent, now.slot, lived, now.holiday, readings[p] as Sample);
    call.after?.(p);
    const surprise = place.surprises[now.slot % extent.rings.surprises] as number;
    if (Number.isNaN(surprise)) continue;
    sum += surprise;
    known += 1;
  }
  return known > 0 ? sum / known : 0;
}

/** After a silence of two weeks every ring has been cleared once; more would change nothing. */
function skip(forecaster: Forecaster, last: number, slot: number): void {
  if (Number.isNaN(last) || slot === last + 1) return;
  const { extent, common } = forecaster;
  const first = Math.max(last + 1, slot - extent.rings.levels);
  for (let missed = first; missed < slot; missed++) common.together[missed % common.together.length] = 0;
  for (let p = 0; p < extent.places; p++) {
    const place = loadPlace(forecaster, p);
    for (let missed = first; missed < slot; missed++) forget(place, extent, missed);
    storeLearned(forecaster, p);
  }
}

const USUAL = indexOf('usual');

function learnPlace(
  forecaster: Forecaster,
  p: number,
  slot: number,
  reading: Sample,
  weighing: Weighing,
): void {
  for (let h = 0; h < forecaster.extent.horizons; h++)
    learnOutcome(forecaster, p, h, slot, reading, weighing);
}

function learnOutcome(
  forecaster: Forecaster,
  p: number,
  h: number,
  slot: number,
  { value, calm, class: outcome }: Sample,
  weighing: Weighing,
): void {
  const { design, extent, workspace: desk, common } = forecaster;
  const own = desk.owns[h] as Own;
  const shared = common.shared[h] as Shared;
  const steps = design.horizons[h] as number;
  const at = slot % steps;
  if (own.pendingSlots[at] !== slot - steps) return;

  const { record, chances } = desk;
  const { all, features, parts, opinions, classOpinions, marks } = record;
  const size = record.row.length;
  for (let i = 0; i < size; i++) record.row[i] = own.pending[at * size + i] as number;
  const hour = marks[mark.hour] as number;

  if (value !== null && Number.isFinite(value)) {
    const level = levelOf(desk.place.scale, value);
    const surprise = within(level - (features[USUAL] as number), MOST_SURPRISE);
    const core = gather(features, desk.levelIndices, desk.levelCore);
    learnSurprise(shared.level, own.level, hour, features, core, parts, surprise, weighing);
    learnError(own.level, hour, surprise - (marks[mark.surprise] as number), extent);
  }
  if (calm !== null) {
    const core = gather(all, desk.calmIndices, desk.calmCore);
    const verdict = marks[mark.verdict] as number;
    learnCalm(shared.calm, own.calm, hour, all, core, opinions, verdict, calm ? 1 : 0, weighing);
  }
  if (outcome !== null) {
    learnClass(shared.classes, own.classes, all, classOpinions, chances, outcome, weighing.weight);
    count(own.classes, marks[mark.tableRow] as number, outcome, extent.classes);
  }
  if (calm === null && outcome === null) return;
  const nth = p * extent.horizons + h;
  common.learned[nth] = (common.learned[nth] as number) + 1;
}
