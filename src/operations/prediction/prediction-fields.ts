// Schemas of a sealed forecast, of its reveal, and of its entry in an answer.

import Type, { type Static } from 'typebox';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { generatorNames, generatorTypes, sideGenerators } from '../../domain/prediction/generators/all.ts';
import { STATE_TYPE } from '../../domain/prediction/prediction.ts';
import { substrates } from '../../domain/signals/signal.ts';
import {
  count,
  countField,
  nullable,
  primaryState,
  timestamp,
  unit,
  unitField,
  written,
} from '../core/answer-fields.ts';
import { shortText } from '../core/fields.ts';
import { proofAddresses } from './proof-links.ts';

export const generatorName = Type.Enum([...generatorNames]);

/** The argument that selects forecasts by it. */
export const generatorArgument = shortText(
  64,
  `one of ${generatorNames.join(', ')}; hyphens are accepted for underscores`,
);

export const sealHash = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'SHA-256 of the payload as RFC 8785 canonical JSON',
});

const sealedForecast = {
  type: Type.Literal('prediction'),
  id: Type.String(),
  pocket_id: Type.String(),
  generator: generatorName,
  prediction_key: Type.String({
    description: 'the outcome that is forecast, the same for every forecast of it',
  }),
  horizon_minutes: count,
  sealed_at: timestamp,
  reveal_at: timestamp,
  confidence: unit,
  completeness: unitField('share of the expected signals that were fresh when it was sealed'),
  shadow: Type.Boolean({ description: 'true for a forecast on trial, which counts in no headline' }),
  substrate: Type.Enum([...substrates], { description: 'where the signals came from' }),
  ...written,
};

/** A forecast of the state of a pocket. */
export const projection = Type.Object({
  expected_state: primaryState,
  calm_probability: unitField('chance that the pocket is calm then'),
  expected_calm: unitField('level of calm expected'),
  probabilities: Type.Array(unit, { description: 'chance of each state, in the order of the states' }),
});

const projectionPayload = Type.Object({
  ...sealedForecast,
  prediction_type: Type.Literal(STATE_TYPE),
  forecast: projection,
  baseline: Type.Object(
    { expected_state: primaryState, expected_calm: unit },
    { description: 'the naive baseline, sealed with the forecast' },
  ),
  known: Type.Object(
    { primary_state: primaryState, calm: unit, rain_mm: nullable(Type.Number({ minimum: 0 })) },
    { description: 'what was observed when it was sealed; rain in the last 15 minutes' },
  ),
});

/** A chance or a level, 0..1. */
const expected = unitField('a chance, or the level expected');

const sidePayload = Type.Object({
  ...sealedForecast,
  prediction_type: Type.Enum(generatorTypes(sideGenerators)),
  forecast: Type.Object({
    expected,
    filed_under: Type.String({ description: 'the conditions whose past outcomes were counted' }),
  }),
  baseline: Type.Object({ expected }, { description: 'what is usual, sealed with the forecast' }),
});

/** A sealed forecast: of the state of a pocket, or of one chance or level. */
export const predictionPayload = Type.Union([projectionPayload, sidePayload]);

/** Null where too little was observed. */
export const observation = nullable(
  Type.Union([
    Type.Object({ primary_state: primaryState, calm: unit }),
    Type.Object({
      outcome: unitField('1 or 0 for a chance, or the level observed'),
    }),
  ]),
);

/** The payload that is sealed when a forecast is revealed. */
export const revealPayload = Type.Object({
  type: Type.Literal('reveal'),
  id: Type.String(),
  sealed_leaf: countField('leaf of the forecast in the tree'),
  sealed_hash: sealHash,
  revealed_at: timestamp,
  actual_observation: observation,
  accuracy_score: nullable(unit),
  baseline_score: nullable(unit),
  error_type: nullable(Type.Enum([...errorTypes])),
  ...written,
});

/** A sealed forecast with its outcome, as the ledger of forecasts lists it. */
export const predictionEntry = Type.Object({
  id: Type.String(),
  pocket_id: Type.String(),
  generator: generatorName,
  prediction_key: Type.String(),
  sealed_at: timestamp,
  reveal_at: timestamp,
  revealed: Type.Boolean(),
  prediction_payload: predictionPayload,
  actual_observation: Type.Optional(observation),
  accuracy_score: nullable(unit),
  payload_hash: sealHash,
  proof_url: proofAddresses.proof_url,
});
export type PredictionEntry = Static<typeof predictionEntry>;

/** How many forecasts of a generator were scored, and the share of them that came true. */
export const generatorAccuracy = Type.Object({
  generator: generatorName,
  n: count,
  accuracy: nullable(unit),
});
