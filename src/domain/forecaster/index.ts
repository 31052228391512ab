export { type Moment, momentAt } from './calendar-step.ts';
export type { Design, Forecast, Reading } from './design.ts';
export { calmShare, quantile, type Scale, scaleFrom } from './level-scale.ts';
export { learn, observe, takeIn } from './observe.ts';
export { predict, suppose } from './predict.ts';
export { type Forecaster, newForecaster, parts, refill, restore } from './state.ts';
