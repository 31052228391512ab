export { type CalendarStep, calendarStepAt } from './calendar-step.ts';
export type { Design, Forecast, Sample } from './design.ts';
export { calmShare, quantile, type Scale, scaleFrom } from './level-scale.ts';
export { learn, observe, takeIn } from './observe.ts';
export { predict, predictScenario } from './predict.ts';
export { type Forecaster, newForecaster, parts, refill, restore } from './state.ts';
