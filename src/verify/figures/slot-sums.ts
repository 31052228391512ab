// What the log adds up to by quarter hour, over all pockets: the sums that the service keeps as rollups
// (docs/decisions/012-rollups-of-half-hours.md). Fractions are in ten-thousandths, as there.
import { FLAG } from './facts.ts';
import { HIT } from './forecast-sums.ts';

const UNIT = 10_000;
const whole = (value: number): number => Math.round(value * UNIT);

const TENTHS = [6, 7, 8, 9];
const ERRORS = [
  ...['weather_miss', 'footfall_miss', 'timing_miss', 'freshness_miss', 'threshold_too_loose'],
  ...['saturation_misread', 'wrong_pocket_inheritance'],
];
const decided = ['silences', 'vindicated', 'missed', 'unjudged'];

/** Of each table of rollups, the columns that follow from the log. */
export const ROLLUP_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  rollup_pockets: [
    'emissions',
    ...decided,
    'lines_served',
    'lines_failed',
    'lines_unjudged',
    'due',
    'due_score',
  ],
  rollup_reasons: decided,
  rollup_tiers: ['emissions'],
  rollup_outcomes: ['lines'],
  rollup_forecasts: [
    ...['revealed', 'scored', 'hits', 'score', 'baseline_hits', 'squared_error'],
    ...['waking_scored', 'waking_hits', 'waking_baseline_hits', 'eligible', 'eligible_baseline_hits'],
    ...['waking_eligible_scored', 'waking_eligible_hits', 'waking_eligible_baseline_hits'],
    ...TENTHS.flatMap((tenth) => [`scored_${tenth}`, `hits_${tenth}`, `confidence_${tenth}`]),
    ...ERRORS.flatMap((type) => [type, `eligible_${type}`]),
  ],
  rollup_calm: ['forecasts', 'calm', 'probability'],
};

const positions = new Map<string, number>();
for (const [table, columns] of Object.entries(ROLLUP_COLUMNS))
  for (const column of columns) positions.set(`${table}.${column}`, positions.size);
const WIDTH = positions.size;
const at = (name: string): number => positions.get(name) as number;
/** The position of each sum of forecasts, which are most of the work. */
const FORECAST = Object.fromEntries(
  (ROLLUP_COLUMNS.rollup_forecasts as string[]).map((column) => [column, at(`rollup_forecasts.${column}`)]),
) as Record<string, number>;

/** A revealed forecast. Scores are NaN where it is inconclusive. */
export interface RevealedForecast {
  /** The slot at which it was sealed and the one that it was for, in seconds. */
  sealedAt: number;
  revealAt: number;
  flags: number;
  confidence: number;
  score: number;
  naiveScore: number;
  error: string;
  isWaking: boolean;
  /** Of a forecast of the state whose outcome is known: what it stated, and whether the pocket was calm. */
  calm?: { stated: number; wasCalm: boolean } | undefined;
}

export class SlotSums {
  readonly #slots = new Map<number, Float64Array>();

  #of(slot: number): Float64Array {
    let sums = this.#slots.get(slot);
    if (!sums) {
      sums = new Float64Array(WIDTH);
      this.#slots.set(slot, sums);
    }
    return sums;
  }

  #add(slot: number, ...names: string[]): void {
    const sums = this.#of(slot);
    for (const name of names) sums[at(name)] = (sums[at(name)] as number) + 1;
  }

  silence(slot: number): void {
    this.#add(slot, 'rollup_pockets.silences', 'rollup_reasons.silences');
  }

  line(slot: number): void {
    this.#add(slot, 'rollup_pockets.emissions', 'rollup_tiers.emissions');
  }

  /** `served` is NaN where it could not be judged; a silence was right where no line would have served. */
  addVerdict(slot: number, isLine: boolean, served: number): void {
    if (isLine) {
      const name = Number.isNaN(served) ? 'unjudged' : served === 1 ? 'served' : 'failed';
      this.#add(slot, `rollup_pockets.lines_${name}`, 'rollup_outcomes.lines');
    } else {
      const name = Number.isNaN(served) ? 'unjudged' : served === 1 ? 'missed' : 'vindicated';
      this.#add(slot, `rollup_pockets.${name}`, `rollup_reasons.${name}`);
    }
  }

  addReveal(forecast: RevealedForecast): void {
    const { sealedAt, revealAt, flags, score, calm } = forecast;
    this.#addForecast(this.#of(sealedAt), forecast);
    if (calm) {
      this.#add(sealedAt, 'rollup_calm.forecasts', ...(calm.wasCalm ? ['rollup_calm.calm'] : []));
      const sums = this.#of(sealedAt);
      const stated = at('rollup_calm.probability');
      sums[stated] = (sums[stated] as number) + whole(calm.stated);
    }
    if (flags & FLAG.shadow || Number.isNaN(score)) return;
    this.#add(revealAt, 'rollup_pockets.due');
    const due = this.#of(revealAt);
    const position = at('rollup_pockets.due_score');
    due[position] = (due[position] as number) + whole(score);
  }

  #addForecast(
    sums: Float64Array,
    { flags, confidence, score, naiveScore, error, isWaking }: RevealedForecast,
  ): void {
    const add = (name: string, value = 1): void => {
      const position = FORECAST[name];
      if (position !== undefined) sums[position] = (sums[position] as number) + value;
    };
    const isEligible = (flags & FLAG.eligible) !== 0;
    add('revealed');
    if (isEligible) add('eligible');
    if (error !== '') {
      add(error);
      if (isEligible) add(`eligible_${error}`);
    }
    if (Number.isNaN(score)) return;
    const [hit, baselineHit] = [Number(score >= HIT), Number(naiveScore >= HIT)];
    add('scored');
    add('hits', hit);
    add('score', whole(score));
    add('baseline_hits', baselineHit);
    add('squared_error', whole((confidence - hit) ** 2));
    if (isWaking) {
      add('waking_scored');
      add('waking_hits', hit);
      add('waking_baseline_hits', baselineHit);
    }
    if (!isEligible) return;
    add('eligible_baseline_hits', baselineHit);
    const tenth = Math.min(9, Math.floor(Math.round(confidence * 1000) / 100));
    add(`scored_${tenth}`);
    add(`hits_${tenth}`, hit);
    add(`confidence_${tenth}`, whole(confidence));
    if (!isWaking) return;
    add('waking_eligible_scored');
    add('waking_eligible_hits', hit);
    add('waking_eligible_baseline_hits', baselineHit);
  }

  /** The sums of the slots from `from` up to but without `to`, in seconds, by table and column. */
  within(from: number, to: number): Float64Array {
    const total = new Float64Array(WIDTH);
    for (const [slot, sums] of this.#slots)
      if (slot >= from && slot < to)
        for (let n = 0; n < WIDTH; n++) total[n] = (total[n] as number) + (sums[n] as number);
    return total;
  }

  /** Returns a function that gives the sums of all slots before a time. Times must not decrease from call to call. */
  running(): (before: number) => Float64Array {
    const slots = [...this.#slots].sort(([a], [b]) => a - b);
    const total = new Float64Array(WIDTH);
    let next = 0;
    return (before) => {
      for (; next < slots.length && (slots[next]?.[0] as number) < before; next++) {
        const sums = slots[next]?.[1] as Float64Array;
        for (let n = 0; n < WIDTH; n++) total[n] = (total[n] as number) + (sums[n] as number);
      }
      return total;
    };
  }
}

/** A sum by its name, such as `rollup_pockets.silences`; undefined where the log does not give it. */
export const sumAt = (sums: Float64Array, name: string): number | undefined => {
  const position = positions.get(name);
  return position === undefined ? undefined : sums[position];
};
