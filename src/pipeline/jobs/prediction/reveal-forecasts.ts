import type { Generator, Observed, ObservedOutcome, Scores } from '../../../domain/prediction/generator.ts';
import { generators, LONGEST_HORIZON } from '../../../domain/prediction/generators/all.ts';
import { learnOutcome } from '../../../domain/prediction/generators/side.ts';
import type { PredictionPayload } from '../../../domain/prediction/prediction.ts';
import { readTable } from '../../../domain/stats/number-table.ts';
import { MINUTE, SLOT } from '../../../domain/time/slot.ts';
import { isWaking } from '../../../domain/time/waking-hours.ts';
import { silencesRight } from '../../../store/decision/verdicts.ts';
import { readNorms } from '../../../store/observation/norms.ts';
import {
  extremesWithin,
  lastPackageSlots,
  outcomesAt,
  readingsAt,
} from '../../../store/prediction/observed-outcomes.ts';
import {
  type OpenPrediction,
  openPredictions,
  revealedForecast,
} from '../../../store/prediction/predictions.ts';
import type { JobContext } from '../../core/context.ts';
import { learnedKey } from './seal-forecasts.ts';

/** With a smaller share of its readings than this a time is inconclusive. */
const LEAST_READINGS = 0.75;

/** Reveals the forecasts that are due at this slot: compares each with what was observed. */
export async function revealForecasts(
  context: JobContext,
  list: readonly Generator[] = generators,
): Promise<void> {
  const { tx, ledger, slot, district } = context;
  const byName = new Map(list.map((generator) => [generator.name, generator]));
  const findGenerator = ({ generator: name }: PredictionPayload): Generator => {
    const generator = byName.get(name);
    if (!generator) throw new Error(`unknown generator: ${name}`);
    return generator;
  };
  let observed: Observations | undefined;
  for (const dueAt of [slot, slot - SLOT])
    for await (const due of openPredictions(tx, ledger, dueAt, district)) {
      observed ??= await readObservations(context, list);
      const { isRead } = observed;
      // A state that was not read at its own slot is scored by this one a slot later, or is inconclusive.
      const canWait = ({ payload }: OpenPrediction) =>
        dueAt === slot && findGenerator(payload).kind === 'state';
      const ready = due.filter((one) => !canWait(one) || isRead(one.payload.pocket_id));
      await revealAll(context, ready, findGenerator, observed);
    }
}

async function revealAll(
  context: JobContext,
  open: readonly OpenPrediction[],
  findGenerator: (payload: PredictionPayload) => Generator,
  observed: Observations,
): Promise<void> {
  const { tx, slot, now, state, zone, seal } = context;
  const learning = open.filter(({ payload }) => 'filed_under' in payload.forecast);
  await state.load(
    tx,
    learning.map(({ payload }) => learnedKey(payload.generator, payload.pocket_id)),
  );
  const scored = open.map((one) => {
    const generator = findGenerator(one.payload);
    const isInTime = generator.kind === 'state' || one.reveal_at === slot;
    return { one, scores: isInTime ? generator.reveal(one.payload, observed.of(one)) : null };
  });
  for (const { one, scores } of scored) if (scores) learn(context, one.payload, scores);
  const reveals = scored.map(({ one, scores }) => ({
    ...revealedForecast(one),
    ...{ revealed_at: now, scores, waking: isWaking(one.reveal_at, zone) },
  }));
  await seal('reveals', reveals);
}

/** Everything observed up to this slot that forecasts are scored by. */
async function readObservations({ tx, zone, slot, district }: JobContext, list: readonly Generator[]) {
  // The same time on the clock.
  const weekAgo = (time: number) => zone.atHour(time, zone.hourOfDay(time), -7);
  // By the minutes since they were sealed.
  const ended = new Set(
    list.flatMap(({ kind, horizon, every }) =>
      kind !== 'state' && (slot - horizon * MINUTE) % every === 0 ? [horizon] : [],
    ),
  );
  // Asked for at once: PostgreSQL is sent the next question before it has answered the last.
  const [current, before, thisTime, slotBefore, norms, lastPackages, ...read] = await Promise.all([
    outcomesAt(tx, slot, district),
    outcomesAt(tx, slot - SLOT, district),
    readingsAt(tx, weekAgo(slot), district),
    readingsAt(tx, weekAgo(slot - SLOT), district),
    readNorms(tx, zone.hourOfWeek(slot), district),
    lastPackageSlots(tx, slot - LONGEST_HORIZON, slot, district),
    ...[...ended].map((horizon) => readPeriod({ tx, district }, slot - horizon * MINUTE, slot)),
  ]);
  const lastWeek = new Map([
    [slot, thisTime],
    [slot - SLOT, slotBefore],
  ]);
  const periods = new Map([...ended].map((horizon, n) => [horizon, read[n]]));
  const network_state = modalState([...current.values()]);
  return {
    isRead: (pocket: string): boolean => current.has(pocket) || before.has(pocket),
    of: ({ slot: sealedAt, reveal_at, payload }: OpenPrediction): Observed => {
      const { pocket_id: pocket, horizon_minutes } = payload;
      const actual = current.get(pocket) ?? before.get(pocket) ?? null;
      const period = periods.get(horizon_minutes);
      const since = period?.extremes.get(pocket);
      const norm = norms.get(pocket)?.crowd;
      const crowd = actual?.crowd ?? null;
      return {
        actual,
        before: before.get(pocket) ?? null,
        lastWeek: lastWeek.get(reveal_at)?.get(pocket) ?? null,
        since: since && since.readings * SLOT >= LEAST_READINGS * horizon_minutes * MINUTE ? since : null,
        atSealing: period?.atSealing.get(pocket) ?? null,
        silence_right: period?.silences.get(pocket) ?? null,
        crowd_deviation: crowd === null || !norm?.samples ? null : crowd - norm.mean,
        spoke: (lastPackages.get(pocket) ?? sealedAt) > sealedAt,
        network_state,
      };
    },
  };
}

type Observations = Awaited<ReturnType<typeof readObservations>>;

/** What was observed from the slot at which forecasts were sealed to the one that they are for. */
const readPeriod = async (
  { tx, district }: Pick<JobContext, 'tx' | 'district'>,
  sealedAt: number,
  slot: number,
) => {
  const [extremes, atSealing, silences] = await Promise.all([
    extremesWithin(tx, sealedAt, slot, district),
    outcomesAt(tx, sealedAt, district),
    silencesRight(tx, sealedAt, district),
  ]);
  return { extremes, atSealing, silences };
};

function learn(
  { state }: JobContext,
  { generator, pocket_id, forecast }: PredictionPayload,
  { actual_observation: observed }: Scores,
): void {
  if (!('filed_under' in forecast && 'outcome' in observed)) return;
  const key = learnedKey(generator, pocket_id);
  state.set(key, learnOutcome(readTable(state.get(key)), forecast.filed_under, observed.outcome));
}

function modalState(outcomes: readonly ObservedOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { primary_state } of outcomes) counts.set(primary_state, (counts.get(primary_state) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b))[0]?.[0] ?? '';
}
