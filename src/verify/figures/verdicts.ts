// Verdicts on lines and silences, computed again from the readings that are sealed with them (docs/formulas.md,
// "Verdicts").
import type { Entry } from '../entry.ts';
import { idHash } from '../ids.ts';
import { parseSeconds } from '../times.ts';
import { KIND } from './facts.ts';
import { round } from './scores.ts';

type Payload = Entry['payload'];

/** What was read at each quarter hour from the decision to its end; null where nothing was. */
interface Readings {
  calm: (number | null)[];
  calm_state: (boolean | null)[];
}

type Rule = (readings: Readings, usual: number | null) => string;

/** From this usual calm on a pocket is usually in a calm state. */
const USUALLY_CALM = 0.55;
/** By so much the mean calm must be above its usual. */
const NOTICEABLE = 0.05;

/** What is certain to have failed is judged even where readings are missing. The mean is summed in the order of time. */
function firstRule({ calm, calm_state }: Readings, usual: number | null): string {
  if (calm_state[0] === false) return 'not_calm';
  if (calm_state.some((state, n) => state === false && calm_state[n - 1] === false)) return 'did_not_hold';
  if (calm.length < 2 || calm.includes(null)) return 'unknown_readings';
  if (usual === null) return 'unknown_usual';
  if (usual >= USUALLY_CALM) return 'usually_calm';
  const mean = calm.reduce<number>((sum, level) => sum + Number(level), 0) / calm.length;
  return round(round(mean) - usual) >= NOTICEABLE ? 'served' : 'no_better';
}

/** Every rule that verdicts were sealed by, by its version. */
const rules = new Map<unknown, Rule>([[1, firstRule]]);

const INCONCLUSIVE = new Set(['unknown_readings', 'unknown_usual']);
export const SLOT = 15 * 60;

/** What is wrong with a verdict by itself, or undefined. */
export function wrongVerdict(payload: Payload): string | undefined {
  const { id, decision_id, usual_calm: usual, decided_at, revealed_at } = payload;
  const rule = rules.get(payload.rule);
  if (!rule) return `no rule has the version ${JSON.stringify(payload.rule) ?? 'nothing'}`;
  if (id !== `${decision_id}.verdict`) return 'its id is not that of its decision_id';
  const readings = sealedReadings(payload);
  if (!readings) return 'calm and calm_state are not readings of the same quarter hours';
  if (usual !== null && typeof usual !== 'number') return 'usual_calm is not a level';
  const slots = (parseSeconds(revealed_at) - parseSeconds(decided_at)) / SLOT + 1;
  if (readings.calm.length !== slots) return 'its readings are not those from decided_at to revealed_at';
  const outcome = rule(readings, usual);
  if (payload.outcome !== outcome)
    return `outcome is ${JSON.stringify(payload.outcome) ?? 'nothing'}, but the readings give ${outcome}`;
  const served = INCONCLUSIVE.has(outcome) ? null : outcome === 'served';
  if (payload.served !== served)
    return `served is ${JSON.stringify(payload.served) ?? 'nothing'}, but the readings give ${served}`;
  return undefined;
}

function sealedReadings({ calm, calm_state }: Payload): Readings | undefined {
  if (!Array.isArray(calm) || !Array.isArray(calm_state) || calm.length !== calm_state.length)
    return undefined;
  const isReading = (level: unknown, n: number): boolean =>
    level === null ? calm_state[n] === null : isLevel(level) && typeof calm_state[n] === 'boolean';
  return calm.every(isReading) ? { calm, calm_state } : undefined;
}

const isLevel = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

/** The numbers of a verdict in `Notes.verdicts`. Times are in seconds; NaN where it has no number. */
export const VERDICT = {
  leaf: 0,
  /** The row that it judges. */
  decision: 1,
  kind: 2,
  /** The hash of the id of what it judges. */
  id: 3,
  decidedAt: 4,
  revealedAt: 5,
  usual: 6,
  served: 7,
  width: 8,
} as const;

export function verdictNumbers(leaf: number, payload: Payload): number[] {
  const { decision, decision_leaf, decision_id, decided_at, revealed_at, usual_calm, served } = payload;
  return [
    leaf,
    typeof decision_leaf === 'number' ? decision_leaf : Number.NaN,
    decision === 'line' ? KIND.line : decision === 'silence' ? KIND.silence : Number.NaN,
    idHash(String(decision_id)),
    parseSeconds(decided_at),
    parseSeconds(revealed_at),
    usual_calm === null ? Number.NaN : Number(usual_calm),
    served === null ? Number.NaN : Number(served),
  ];
}

/** For each quarter hour from the decision on, the calm and whether the state was a calm one; NaN where nothing was read. */
export const judgedReadings = ({ calm, calm_state }: Payload): Float64Array =>
  Float64Array.from(
    (calm as (number | null)[]).flatMap((level, n) => {
      const state = (calm_state as (boolean | null)[])[n] ?? null;
      return [level ?? Number.NaN, state === null ? Number.NaN : Number(state)];
    }),
  );

/** A line or a silence as it was sealed, or what a verdict says of it. */
export interface DecisionFacts {
  kind: number;
  id: number;
  pocket: number;
  /** In seconds. */
  sealedAt: number;
  endsAt: number;
  /** NaN where it was not known. */
  usual: number;
}

const FIELDS: Record<keyof DecisionFacts, string> = {
  kind: 'decision',
  id: 'decision_id',
  pocket: 'pocket_id',
  sealedAt: 'decided_at',
  endsAt: 'revealed_at',
  usual: 'usual_calm',
};

/** The field of a verdict that does not agree with the row that it judges, or undefined. */
export function wrongField(told: DecisionFacts, sealed: DecisionFacts): string | undefined {
  const names = Object.keys(FIELDS) as (keyof DecisionFacts)[];
  const wrong = names.find((name) => !Object.is(told[name], sealed[name]));
  return wrong && FIELDS[wrong];
}
