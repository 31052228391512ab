// The data that a decision was based on, as its explanation shows them.
import Type from 'typebox';
import { resonanceLayers } from '../../domain/decision/resonance.ts';
import { expectedSignalKinds, substrates } from '../../domain/signals/signal.ts';
import { crowdWithoutCount } from '../../domain/signals/snapshot.ts';
import { suppressSmallCount } from '../../domain/stats/small-count-suppression.ts';
import { iso } from '../../domain/time/slot.ts';
import type { SubstrateTrace, TracedSnapshot } from '../../store/observation/substrate-trace.ts';
import { nullable, timestamp, unit } from '../core/answer-fields.ts';
import { moment, momentFields, reading } from '../pocket/pocket-fields.ts';
import { environment, mqsBand } from './decision-fields.ts';

/** The data that the decision was based on; null where those rows are no longer stored. */
export const basis = {
  provenance_url: Type.String({ format: 'uri', description: 'the rows and bytes behind the signals' }),
  moment: nullable(
    Type.Object({
      ...moment.properties,
      mqs: unit,
      band: mqsBand,
      resonance: unit,
      layers: Type.Record(Type.Enum([...resonanceLayers]), nullable(unit)),
    }),
  ),
  atmosphere: nullable(Type.Object({ ...reading.properties, completeness: unit, captured_at: timestamp })),
  environment: nullable(
    Type.Object({
      ...environment.properties,
      completeness: unit,
      substrate: Type.Enum([...substrates]),
      provenance: Type.Array(
        Type.Object({
          kind: Type.Enum([...expectedSignalKinds]),
          source: Type.String(),
          observed_at: timestamp,
          received_at: timestamp,
        }),
      ),
    }),
  ),
};

export const explanationBasis = (trace: SubstrateTrace) => ({
  moment: momentPart(trace),
  atmosphere: atmospherePart(trace),
  environment: trace.snapshot && environmentPart(trace.snapshot),
});

const momentPart = ({ moment }: SubstrateTrace) =>
  moment && {
    ...momentFields(moment.moment),
    mqs: moment.quality.mqs,
    band: moment.quality.band,
    resonance: moment.resonance,
    layers: moment.layers,
  };

function atmospherePart({ reading }: SubstrateTrace) {
  if (!reading) return null;
  const { slot, pocket_id: _same, ...qualities } = reading;
  return { ...qualities, captured_at: iso(slot) };
}

const environmentPart = ({ values, crowd, completeness, substrate, provenance }: TracedSnapshot) => ({
  ...values,
  footfall: suppressSmallCount(values.footfall),
  ...crowdWithoutCount({ values, crowd }),
  completeness,
  substrate,
  provenance: provenance.map(({ kind, source, observed_at, received_at }) => ({
    kind,
    source,
    observed_at: iso(observed_at),
    received_at: iso(received_at),
  })),
});
