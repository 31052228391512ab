// Fixture decisions of a pocket, written as the pipeline writes them.
import type { Reading } from '../../../src/domain/atmosphere/reading.ts';
import type { ClosedGate } from '../../../src/domain/decision/decision-text.ts';
import { type Gate, gates } from '../../../src/domain/decision/gates.ts';
import { legitimacyBandAt } from '../../../src/domain/decision/legitimacy.ts';
import type { Moment } from '../../../src/domain/decision/moment.ts';
import type { MqsBand } from '../../../src/domain/decision/moment-quality.ts';
import { type LayerScores, resonanceLayers, resonanceScore } from '../../../src/domain/decision/resonance.ts';
import { decisionId, type SilencePayload } from '../../../src/domain/decision/silence.ts';
import {
  type PauseKind,
  reasonText,
  type SilenceReason,
} from '../../../src/domain/decision/silence-reason.ts';
import type { Package } from '../../../src/domain/narration/package.ts';
import type { Sealed } from '../../../src/domain/prediction/written.ts';
import type { Snapshot } from '../../../src/domain/signals/snapshot.ts';
import { HOUR, iso, MINUTE } from '../../../src/domain/time/slot.ts';
import { linePayload } from '../../../src/domain/verdict/line-payload.ts';
import { verdictPayload } from '../../../src/domain/verdict/verdict.ts';
import { type SaidLine, writePackages, writeSilences } from '../../../src/store/decision/decisions.ts';
import { type DecidedMoment, writeMoments } from '../../../src/store/decision/moments.ts';
import { type Judged, writeVerdicts } from '../../../src/store/decision/verdicts.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeReadings } from '../../../src/store/observation/readings.ts';
import { writeSnapshots } from '../../../src/store/observation/snapshots.ts';
import { TEST_TIME, testLedger } from '../stores/test-ledger.ts';

export interface DecisionFixture {
  pocket?: string;
  slot: number;
  /** Null: an emission, or a pause. */
  gate: ClosedGate | null;
  /** By default one that closes the gate. */
  reason?: SilenceReason;
  pause?: PauseKind;
  score?: number;
  /** Whether the decision was right; left out while that is pending. */
  vindicated?: boolean | null;
  minutes?: number;
  tier?: Package['tier'];
  band?: MqsBand;
  layers?: Partial<LayerScores>;
  moment?: Partial<Moment>;
  values?: Partial<Snapshot['values']>;
}

const weather: Snapshot['values'] = {
  rain_mm: 0,
  temperature_c: 28.5,
  humidity_pct: 80,
  pm25: 12,
  footfall: 400,
  transit_crowding: 0.25,
  traffic_speed_kmh: 40,
  carpark_occupancy: 0.5,
};
const text = 'a quiet hour; calmer than usual; until about quarter to one.';

export const reading = ({ pocket = 'tiongbahru', slot }: DecisionFixture): Reading => ({
  pocket_id: pocket,
  slot,
  stress: 0.25,
  calm: 0.75,
  social_energy: 0.125,
  productive: 0.5,
  primary_state: 'calm-productive',
  anomaly_flag: false,
  completeness: 1,
});

export function decidedMoment({
  pocket = 'tiongbahru',
  slot,
  band = 'weak',
  ...fixture
}: DecisionFixture): DecidedMoment {
  const moment: Moment = {
    pocket_id: pocket,
    primary_state: 'calm-productive',
    calm_probability: 0.875,
    calm_level: 0.75,
    calm_change: 0,
    signal_saturation: 0,
    movement_friction: 0.125,
    fragility: 0.25,
    half_life_minutes: 45,
    expires_at: slot + 45 * MINUTE,
    window_ends_at: slot + HOUR,
    window_held_share: 0.875,
    window_expected_calm: 0.75,
    should_stay_silent: false,
    silence_reasons: [],
    ...fixture.moment,
  };
  const factors = { usefulness: 0.8, urgency: 1, calmness: 0.875, merchant_fit: 0.5, user_need: 1 };
  const layers = {
    ...(Object.fromEntries(resonanceLayers.map((layer) => [layer, 1])) as LayerScores),
    ...fixture.layers,
  };
  return {
    slot,
    moment,
    surroundings: {
      usual_stress: 0.4,
      usual_calm: 0.5,
      network_calm: 0.5,
      spare_capacity: 0.5,
      fatigue: 0.15,
    },
    decision: {
      quality: { mqs: 0.35, band, factors, previous_mqs: null, reasons: [] },
      layers,
      resonance: resonanceScore(layers),
    },
    pause: fixture.pause ? { kind: fixture.pause, legitimacy_score: fixture.score ?? 50 } : null,
  };
}

const fixtureReason = ({ gate, reason }: DecisionFixture): SilenceReason => {
  if (reason) return reason;
  if (gate === 'moment_silence') return 'tense';
  return gate === 'resonance' ? 'resonance_physical' : (gate ?? 'voice');
};

export function silence(fixture: DecisionFixture): SilencePayload {
  const { pocket = 'tiongbahru', slot, gate, score = 50, values } = fixture;
  const reason = fixtureReason(fixture);
  const { pocket_id: _same, slot: _then, completeness, ...atmosphere } = reading({ pocket, slot, gate });
  return {
    type: 'silence',
    id: decisionId(pocket, slot),
    pocket_id: pocket,
    sealed_at: iso(slot),
    window_end: iso(slot + HOUR),
    usual_calm: 0.5,
    candidate_emission_text: text,
    candidate_confidence: 0.5,
    legitimacy_score: score,
    band: legitimacyBandAt(score),
    gate_closed: gate ?? 'voice',
    reason,
    reason_text: reasonText[reason],
    delta_to_emit_threshold: score - 70,
    gates: Object.fromEntries(gates.map((name) => [name, name === gate ? 0.25 : 1])) as Record<Gate, number>,
    substrate: {
      completeness,
      atmosphere,
      environment: { ...weather, ...values },
      moment: {
        calm_probability: 0.875,
        signal_saturation: 0,
        movement_friction: 0.125,
        fragility: 0.25,
        half_life_minutes: 45,
        window_ends_at: iso(slot + HOUR),
        held_share: 0.875,
        expected_calm: 0.75,
        silence_reasons: [],
      },
    },
  };
}

export function emission({
  pocket = 'tiongbahru',
  slot,
  score = 80,
  tier = 'atmosphere',
}: DecisionFixture): Package {
  return {
    id: decisionId(pocket, slot),
    slot,
    pocket_id: pocket,
    source_kind: 'moment',
    tier,
    composed_text: text,
    json_ld: {},
    attribution_meta: { license: 'CC BY-NC-ND 4.0', attribution_required: true, composed_by: 'pocketwatch' },
    confidence: 0.75,
    legitimacy_score: score,
    mqs: 0.35,
    resonance: 1,
    pqs: 0.843,
    expires_at: slot + HOUR,
  };
}

export const saidLine = (fixture: DecisionFixture): SaidLine => {
  const item = emission(fixture);
  return { item, payload: linePayload(item, decidedMoment(fixture).moment, 0.5) };
};

/** The payload of a silence as `writeDecisions` seals it. */
export const sealedSilence = (fixture: DecisionFixture): Sealed<SilencePayload> => ({
  ...silence(fixture),
  written_at: iso(TEST_TIME),
});

/** Writes each decision with its reading, snapshot, moment and verdict. */
export async function writeDecisions(store: Store, all: readonly DecisionFixture[]): Promise<void> {
  const silent = all.filter(({ gate }) => gate !== null);
  const ledger = testLedger();
  await store.transaction(async (tx) => {
    await writeReadings(tx, all.map(reading));
    await writeSnapshots(tx, all.map(snapshot), 'simulated');
    await writeMoments(tx, all.map(decidedMoment));
    await writeSilences(tx, ledger, silent.map(silence));
    await writePackages(tx, ledger, all.filter(({ gate, pause }) => gate === null && !pause).map(saidLine));
    await writeVerdicts(tx, ledger, all.flatMap(verdict));
    await ledger.write(tx);
  });
}

const PEAK = 1000;

const snapshot = ({ pocket = 'tiongbahru', slot, values }: DecisionFixture): Snapshot => ({
  pocket_id: pocket,
  slot,
  values: { ...weather, ...values },
  crowd: crowdShare(values?.footfall === undefined ? weather.footfall : values.footfall),
  crowd_gap: null,
  completeness: 1,
  provenance: [
    {
      kind: 'rain_mm',
      source: 'simulated:rain-gauge',
      observed_at: slot - 5 * MINUTE,
      received_at: slot - 4 * MINUTE,
      fresh: true,
    },
  ],
});

const crowdShare = (footfall: number | null): number | null => (footfall === null ? null : footfall / PEAK);

function verdict(fixture: DecisionFixture): Judged[] {
  const { pocket = 'tiongbahru', slot, gate, pause, vindicated, minutes = 0 } = fixture;
  if (vindicated === undefined || pause) return [];
  const spoke = gate === null;
  const decision = {
    id: decisionId(pocket, slot),
    pocket_id: pocket,
    slot,
    ends_at: slot + HOUR,
    usual_calm: 0.5,
    spoke,
    leaf: 0,
    reason: spoke ? null : fixtureReason(fixture),
  };
  const served = vindicated === null ? null : vindicated === spoke;
  const calm = served === null ? [0.75, null, null, null, null] : Array.from({ length: 5 }, () => 0.75);
  const calm_state = calm.map((level, n) => (level === null ? null : served !== false || n < 3));
  const footfall = minutes * FOOTFALL_OF_A_MINUTE;
  return [{ decision, verdict: verdictPayload(decision, { calm, calm_state }), footfall }];
}

/** People an hour who give one minute of attention (`attentionMinutes`). */
const FOOTFALL_OF_A_MINUTE = 400;
