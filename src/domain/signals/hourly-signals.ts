/** Rain, temperature, traffic and people of each hour, from the measurements of its quarter hours. */
import { mean, sum } from '../stats/samples.ts';
import { suppressSmallCount } from '../stats/small-count-suppression.ts';
import { round } from '../stats/unit-scale.ts';
import type { Span } from '../time/window.ts';
import type { Snapshot } from './snapshot.ts';

export type MeasuredSlot = Pick<Snapshot, 'slot' | 'crowd'> & {
  values: Pick<Snapshot['values'], 'rain_mm' | 'temperature_c' | 'traffic_speed_kmh' | 'footfall'>;
};

/** Each is null where nothing was measured. */
export interface HourlySignals {
  /** The start of the hour. */
  at: number;
  rain_mm: number | null;
  temperature_c: number | null;
  traffic_speed_kmh: number | null;
  /** People an hour. Null also where one of the quarter hours counted fewer than five: a mean would give it back. */
  people: number | null;
  /** Share of the usual peak, only where people are not counted (docs/decisions/045). */
  crowd: number | null;
}

export function hourlySignals(measured: readonly MeasuredSlot[], hours: readonly Span[]): HourlySignals[] {
  return hours.map(({ from, to }) => {
    const within = measured.filter(({ slot }) => slot >= from && slot < to);
    const knownValues = (kind: keyof MeasuredSlot['values']): number[] =>
      within.flatMap(({ values }) => values[kind] ?? []);
    const roundedMean = (values: readonly number[], places: number) =>
      values.length ? round(mean(values), places) : null;
    const rain = knownValues('rain_mm');
    const people = knownValues('footfall');
    const counted = people.every((count) => suppressSmallCount(count) !== null);
    return {
      at: from,
      rain_mm: rain.length ? round(sum(rain), 1) : null,
      temperature_c: roundedMean(knownValues('temperature_c'), 1),
      traffic_speed_kmh: roundedMean(knownValues('traffic_speed_kmh'), 1),
      people: counted ? roundedMean(people, 0) : null,
      crowd: people.length
        ? null
        : roundedMean(
            within.flatMap(({ crowd }) => crowd ?? []),
            2,
          ),
    };
  });
}
