import { MINUTE } from '../../time/slot.ts';
import type { Generator } from '../generator.ts';
import { HORIZONS } from '../prediction.ts';
import { movementFriction } from './movement-friction.ts';
import { offerIntensity } from './offer-intensity.ts';
import { quietWindow } from './quiet-window.ts';
import { rainComfort } from './rain-comfort.ts';
import type { SideGenerator } from './side.ts';
import { silenceCorrectness } from './silence-correctness.ts';
import { stateGenerator } from './state.ts';

export const sideGenerators: readonly SideGenerator[] = [
  quietWindow,
  rainComfort,
  movementFriction,
  offerIntensity,
  silenceCorrectness,
];

/** Everything that seals forecasts, in the order in which they are sealed and named in answers. */
export const generators: readonly Generator[] = [...HORIZONS.map(stateGenerator), ...sideGenerators];

export const generatorNames = generators.map(({ name }) => name);

/** The types in the order in which answers name them: that of the state is the last. */
export const generatorTypes = (list: readonly Generator[]): string[] => {
  const byState = list.toSorted((a, b) => Number(a.kind === 'state') - Number(b.kind === 'state'));
  return [...new Set(byState.map(({ type }) => type))];
};
export const predictionTypes = generatorTypes(generators);

/** How long ahead forecasts are made, in milliseconds. */
export const horizons = [...new Set(generators.map(({ horizon }) => horizon * MINUTE))];
/** A forecast is revealed at least and at most this long after it was sealed. */
export const SHORTEST_HORIZON = Math.min(...horizons);
export const LONGEST_HORIZON = Math.max(...horizons);
