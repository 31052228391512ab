// What is known of the generators of forecasts. The caller tells it: formulas are written here a second time, but which
// of them holds for a forecast is not in the log.
import type { Entry } from '../entry.ts';
import { valueText } from './difference.ts';

export interface KnownGenerator {
  name: string;
  /** Which formula its scores follow from (scores.ts). */
  kind: 'state' | 'chance' | 'level';
  type: string;
  /** In minutes. */
  horizon: number;
}

/** By name. */
export type KnownGenerators = ReadonlyMap<string, Omit<KnownGenerator, 'name'>>;

export const knownGenerators = (generators: readonly KnownGenerator[]): KnownGenerators =>
  new Map(generators.map(({ name, kind, type, horizon }) => [name, { kind, type, horizon }]));

/** Why the scores and figures of a forecast cannot be computed again; undefined where they can. */
export function unknownGenerator(known: KnownGenerators, payload: Entry['payload']): string | undefined {
  const { generator, prediction_type, horizon_minutes } = payload;
  const own = known.get(String(generator));
  if (!own) return `no generator is known as ${valueText(generator)}, so its scores cannot be computed again`;
  if (prediction_type === own.type && horizon_minutes === own.horizon) return undefined;
  return `${generator} is known to forecast ${own.type} ${own.horizon} minutes ahead, not ${valueText(prediction_type)} ${valueText(horizon_minutes)}`;
}
