import type { CalendarStep } from './calendar-step.ts';
import type { Dimensions } from './design.ts';
import type { Place } from './place.ts';

/** What the calm and class experts of one forecast work from, once the level is forecast. */
export interface ForecastContext {
  place: Place;
  dimensions: Dimensions;
  target: CalendarStep;
  /** Hour of the day of the target. */
  hour: number;
  /** See `stepOfDayKind`. */
  stepOfDay: number;
  /** The usual level at the target, and the expected one. */
  usual: number;
  level: number;
  /** The scale parameter of the logistic distribution of the level around its expectation. */
  logisticScale: number;
  /** The level below which the place is calm. */
  calmEdge: number;
}
