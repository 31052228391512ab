// A live city whose scales are learned, on signals that a test makes up.

import type { Registry } from '../../../src/domain/city/city.ts';
import type { ExpectedSignal, PocketSignal, Sensor, Signal } from '../../../src/domain/signals/signal.ts';
import { MINUTE } from '../../../src/domain/time/slot.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import type { Source } from '../../../src/sources/source.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { freshPipeline } from './fresh-pipeline.ts';
import { smallCity } from './small-city.ts';

/** Pockets of Singapore with other sensors. */
export function learnedCity(pockets: number | readonly string[], expects: ExpectedSignal[]): Registry {
  const registry = smallCity(pockets);
  return {
    ...registry,
    city: { ...registry.city, name: 'Learned', substrate: 'live', scales: 'learned', priors: {}, seed: '' },
    pockets: registry.pockets.map((pocket) => ({ ...pocket, expects })),
  };
}

/** Gives these signals, each measured just before its slot. */
export const sourceFrom = (signalsAt: (slot: number) => Measured[]): Source => ({
  substrate: 'live',
  observe: async (slot) => signalsAt(slot).map((measured) => toSignal(measured, slot)),
});

export const pipelineOn = (
  store: Store,
  registry: Registry,
  signalsAt: (slot: number) => Measured[],
): PipelineContext => ({ ...freshPipeline(store, registry), source: sourceFrom(signalsAt) });

/** What a test says of a signal: a value in its unit, or that of a sensor of the crowd. */
export type Measured = Pick<Signal, 'pocket_id' | 'value' | 'closed'> &
  ({ kind: PocketSignal } | { kind: 'crowd'; sensor: Sensor });

const toSignal = (measured: Measured, slot: number): Signal => ({
  ...measured,
  source: `made-up:${measured.kind}`,
  observed_at: slot - 2 * MINUTE,
  received_at: slot - MINUTE,
});
