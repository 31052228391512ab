// Adds up, from the rows in their order, what the published figures are computed from.
import type { Entry } from '../entry.ts';
import { type Facts, FLAG, KIND, OUTCOME } from './facts.ts';
import { addScore, HIT, noForecasts } from './forecast-sums.ts';
import { Groups } from './groups.ts';
import { forecastScore, isHit, isWrongScore, round, type StateValue } from './scores.ts';
import { SlotSums } from './slot-sums.ts';

/** Of forecasts whose calm probability was in one tenth: how many, after how many it was calm, and what they stated. */
export interface CalmSums {
  n: number;
  calm: number;
  /** In thousandths, which is how they are sealed: whole numbers, whose sum has no rounding error. */
  stated: number;
}

const noTenths = (): CalmSums[] => Array.from({ length: 10 }, () => ({ n: 0, calm: 0, stated: 0 }));

/** Slots from `from` up to and with `to`, in seconds. */
export interface SlotWindow {
  from: number;
  to: number;
}

/**
 * The revealed projections that submissions are scored on, a column a field: 72 bytes a row. Times are in seconds;
 * `pocket` and `state` are numbers of names.
 */
export interface BenchmarkRows {
  pocket: number[];
  horizon: number[];
  sealedAt: number[];
  revealAt: number[];
  revealedAt: number[];
  confidence: number[];
  state: number[];
  calm: number[];
  /** Bits: the service was right, the baseline was right, the service called a calm state, the baseline did. */
  right: number[];
}
export const RIGHT = { service: 1, naive: 2, serviceCalm: 4, naiveCalm: 8 } as const;

export interface SubmissionRow {
  leaf: number;
  id: string;
  payload: Entry['payload'];
}

/** A reveal as the order of the log gives it. Times are in seconds. */
export interface Reveal {
  facts: Facts;
  /** Which reveal of its bundle it is. */
  at: number;
  revealAt: number;
  revealedAt: number;
}

export class Tally {
  /** Without shadow forecasts, by whether a state is forecast and whether it was written afterwards. */
  readonly forecasts = {
    state: { live: noForecasts(), backfilled: noForecasts() },
    other: { live: noForecasts(), backfilled: noForecasts() },
  };
  /** The same forecasts, of those for waking hours alone. */
  readonly waking = { state: noForecasts(), other: noForecasts() };
  /** Without shadow forecasts, by horizon in minutes: all, then those for waking hours. */
  readonly calm = new Map<number, { all: CalmSums[]; waking: CalmSums[] }>();
  /** State forecasts that were scored, and how many of them persistence and the service got right. */
  readonly persistence = { scored: 0, hits: 0, serviceHits: 0 };
  readonly silences = { total: 0, pockets: new Map<number, number>(), reasons: new Map<number, number>() };
  /** Verdicts on silences. */
  readonly verdicts = { right: 0, wrong: 0, inconclusive: 0 };
  readonly rows: BenchmarkRows = {
    pocket: [],
    horizon: [],
    sealedAt: [],
    revealAt: [],
    revealedAt: [],
    confidence: [],
    state: [],
    calm: [],
    right: [],
  };
  readonly submissions: SubmissionRow[] = [];
  readonly slots = new SlotSums();
  readonly groups: Groups;
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #silenceWindow: SlotWindow | undefined;
  readonly #isWaking: (time: number) => boolean;

  /** `monthAt` gives the local month of a time. */
  constructor(
    silenceWindow?: SlotWindow,
    isWaking: (time: number) => boolean = () => false,
    monthAt: (time: number) => string | undefined = () => undefined,
  ) {
    this.#silenceWindow = silenceWindow;
    this.#isWaking = isWaking;
    const { from, to } = silenceWindow ?? { from: 1, to: 0 };
    this.groups = new Groups((time) => time >= from && time <= to, monthAt);
  }

  /** The number of a name, the same for every bundle. */
  nameNumber(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }

  /** Replaces positions in the bundle's names by numbers that hold for the whole log, and counts the silences. */
  add(facts: Facts): void {
    const numbers = facts.names.map((name) => this.nameNumber(name));
    for (const column of [facts.pocket, facts.type, facts.state, facts.naiveState, facts.knownState])
      for (let row = 0; row < column.length; row++) column[row] = numbers[column[row] as number] ?? 0;
    for (const name of [OUTCOME.state, OUTCOME.error])
      for (let at: number = name; at < facts.outcomes.length; at += OUTCOME.width)
        facts.outcomes[at] = numbers[facts.outcomes[at] as number] ?? 0;
    const window = this.#silenceWindow;
    for (let row = 0; row < facts.kind.length; row++) {
      const at = facts.sealedAt[row] as number;
      const kind = facts.kind[row];
      if (kind === KIND.line || kind === KIND.silence) this.groups.countDecision(at, kind === KIND.line);
      if (kind === KIND.line) this.slots.line(at);
      if (kind !== KIND.silence) continue;
      this.slots.silence(at);
      if (!window || !(at >= window.from && at <= window.to)) continue;
      const { total, pockets, reasons } = this.silences;
      this.silences.total = total + 1;
      increment(pockets, facts.pocket[row] as number);
      increment(reasons, facts.state[row] as number);
    }
  }

  /** Counts a verdict. `served` is NaN where it is inconclusive; a silence was right where no line would have served. */
  judge(kind: number, decidedAt: number, pocket: number, served: number): void {
    this.slots.addVerdict(decidedAt, kind === KIND.line, served);
    this.groups.countVerdict(decidedAt, this.names[pocket] ?? '', kind === KIND.line, served);
    if (kind !== KIND.silence) return;
    this.verdicts[Number.isNaN(served) ? 'inconclusive' : served === 0 ? 'right' : 'wrong']++;
  }

  /** Counts a reveal of the forecast in `row` of `sealed`; returns what is wrong with its scores, if anything. */
  reveal(sealed: Facts, row: number, reveal: Reveal): string | undefined {
    const { outcomes } = reveal.facts;
    const first = reveal.at * OUTCOME.width;
    const score = outcomes[first + OUTCOME.score] as number;
    const naiveScore = outcomes[first + OUTCOME.naiveScore] as number;
    const observed = {
      state: outcomes[first + OUTCOME.state] as number,
      value: outcomes[first + OUTCOME.value] as number,
    };
    const kind = sealed.kind[row] as number;
    const service = { state: sealed.state[row] as number, value: sealed.value[row] as number };
    const naive = { state: sealed.naiveState[row] as number, value: sealed.naiveValue[row] as number };
    if (isWrongScore(kind, service, observed, score))
      return 'accuracy_score does not follow from the forecast and the observation';
    if (isWrongScore(kind, naive, observed, naiveScore))
      return 'baseline_score does not follow from the baseline and the observation';
    const isWaking = this.#isWaking(reveal.revealAt);
    const stated = sealed.calmProbability[row] as number;
    this.slots.addReveal({
      sealedAt: sealed.sealedAt[row] as number,
      revealAt: reveal.revealAt,
      flags: sealed.flags[row] as number,
      confidence: sealed.confidence[row] as number,
      score,
      naiveScore,
      error: this.names[outcomes[first + OUTCOME.error] as number] ?? '',
      isWaking,
      calm:
        kind === KIND.state && this.names[observed.state] !== ''
          ? { stated: Number.isNaN(stated) ? 0 : stated, wasCalm: this.isCalm(observed.state) }
          : undefined,
    });
    this.#count(sealed, row, score, naiveScore, isWaking);
    this.#countPersistence(sealed, row, observed, score);
    if (sealed.horizon[row] !== 0 && !Number.isNaN(score))
      this.#countCalm(sealed, row, observed.state, isWaking);
    if (sealed.horizon[row] !== 0 && !Number.isNaN(score))
      this.#addRow(sealed, row, reveal, { service, naive, observed });
    return undefined;
  }

  #count(sealed: Facts, row: number, score: number, naiveScore: number, isWaking: boolean): void {
    const flags = sealed.flags[row] as number;
    if (flags & FLAG.shadow) return;
    const kind = sealed.kind[row] === KIND.state ? 'state' : 'other';
    const isEligible = (flags & FLAG.eligible) !== 0;
    const origin = flags & FLAG.backfilled ? 'backfilled' : 'live';
    addScore(this.forecasts[kind][origin], isEligible, score, naiveScore);
    if (isWaking) addScore(this.waking[kind], isEligible, score, naiveScore);
    const horizon = sealed.horizon[row] as number;
    const keys = [
      `type ${this.names[sealed.type[row] as number]}`,
      `pocket ${this.names[sealed.pocket[row] as number]}`,
      ...(horizon === 0 ? [] : [`horizon ${horizon}`]),
    ];
    this.groups.countReveal(sealed.sealedAt[row] as number, keys, isEligible, score, naiveScore);
  }

  /** What was read when it was sealed, taken to last. */
  #countPersistence(sealed: Facts, row: number, observed: StateValue, score: number): void {
    const flags = sealed.flags[row] as number;
    const then = { state: sealed.knownState[row] as number, value: sealed.knownCalm[row] as number };
    const isCounted = sealed.kind[row] === KIND.state && !(flags & FLAG.shadow);
    if (!isCounted || Number.isNaN(score) || Number.isNaN(then.value)) return;
    this.persistence.scored++;
    if (score >= HIT) this.persistence.serviceHits++;
    if (round(forecastScore(KIND.state, then, observed)) >= HIT) this.persistence.hits++;
  }

  #countCalm(sealed: Facts, row: number, observed: number, isWaking: boolean): void {
    const [stated, horizon] = [sealed.calmProbability[row] as number, sealed.horizon[row] as number];
    if (Number.isNaN(stated)) return;
    let sums = this.calm.get(horizon);
    if (!sums) {
      sums = { all: noTenths(), waking: noTenths() };
      this.calm.set(horizon, sums);
    }
    const thousandths = Math.round(1000 * stated);
    const tenth = Math.min(9, Math.floor(thousandths / 100));
    for (const tenths of isWaking ? [sums.all, sums.waking] : [sums.all]) {
      const own = tenths[tenth] as CalmSums;
      own.n++;
      own.stated += thousandths;
      if (this.isCalm(observed)) own.calm++;
    }
  }

  #addRow(
    sealed: Facts,
    row: number,
    { revealAt, revealedAt }: Reveal,
    { service, naive, observed }: Record<'service' | 'naive' | 'observed', StateValue>,
  ): void {
    const { rows } = this;
    rows.pocket.push(sealed.pocket[row] as number);
    rows.horizon.push(sealed.horizon[row] as number);
    rows.sealedAt.push(sealed.sealedAt[row] as number);
    rows.revealAt.push(revealAt);
    rows.revealedAt.push(revealedAt);
    rows.confidence.push(sealed.confidence[row] as number);
    rows.state.push(observed.state);
    rows.calm.push(observed.value);
    rows.right.push(
      (isHit(service, observed) ? RIGHT.service : 0) |
        (isHit(naive, observed) ? RIGHT.naive : 0) |
        (this.isCalm(service.state) ? RIGHT.serviceCalm : 0) |
        (this.isCalm(naive.state) ? RIGHT.naiveCalm : 0),
    );
  }

  isCalm(state: number): boolean {
    return this.names[state]?.startsWith('calm-') ?? false;
  }
}

const increment = (counts: Map<number, number>, key: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);
