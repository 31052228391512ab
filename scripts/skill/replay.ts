import {
  type Forecast,
  newForecaster,
  observe,
  predict,
  type Sample,
} from '../../src/domain/forecaster/index.ts';
import { CsvError } from '../../src/sources/csv.ts';
import { CALM_CLASSES, CLASSES, classOf, HORIZON_HOURS, isCalm, type Judged, momentOf } from './protocol.ts';
import {
  type Call,
  type ReferenceName,
  type References,
  referenceNames,
  referencesFor,
} from './references.ts';
import { newTally, type Score, scoreOf, type Tally, tally } from './score.ts';

export const methods = ['forecaster', ...referenceNames] as const;
export type Method = (typeof methods)[number];
export const windows = ['all hours', '07-22 h'] as const;
export type Window = (typeof windows)[number];

export interface Result {
  horizon_hours: number;
  window: Window;
  scores: Record<Method, Score>;
}

/** A forecast that waits for its outcome. */
interface Waiting {
  forecasts: Forecast[];
  calls: (Record<ReferenceName, Call> | null)[];
}

const callOf = ({ classes, calm, confidence }: Forecast): Call => ({
  class: classes.indexOf(Math.max(...classes)),
  calm,
  confidence,
});

/** Walks through the file slot by slot. What is said at a slot rests on that slot and those before it. */
export function replay(judged: Judged): Result[] {
  const { series, split, stepsPerHour, places, edges, scales } = judged;
  const horizons = HORIZON_HOURS.map((hours) => hours * stepsPerHour);
  const forecaster = newForecaster({
    stepMinutes: series.stepMinutes,
    horizons,
    classes: CLASSES,
    calmClasses: CALM_CLASSES,
    exogenous: series.exogenous.length,
    scales,
  });
  const references = horizons.map((steps) => referencesFor(judged, steps));
  const waiting = horizons.map(() => new Map<number, Waiting>());
  const tallies = horizons.map(() => windows.map(() => methods.map(newTally)));

  for (let slot = 0; slot < series.slots; slot++) {
    const readings = readingsAt(judged, slot);
    for (const [h, steps] of horizons.entries()) {
      const made = waiting[h]?.get(slot - steps);
      const known = references[h] as References;
      const daytime = isDaytime(judged, slot, slot - steps);
      for (const [p, reading] of readings.entries()) {
        if (reading.value === null || slot < steps) continue;
        const own = edges[p] as number[];
        const outcome = classOf(own, reading.value);
        const calls = made?.calls[p];
        const forecast = made?.forecasts[p];
        if (calls && forecast)
          for (const [m, method] of methods.entries()) {
            const call = method === 'forecaster' ? callOf(forecast) : calls[method];
            for (let w = 0; w < windows.length; w++)
              if (w === 0 || daytime)
                tally(tallies[h]?.[w]?.[m] as Tally, call, outcome, isCalm(own, reading.value));
          }
        known.reveal(p, slot - steps, outcome);
      }
      waiting[h]?.delete(slot - steps);
    }
    const now = momentOf(series, slot);
    observe(forecaster, now, readings);
    const targets = horizons.map((steps) => momentOf(series, slot + steps, slot));
    const forecasts = predict(forecaster, now, targets);
    if (slot < split) continue;
    for (const [h] of horizons.entries())
      waiting[h]?.set(slot, {
        forecasts: forecasts.map((ofPlace) => ofPlace[h] as Forecast),
        calls: places.map((_, p) => (references[h] as References).call(p, slot)),
      });
  }
  return HORIZON_HOURS.flatMap((horizon_hours, h) =>
    windows.flatMap((window, w) => {
      const scores = methods.map((name, m) => [name, scoreOf(tallies[h]?.[w]?.[m] as Tally)] as const);
      if (scores.some(([, score]) => score === null)) {
        if (w > 0) return [];
        throw new CsvError(
          'too short: no row of the last 30 % has both an outcome and a value a week before it',
        );
      }
      return [{ horizon_hours, window, scores: Object.fromEntries(scores) as Record<Method, Score> }];
    }),
  );
}

const orNull = (x: number): number | null => (Number.isNaN(x) ? null : x);

export function readingsAt({ series, places, edges }: Judged, slot: number): Sample[] {
  return places.map((number, p) => {
    const at = number * series.slots + slot;
    const value = orNull(series.values[at] as number);
    const own = edges[p] as number[];
    return {
      value,
      class: value === null ? null : classOf(own, value),
      calm: value === null ? null : isCalm(own, value),
      exogenous: series.exogenous.map((column) => orNull(column[at] as number)),
    };
  });
}

/** Whether the hour forecast lies in the day; nights flatter every score of a street. */
function isDaytime({ series, stepsPerHour }: Judged, slot: number, known: number): boolean {
  if (known < 0) return false;
  const hour = Math.floor(momentOf(series, slot, known).stepOfWeek / stepsPerHour) % 24;
  return hour >= 7 && hour < 22;
}
