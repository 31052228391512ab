import type { CalendarStep } from './calendar-step.ts';
import type { Extent } from './design.ts';
import type { Place } from './place.ts';

/** What a forecast of calm and class starts from, once the level is forecast. */
export interface ForecastContext {
  place: Place;
  extent: Extent;
  target: CalendarStep;
  /** Hour of the day forecast. */
  hour: number;
  /** Step of the day forecast, those of a day of rest after those of a working day. */
  stepOfDay: number;
  /** The level usual there, and the level expected. */
  usual: number;
  level: number;
  /** The scale of the logistic curve around it. */
  unit: number;
  /** The level under which the place is calm. */
  calmEdge: number;
}
