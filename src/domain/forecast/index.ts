export { type Moment, momentAt } from './calendar.ts';
export type { Design, Forecast, Reading } from './design.ts';
export { observe } from './observe.ts';
export { predict } from './predict.ts';
export { calmShare, quantile, type Scale, scaleFrom } from './scale.ts';
export { type Forecaster, newForecaster, restore, save } from './state.ts';
