/**
 * The forecaster's public interface; nothing outside this folder imports its other files. The method is described
 * in docs/forecast.md.
 */
export { type CalendarStep, calendarStepAt } from './calendar-step.ts';
export type { Design, Forecast, Sample } from './design.ts';
export { calmShareScale, type LevelScale, transform } from './level-scale.ts';
export { learnOutcomes, observe, recordSamples } from './observe.ts';
export { predict, predictScenarios } from './predict.ts';
export { type Forecaster, loadStatePart, newForecaster, stateParts } from './state.ts';
