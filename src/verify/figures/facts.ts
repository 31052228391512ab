// What published figures are made from, of each row of a bundle. Flat arrays, since a log has millions of rows.
import type { Entry } from '../entry.ts';
import { parseSeconds } from '../times.ts';
import type { KnownGenerators } from './generators.ts';

/** What a row is to the figures. */
export const KIND = {
  none: 0,
  state: 1,
  chance: 2,
  level: 3,
  silence: 4,
  reveal: 5,
  line: 6,
  verdict: 7,
} as const;
export const FLAG = { eligible: 1, shadow: 2, backfilled: 4 } as const;

/** Arrays have a value for each row, but `outcomes`; what is a name is a position in `names`. */
export interface Facts {
  names: string[];
  kind: Uint8Array;
  flags: Uint8Array;
  /** In seconds; NaN where the row has none. */
  sealedAt: Float64Array;
  pocket: Uint32Array;
  /** Of a forecast, its type. */
  type: Uint32Array;
  /** Of a forecast on which submissions are scored, in minutes; else 0. */
  horizon: Uint16Array;
  /** The state that was forecast, and by the baseline; of a silence, its reason. */
  state: Uint32Array;
  naiveState: Uint32Array;
  /** The calm, chance or level that was forecast, and by the baseline; of a line or a silence, its usual calm. */
  value: Float64Array;
  naiveValue: Float64Array;
  confidence: Float64Array;
  /** The probability of a calm state; NaN where none was forecast. */
  calmProbability: Float64Array;
  /** What was read when a forecast of the state was made; NaN where the row has none. */
  knownState: Uint32Array;
  knownCalm: Float64Array;
  /** Five numbers for each reveal, in order: see `OUTCOME`. */
  outcomes: Float64Array;
}

/** The numbers of a reveal in `outcomes`; NaN where the reveal has no number. */
export const OUTCOME = { score: 0, naiveScore: 1, state: 2, value: 3, error: 4, width: 5 } as const;

/** The declared filter of accuracy figures (docs/formulas.md, "Accuracy report"). */
const MIN_CONFIDENCE = 0.68;
const MIN_COMPLETENESS = 0.75;

type Payload = Entry['payload'];

export class FactsReader {
  readonly #index = new Map<string, number>();
  readonly #outcomes: number[] = [];
  readonly #facts: Omit<Facts, 'outcomes'>;
  readonly #generators: KnownGenerators;

  constructor(width: number, generators: KnownGenerators) {
    this.#generators = generators;
    this.#facts = {
      names: [],
      kind: new Uint8Array(width),
      flags: new Uint8Array(width),
      sealedAt: new Float64Array(width).fill(Number.NaN),
      pocket: new Uint32Array(width),
      type: new Uint32Array(width),
      horizon: new Uint16Array(width),
      state: new Uint32Array(width),
      naiveState: new Uint32Array(width),
      value: new Float64Array(width),
      naiveValue: new Float64Array(width),
      confidence: new Float64Array(width),
      calmProbability: new Float64Array(width).fill(Number.NaN),
      knownState: new Uint32Array(width),
      knownCalm: new Float64Array(width).fill(Number.NaN),
    };
  }

  add(row: number, type: string, payload: Payload): void {
    const facts = this.#facts;
    if (payload.backfilled === true) facts.flags[row] = FLAG.backfilled;
    facts.sealedAt[row] = parseSeconds(payload.sealed_at ?? payload.revealed_at);
    if (type === 'prediction') this.#addForecast(row, payload);
    else if (type === 'reveal') this.#addReveal(row, payload);
    else if (type === 'silence' || type === 'line' || type === 'verdict') {
      facts.kind[row] = KIND[type];
      facts.pocket[row] = this.#nameOf(payload.pocket_id);
      facts.state[row] = this.#nameOf(payload.reason);
      facts.value[row] = asNumber(payload.usual_calm);
    }
  }

  read(): Facts {
    return { ...this.#facts, outcomes: Float64Array.from(this.#outcomes) };
  }

  #addForecast(row: number, payload: Payload): void {
    const facts = this.#facts;
    const { generator, confidence, completeness } = payload;
    const [forecast, baseline] = [asRecord(payload.forecast), asRecord(payload.baseline)];
    const kind = KIND[this.#generators.get(String(generator))?.kind ?? 'none'];
    const isEligible = asNumber(confidence) >= MIN_CONFIDENCE && asNumber(completeness) >= MIN_COMPLETENESS;
    facts.flags[row] =
      (facts.flags[row] as number) |
      (isEligible ? FLAG.eligible : 0) |
      (payload.shadow === true ? FLAG.shadow : 0);
    facts.kind[row] = kind;
    facts.pocket[row] = this.#nameOf(payload.pocket_id);
    facts.type[row] = this.#nameOf(payload.prediction_type);
    facts.confidence[row] = asNumber(confidence);
    if (kind === KIND.state) {
      facts.state[row] = this.#nameOf(forecast.expected_state);
      facts.naiveState[row] = this.#nameOf(baseline.expected_state);
      facts.calmProbability[row] = asNumber(forecast.calm_probability);
      facts.horizon[row] = payload.shadow === true ? 0 : asNumber(payload.horizon_minutes);
      const known = asRecord(payload.known);
      facts.knownState[row] = this.#nameOf(known.primary_state);
      facts.knownCalm[row] = asNumber(known.calm);
    }
    facts.value[row] = asNumber(forecast.expected_calm ?? forecast.expected);
    facts.naiveValue[row] = asNumber(baseline.expected_calm ?? baseline.expected);
  }

  #addReveal(row: number, payload: Payload): void {
    const { accuracy_score, baseline_score, actual_observation, error_type } = payload;
    this.#facts.kind[row] = KIND.reveal;
    const observed = asRecord(actual_observation);
    this.#outcomes.push(
      asNumber(accuracy_score),
      asNumber(baseline_score),
      this.#nameOf(observed.primary_state),
      asNumber(observed.calm ?? observed.outcome),
      this.#nameOf(error_type),
    );
  }

  #nameOf(value: unknown): number {
    const name = typeof value === 'string' ? value : '';
    let at = this.#index.get(name);
    if (at === undefined) {
      at = this.#facts.names.push(name) - 1;
      this.#index.set(name, at);
    }
    return at;
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
