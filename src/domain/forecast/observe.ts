import { livedStep, type Moment } from './calendar.ts';
import { drift, learnCalm } from './calm.ts';
import { count, learnClass } from './classes.ts';
import type { Reading } from './design.ts';
import { indexOf } from './features.ts';
import { learnError, learnSurprise, type Weighing } from './level.ts';
import { absorb, forget, MOST_SURPRISE, type Place } from './place.ts';
import { gather, mark } from './record.ts';
import { within } from './recursive.ts';
import { levelOf } from './scale.ts';
import type { Forecaster, Own, Shared } from './state.ts';

/** What all places share is learned over a quarter of a year or so, what is a place's own over two months. */
const SHARED_DAYS = 90;
const OWN_DAYS = 60;

/** Takes in one slot: first as the outcome of earlier forecasts, then as news. Slots only go forward. */
export function observe(forecaster: Forecaster, now: Moment, readings: readonly Reading[]): void {
  const { extent, places, shared, together, clock } = forecaster;
  const last = clock[0] as number;
  if (now.slot <= last) throw new RangeError(`slot ${now.slot} does not come after ${last}`);
  if (readings.length !== places.length) throw new RangeError('one reading is needed for each place');
  skip(forecaster, last, now.slot);
  clock[0] = now.slot;

  const narrow: Weighing = {
    standsFor: 0,
    weight: 1 / extent.hour,
    keepShared: 1 - 1 / (SHARED_DAYS * extent.day * extent.places),
    keepOwn: 1 - 1 / (OWN_DAYS * extent.day),
  };
  const wide = { ...narrow, standsFor: extent.hour };
  for (const { calm } of shared) drift(calm, extent.day);
  for (let p = 0; p < places.length; p++) {
    const weighing = (now.slot + p) % extent.hour === 0 ? wide : narrow;
    for (let h = 0; h < shared.length; h++)
      learnOutcome(forecaster, p, h, now.slot, readings[p] as Reading, weighing);
  }

  const lived = livedStep(now, extent.day);
  const ring = extent.rings.surprises;
  let sum = 0;
  let known = 0;
  for (let p = 0; p < places.length; p++) {
    const place = places[p] as Place;
    absorb(place, extent, now.slot, lived, now.holiday, readings[p] as Reading);
    const surprise = place.surprises[now.slot % ring] as number;
    if (Number.isNaN(surprise)) continue;
    sum += surprise;
    known += 1;
  }
  together[now.slot % together.length] = known > 0 ? sum / known : 0;
}

/** After a silence of two weeks every ring has been cleared once; more would change nothing. */
function skip({ extent, places, together }: Forecaster, last: number, slot: number): void {
  if (Number.isNaN(last)) return;
  for (let missed = Math.max(last + 1, slot - extent.rings.levels); missed < slot; missed++) {
    together[missed % together.length] = 0;
    for (const place of places) forget(place, extent, missed);
  }
}

const USUAL = indexOf('usual');

function learnOutcome(
  forecaster: Forecaster,
  p: number,
  h: number,
  slot: number,
  { value, calm, class: outcome }: Reading,
  weighing: Weighing,
): void {
  const { design, extent, desk } = forecaster;
  const own = forecaster.owns[p]?.[h] as Own;
  const shared = forecaster.shared[h] as Shared;
  const steps = design.horizons[h] as number;
  const at = slot % steps;
  if (own.pendingSlots[at] !== slot - steps) return;

  const { record, chances } = desk;
  const { all, features, parts, opinions, verdict, classOpinions, marks } = record;
  const size = record.row.length;
  for (let i = 0; i < size; i++) record.row[i] = own.pending[at * size + i] as number;
  const hour = marks[mark.hour] as number;

  if (value !== null && Number.isFinite(value)) {
    const level = levelOf((forecaster.places[p] as Place).scale, value);
    const surprise = within(level - (features[USUAL] as number), MOST_SURPRISE);
    const core = gather(features, desk.levelIndices, desk.levelCore);
    learnSurprise(shared.level, own.level, hour, features, core, parts, surprise, weighing);
    learnError(own.level, hour, surprise - (marks[mark.surprise] as number), extent);
  }
  if (calm !== null) {
    const core = gather(all, desk.calmIndices, desk.calmCore);
    learnCalm(shared.calm, own.calm, hour, all, core, opinions, verdict, calm ? 1 : 0, weighing);
  }
  if (outcome !== null) {
    learnClass(shared.classes, own.classes, all, classOpinions, chances, outcome, weighing.weight);
    count(own.classes, marks[mark.tableRow] as number, outcome, extent.classes);
  }
  if (calm !== null || outcome !== null) own.learned[0] = (own.learned[0] as number) + 1;
}
