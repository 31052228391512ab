// Schemas that several answers about decisions share.
import Type from 'typebox';
import { noMomentReasons } from '../../domain/atmosphere/no-moment.ts';
import { closedGates } from '../../domain/decision/decision-text.ts';
import { gates } from '../../domain/decision/gates.ts';
import { legitimacyBands } from '../../domain/decision/legitimacy.ts';
import { mqsBands } from '../../domain/decision/moment-quality.ts';
import { pauseKinds, silenceReasons } from '../../domain/decision/silence-reason.ts';
import { tiers } from '../../domain/decision/tier.ts';
import { type PocketSignal, pocketSignals } from '../../domain/signals/signal.ts';
import { lineOutcomes } from '../../domain/verdict/line-serves.ts';
import {
  countField,
  date,
  nullable,
  timeField,
  timestamp,
  unit,
  unitField,
  written,
} from '../core/answer-fields.ts';
import { moment, reading } from '../pocket/pocket-fields.ts';
import { sealHash } from '../prediction/prediction-fields.ts';

export const tier = Type.Enum([...tiers], {
  description: 'what a line is about: how a place feels, or something that an outlet has room for',
});

export const mqsBand = Type.Enum([...mqsBands]);

export const legitimacyScore = Type.Number({ minimum: 0, maximum: 100 });

export const legitimacyBand = Type.Enum([...legitimacyBands], {
  description: 'legitimate from a score of 70, borderline from 40',
});

export const closedGate = Type.Enum([...closedGates], {
  description: 'the first gate that closed, or voice where only the wording held the line back',
});

/** The one reason of a silence, as a key and in words. */
export const reasonFields = {
  reason: Type.Enum([...silenceReasons], {
    description: 'the earliest cause that alone kept it silent; resonance_… names its weakest layer',
  }),
  reason_text: Type.String({ description: 'the reason in words' }),
};

/** Why nothing is said: also where nothing was decided. */
export const anyReason = Type.Enum([...pauseKinds, ...noMomentReasons, ...silenceReasons], {
  description:
    'the earliest cause that alone keeps it silent: quiet_hours, already_speaking, no_crowd, not_observed, crowd_missing, crowd_closed, crowd_learning, stand_ins_only or thin_data where there is no moment, the reason of the moment, else the gate; resonance_… names its weakest layer',
});

/** Quarter hours at which nothing was decided, beside counts of silences. */
export const pauseCounts = {
  already_speaking_count: countField(
    "quarter hours in which the service's own line was still live: not silences",
  ),
  quiet_hours_count: countField(
    'quarter hours from 23:00 to 07:00, in which nothing is decided: not silences',
  ),
};

/** Restraint in time, beside the counts of decisions: a line counts once among them, a silence every quarter hour. */
export const wakingTimeField = Type.Object(
  {
    minutes_said: countField('minutes in which a line of the service was live'),
    minutes_silent: countField('minutes in which none was'),
    share_said: Type.Union([unit, Type.Null()], {
      description: 'minutes_said ÷ (minutes_said + minutes_silent); null where no waking time was observed',
    }),
  },
  {
    description:
      'how much of the waking time (07:00 to 23:00) a line was live, by quarter hours that have a moment; of several pockets the sum',
  },
);

/** What became of the decisions that were judged, beside their counts. */
export const decisionsJudged = Type.Object(
  {
    spoke_served: countField('lines that served'),
    spoke_failed: countField('lines that did not'),
    silent_right: countField('silences in which no line would have served'),
    silent_wrong: countField('silences in which a line would have served'),
    inconclusive: countField(
      'lines and silences that could not be judged, since readings or the usual were missing',
    ),
  },
  {
    description:
      'lines and silences by their verdict, which is sealed at the end that the line named or would have named',
  },
);

/** The same for each pocket. */
export const pocketDecisionsJudged = Type.Array(
  Type.Object({ pocket_id: Type.String(), decisions_judged: decisionsJudged }),
);

export const gateResults = Type.Record(
  Type.Enum([...gates]),
  Type.Object({ passed: Type.Boolean(), score: nullable(unit) }),
);

export const deltaToEmitThreshold = Type.Number({
  description: 'legitimacy score less the emit threshold: negative where the line fell short',
});

export const attentionMinutes = Type.Number({
  minimum: 0,
  description:
    'an estimate, not a measurement: one in 25 of the people who passed in the quarter hour would have looked, for 15 seconds',
});

/** One reading of the daily legitimacy index. */
export const indexReading = Type.Object({
  pocket_id: Type.String(),
  reading_date: date,
  score: legitimacyScore,
  band: legitimacyBand,
  reason: Type.String({ description: 'names the factor that costs the score most' }),
});

const measurement = (signal: PocketSignal) =>
  nullable(Type.Number({ description: pocketSignals[signal].unit }));

/** The measurements of a pocket at one slot: null where absent, stale, or a count too small to publish. */
export const environment = Type.Object({
  rain_mm: measurement('rain_mm'),
  temperature_c: measurement('temperature_c'),
  humidity_pct: measurement('humidity_pct'),
  pm25: measurement('pm25'),
  footfall: measurement('footfall'),
  transit_crowding: measurement('transit_crowding'),
  traffic_speed_kmh: measurement('traffic_speed_kmh'),
  carpark_occupancy: measurement('carpark_occupancy'),
  crowd: Type.Optional(
    Type.Number({
      description:
        'how crowded it was by the sensors of the pocket, as a share of their own usual peak; absent where people are counted',
    }),
  ),
});

const usualCalm = nullable(
  unitField('mean calm that is usual from then to the end; null with less than two weeks of readings'),
);
const heldShare = nullable(
  unitField(
    'share of windows with such chances that held on other days; null where calm was not likely and none began',
  ),
);
const expectedCalm = unitField('mean calm that is expected until the end');

/** The sealed payload of a silence: the line that was not said, the gate that closed, and the data of the decision. */
export const silencePayload = Type.Object({
  type: Type.Literal('silence'),
  id: Type.String(),
  pocket_id: Type.String(),
  sealed_at: timestamp,
  window_end: timeField(
    'when it is judged: the end that the drafted line would have named, else an hour later',
  ),
  usual_calm: usualCalm,
  candidate_emission_text: Type.String(),
  candidate_confidence: unit,
  legitimacy_score: legitimacyScore,
  band: legitimacyBand,
  gate_closed: closedGate,
  ...reasonFields,
  delta_to_emit_threshold: deltaToEmitThreshold,
  gates: Type.Record(Type.Enum([...gates]), nullable(unit), {
    description: 'the score of each gate; null where its inputs were not measured',
  }),
  ...written,
  substrate: Type.Object({
    completeness: unit,
    atmosphere: reading,
    environment,
    moment: Type.Object({
      ...Type.Pick(moment, [
        'calm_probability',
        'signal_saturation',
        'movement_friction',
        'fragility',
        'half_life_minutes',
        'silence_reasons',
      ]).properties,
      window_ends_at: nullable(timestamp),
      held_share: heldShare,
      expected_calm: expectedCalm,
    }),
  }),
});

/** The sealed payload of a line: what was claimed when it was said. */
export const linePayload = Type.Object({
  type: Type.Literal('line'),
  id: Type.String(),
  pocket_id: Type.String(),
  sealed_at: timestamp,
  window_end: timeField('until when it is live, and when it is judged'),
  text: Type.String({ description: 'the line' }),
  tier,
  confidence: unit,
  legitimacy_score: legitimacyScore,
  mqs: unit,
  resonance: unit,
  primary_state: moment.properties.primary_state,
  calm_probability: moment.properties.calm_probability,
  held_share: heldShare,
  expected_calm: expectedCalm,
  usual_calm: usualCalm,
  ...written,
});

/** The sealed verdict on a line or a silence, with the readings that decided it. */
export const verdictPayload = Type.Object({
  type: Type.Literal('verdict'),
  id: Type.String(),
  decision_id: Type.String({ description: 'id of the line or the silence' }),
  decision: Type.Enum(['line', 'silence'], { description: 'what is judged' }),
  decision_leaf: countField('its place in the ledger'),
  pocket_id: Type.String(),
  decided_at: timestamp,
  revealed_at: timestamp,
  usual_calm: usualCalm,
  calm: Type.Array(nullable(unit), {
    description: 'calm of each quarter hour from the decision to the end; null where nothing was read',
  }),
  calm_state: Type.Array(nullable(Type.Boolean()), { description: 'whether each was in a calm state' }),
  served: nullable(
    Type.Boolean({ description: 'whether the line served, or would have; null: inconclusive' }),
  ),
  outcome: Type.Enum([...lineOutcomes], { description: 'what became of the line, or would have' }),
  rule: Type.Integer({ minimum: 1, description: 'version of the rule' }),
  ...written,
});

const verdict = Type.Object({
  revealed: Type.Literal(true),
  revealed_at: timestamp,
  vindicated: nullable(
    Type.Boolean({
      description: 'whether staying silent, or saying the line, was right; null: inconclusive',
    }),
  ),
  attention_minutes_preserved: attentionMinutes,
  reason: Type.String(),
  what_happened: Type.Object(
    {
      calm: verdictPayload.properties.calm,
      calm_state: verdictPayload.properties.calm_state,
    },
    { description: 'the readings from the decision to the end that is judged' },
  ),
  verdict_id: Type.String({ description: 'its entry of the ledger' }),
});

const pending = Type.Object({
  revealed: Type.Literal(false),
  reveal_at: timestamp,
  vindicated: Type.Null(),
});

/** What a line said, or would have said, and whether the decision was right. */
export const judged = {
  claim: Type.Object(
    {
      ends_at: timeField('the end that is judged'),
      usual_calm: usualCalm,
      expected_calm: expectedCalm,
      held_share: heldShare,
    },
    { description: 'what the line said, or would have said' },
  ),
  was_it_right: Type.Union([verdict, pending]),
};

/** Served with a silence, so that a reader can recompute the hash from the payload. */
export const sealedSilence = { payload_hash: sealHash, payload: silencePayload };
