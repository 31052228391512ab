// What the tables beside the log must say of an entry, computed again from its payload (docs/ledger.md, "Tables").
import type { Entry } from '../entry.ts';
import { wakingIn } from '../figures/served.ts';
import { parseSeconds } from '../times.ts';
import { nearMiss } from './near-miss.ts';

type Payload = Entry['payload'];
/** Stands in the place of a value that does not follow from the entry alone. */
export class Rule {
  readonly holds: (value: unknown) => boolean;
  constructor(holds: (value: unknown) => boolean) {
    this.holds = holds;
  }
}

/** The row of a table, by its columns. */
export interface ExpectedRow {
  /** Values, or rules for them. */
  columns: Record<string, unknown>;
  /** Whether there may be no such row: the outcome of an entry comes later. */
  mayBeAbsent?: true;
  /** Of a row of raw signals, which are let go after some time: their slot. */
  measuredAt?: number | null;
}

export type Sealed = Pick<Entry, 'id' | 'type' | 'payload'>;

/** Epoch milliseconds, as the tables have times; null for anything that is no time. */
function parseMillis(value: unknown): number | null {
  const seconds = parseSeconds(value);
  return Number.isNaN(seconds) ? null : Math.round(1000 * seconds);
}

const flag = (value: unknown): number | null => (value === null ? null : Number(value === true));
const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** By the name of the rows as they are served. `zone` is that of the city; without it no hour is known to be waking. */
export function expectedRows(
  { id, type, payload }: Sealed,
  zone: string | undefined,
): Record<string, ExpectedRow> {
  return rowsOf[type]?.(id, payload, zone) ?? {};
}

const rowsOf: Record<string, (id: string, payload: Payload, zone?: string) => Record<string, ExpectedRow>> = {
  prediction: (_id, payload, zone) => {
    const columns = {
      slot: parseMillis(payload.sealed_at),
      pocket_id: payload.pocket_id,
      generator: payload.generator,
      prediction_type: payload.prediction_type,
      reveal_at: parseMillis(payload.reveal_at),
      confidence: payload.confidence,
      completeness: payload.completeness,
      shadow: flag(payload.shadow),
    };
    const [forecast, known] = [asRecord(payload.forecast), asRecord(payload.known)];
    const isState = payload.prediction_type === 'other';
    const isWaking = zone === undefined ? undefined : wakingIn(zone);
    return {
      predictions: { columns },
      reveals_of_predictions: {
        columns: {
          expected_calm: isState ? forecast.expected_calm : null,
          calm_probability: isState ? forecast.calm_probability : null,
          ...(isWaking && { waking: Number(isWaking(parseSeconds(payload.reveal_at))) }),
        },
        mayBeAbsent: true,
      },
      ...(payload.generator === 'pocket_projection_60m' && {
        atmosphere_readings_of_predictions: {
          columns: {
            calm: known.calm,
            primary_state: known.primary_state,
            completeness: payload.completeness,
          },
        },
        env_snapshots_of_predictions: {
          columns: { rain_mm: known.rain_mm },
          measuredAt: parseMillis(payload.sealed_at),
        },
      }),
    };
  },
  reveal: (_id, payload) => {
    const observed = asRecord(payload.actual_observation);
    const { primary_state: state } = observed;
    return {
      reveals: {
        columns: {
          prediction_leaf: payload.sealed_leaf,
          was_calm: typeof state === 'string' ? Number(state.startsWith('calm-')) : null,
          accuracy_score: payload.accuracy_score,
          baseline_score: payload.baseline_score,
          error_type: payload.error_type,
        },
      },
    };
  },
  silence: (id, payload) => {
    const { completeness, atmosphere, environment, moment } = asRecord(payload.substrate);
    const [read, seen, told] = [asRecord(atmosphere), asRecord(environment), asRecord(moment)];
    return {
      silences: {
        columns: {
          id,
          slot: parseMillis(payload.sealed_at),
          pocket_id: payload.pocket_id,
          gate: payload.gate_closed,
          reason: payload.reason,
          candidate_confidence: payload.candidate_confidence,
          legitimacy_score: payload.legitimacy_score,
          band: payload.band,
          usual_calm: payload.usual_calm,
          near_miss: nearMiss(payload),
          window_end: parseMillis(payload.window_end),
        },
      },
      verdicts_of_silences: { columns: { reason: payload.reason }, mayBeAbsent: true },
      atmosphere_readings_of_silences: {
        columns: {
          stress: read.stress,
          calm: read.calm,
          social_energy: read.social_energy,
          productive: read.productive,
          primary_state: read.primary_state,
          anomaly_flag: Number(read.anomaly_flag),
          completeness,
        },
      },
      env_snapshots_of_silences: {
        columns: {
          rain_mm: seen.rain_mm,
          temperature_c: seen.temperature_c,
          humidity_pct: seen.humidity_pct,
          pm25: seen.pm25,
          footfall: seen.footfall,
          transit_crowding: seen.transit_crowding,
          traffic_speed_kmh: seen.traffic_speed_kmh,
          carpark_occupancy: seen.carpark_occupancy,
        },
        measuredAt: parseMillis(payload.sealed_at),
      },
      moments_of_silences: {
        columns: {
          primary_state: read.primary_state,
          calm_probability: told.calm_probability,
          signal_saturation: told.signal_saturation,
          movement_friction: told.movement_friction,
          fragility: told.fragility,
          half_life_minutes: told.half_life_minutes,
          window_ends_at: parseMillis(told.window_ends_at),
          window_held_share: told.held_share,
          window_expected_calm: told.expected_calm,
          silence_reasons: JSON.stringify(told.silence_reasons),
          usual_calm: payload.usual_calm,
        },
      },
    };
  },
  line: (id, payload) => ({
    packages: {
      columns: {
        id,
        slot: parseMillis(payload.sealed_at),
        pocket_id: payload.pocket_id,
        tier: payload.tier,
        composed_text: payload.text,
        json_ld: new Rule((value) => isLinkedData(value, payload)),
        confidence: payload.confidence,
        legitimacy_score: payload.legitimacy_score,
        mqs: payload.mqs,
        resonance: payload.resonance,
        expires_at: parseMillis(payload.window_end),
        usual_calm: payload.usual_calm,
      },
    },
    moments_of_packages: {
      columns: {
        primary_state: payload.primary_state,
        calm_probability: payload.calm_probability,
        window_held_share: payload.held_share,
        window_expected_calm: payload.expected_calm,
        usual_calm: payload.usual_calm,
        mqs: payload.mqs,
        resonance: payload.resonance,
      },
    },
  }),
  verdict: (_id, payload) => ({
    verdicts: {
      columns: {
        slot: parseMillis(payload.decided_at),
        pocket_id: payload.pocket_id,
        spoke: Number(payload.decision === 'line'),
        revealed_at: parseMillis(payload.revealed_at),
        served: flag(payload.served),
        outcome: payload.outcome,
        // By how many people passed, who are not sealed; nobody is spared by a line or by a silence that was wrong.
        attention_minutes_preserved: new Rule((value) =>
          payload.decision === 'silence' && payload.served === false ? Number(value) >= 0 : value === 0,
        ),
      },
    },
  }),
  submission: (id, payload) => ({
    submissions: {
      columns: {
        id,
        submitter_name: payload.submitter_name,
        sealed_at: parseMillis(payload.sealed_at),
        scored_from: payload.written_late === true ? parseMillis(payload.written_at) : null,
        window_start: parseMillis(payload.prediction_window_start),
        window_end: parseMillis(payload.prediction_window_end),
        prediction_count: payload.prediction_count,
        items_hash: asRecord(payload.detached).hash,
      },
    },
  }),
  key: (id, payload) => ({
    ledger_keys: {
      columns: {
        number: Number(id.replace(/^key-/, '')),
        origin: payload.origin,
        key_id: String(payload.new_key).split('+')[1],
        verifier_key: payload.new_key,
      },
    },
  }),
};

/** The line as machines read it says what was sealed, and for the same time. */
function isLinkedData(value: unknown, { text, sealed_at, window_end }: Payload): boolean {
  try {
    const { description, observationDate, expires } = asRecord(JSON.parse(String(value)));
    return description === text && observationDate === sealed_at && expires === window_end;
  } catch {
    return false;
  }
}
