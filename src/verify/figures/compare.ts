// Compares the figures that the service publishes with the same figures computed from the rows of its log. The formulas
// are written here a second time, from docs/formulas.md.
import type { TreeHead } from '../checkpoint.ts';
import type { Count } from '../rows.ts';
import type { FetchBytes } from '../source.ts';
import { wrongCells, wrongGroups, wrongMonths } from './compare-groups.ts';
import { differs, type Value } from './difference.ts';
import { type ForecastSums, noForecasts } from './forecast-sums.ts';
import { wrongBoard } from './leaderboard.ts';
import { roundedShare } from './scores.ts';
import { rowsAt, type Served, valueAt } from './served.ts';
import type { CalmSums, Tally } from './tally.ts';

/** What was read from the rows. */
export interface Computed {
  head: TreeHead;
  count: Count;
  tally: Tally;
}

/** Says of the first figure that differs which one it is and what both values are; undefined if none does. */
export async function compareFigures(
  fetch: FetchBytes,
  served: Served,
  { head, count, tally }: Computed,
): Promise<string | undefined> {
  return (
    wrongValue('/api/ledger/history', served.history, historyFigures(head, count)) ??
    wrongValue('/api/accuracy', served.accuracy, accuracyFigures(tally)) ??
    wrongCalm(served.accuracy, tally) ??
    wrongGroups(wrongValue, served.accuracy, tally.groups) ??
    wrongPersistence(served.accuracy, tally) ??
    wrongSilences(served.silence, tally) ??
    wrongCells(wrongValue, served.silence, tally.groups) ??
    wrongValue('/api/silence-vindications', served.verdicts, verdictFigures(count, tally)) ??
    wrongMonths(wrongValue, served.months, tally.groups) ??
    (await wrongBoard(fetch, served.board, tally, head))
  );
}

/** `computed` has the value at each path. */
function wrongValue(
  address: string,
  served: unknown,
  computed: Readonly<Record<string, Value>>,
): string | undefined {
  for (const [path, value] of Object.entries(computed)) {
    const given = valueAt(served, path);
    if (given !== value) return differs(`${address} ${path}`, given, value);
  }
  return undefined;
}

const historyFigures = ({ size, written_at }: TreeHead, count: Count): Record<string, Value> => ({
  tree_size: size,
  'checkpoint.tree_size': size,
  'checkpoint.written_at': written_at,
  sealed_before_outcome: count.sealed_before_outcome,
  written_afterwards: count.written_afterwards,
  reveals: (count.entries.reveal ?? 0) + (count.entries.verdict ?? 0),
  key_changes: count.key_changes.length,
});

function accuracyFigures({ forecasts: { state, other }, waking }: Tally): Record<string, Value> {
  const all = {
    live: add(state.live, other.live),
    backfilled: add(state.backfilled, other.backfilled),
  };
  const total = add(all.live, all.backfilled);
  const wakingAll = add(waking.state, waking.other);
  const stateTotal = add(state.live, state.backfilled);
  const eligibleFigures = ({ eligibleScored, eligibleHits }: ForecastSums, path: string) => ({
    [`${path}.n`]: eligibleScored,
    [`${path}.accuracy`]: roundedShare(eligibleHits, eligibleScored),
  });
  return {
    'headline.overall_accuracy': roundedShare(total.eligibleHits, total.eligibleScored),
    'headline.revealed_count': total.eligibleScored,
    'headline.inconclusive_count': total.eligible - total.eligibleScored,
    'baseline.baseline_accuracy': roundedShare(total.eligibleBaselineHits, total.eligibleScored),
    ...eligibleFigures(all.live, 'sealed_before_outcome'),
    ...eligibleFigures(all.backfilled, 'written_afterwards'),
    ...unfilteredFigures(all, 'all_forecasts'),
    ...unfilteredFigures(state, 'state_forecasts'),
    ...parts(eligibleScores(total), eligibleScores(wakingAll), ''),
    ...parts(total, wakingAll, 'all_forecasts.'),
    ...parts(stateTotal, waking.state, 'state_forecasts.'),
  };
}

/** Persistence follows from the readings that forecasts are sealed with; what was observed a week before does not. */
function wrongPersistence(served: unknown, { persistence }: Tally): string | undefined {
  const { scored, hits, serviceHits } = persistence;
  const row = rowsAt(served, 'baselines').find((baseline) => valueAt(baseline, 'name') === 'persistence');
  return wrongValue('/api/accuracy baselines persistence', row, {
    n: scored,
    accuracy: roundedShare(hits, scored),
    service_accuracy_on_same_rows: roundedShare(serviceHits, scored),
  });
}

type Scores = Pick<ForecastSums, 'scored' | 'hits' | 'baselineHits'>;

const eligibleScores = (sums: ForecastSums): Scores => ({
  scored: sums.eligibleScored,
  hits: sums.eligibleHits,
  baselineHits: sums.eligibleBaselineHits,
});

/** Waking hours, and nights as what is left of the whole. */
function parts(whole: Scores, waking: Scores, path: string): Record<string, Value> {
  const of = (part: string, scored: number, hits: number, baselineHits: number) => ({
    [`${path}${part}.accuracy`]: roundedShare(hits, scored),
    [`${path}${part}.baseline`]: roundedShare(baselineHits, scored),
    [`${path}${part}.n`]: scored,
  });
  return {
    ...of('waking_hours', waking.scored, waking.hits, waking.baselineHits),
    ...of(
      'nights',
      whole.scored - waking.scored,
      whole.hits - waking.hits,
      whole.baselineHits - waking.baselineHits,
    ),
  };
}

/** The tenths of calm probability of each horizon. */
function wrongCalm(served: unknown, { calm }: Tally): string | undefined {
  const given = new Map(
    rowsAt(served, 'calm_reliability').map((row) => [valueAt(row, 'horizon_minutes'), row]),
  );
  for (const horizon of new Set([...given.keys(), ...calm.keys()])) {
    const sums = calm.get(Number(horizon));
    const rows = rowsAt(given.get(horizon), 'tenths');
    for (let tenth = 0; tenth < 10; tenth++) {
      const wrong = wrongValue(`/api/accuracy calm_reliability ${horizon} min, tenth ${tenth}`, rows[tenth], {
        ...reliability('', sums?.all[tenth]),
        ...reliability('waking_hours.', sums?.waking[tenth]),
      });
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

const reliability = (path: string, { n, calm, stated }: CalmSums = { n: 0, calm: 0, stated: 0 }) => ({
  [`${path}n`]: n,
  [`${path}stated`]: roundedShare(stated / 1000, n),
  [`${path}was_calm`]: roundedShare(calm, n),
});

function unfilteredFigures(
  { live, backfilled }: { live: ForecastSums; backfilled: ForecastSums },
  path: string,
): Record<string, Value> {
  const total = add(live, backfilled);
  return {
    [`${path}.accuracy`]: roundedShare(total.hits, total.scored),
    [`${path}.baseline`]: roundedShare(total.baselineHits, total.scored),
    [`${path}.n`]: total.scored,
    [`${path}.sealed_before_outcome.n`]: live.scored,
    [`${path}.sealed_before_outcome.accuracy`]: roundedShare(live.hits, live.scored),
    [`${path}.written_afterwards.n`]: backfilled.scored,
    [`${path}.written_afterwards.accuracy`]: roundedShare(backfilled.hits, backfilled.scored),
  };
}

const add = (a: ForecastSums, b: ForecastSums): ForecastSums => {
  const sum = noForecasts();
  for (const name of Object.keys(sum) as (keyof ForecastSums)[]) sum[name] = a[name] + b[name];
  return sum;
};

/** Silences are of quarter hours. */
const SLOT_MINUTES = 15;

/**
 * The time that was silent follows from the rows, the share from what is served: of the quarter hours in which a line
 * was live no row says which were observed.
 */
function wakingTimeFigures(served: unknown, silences: number): Record<string, Value> {
  const [minutes, said] = [SLOT_MINUTES * silences, Number(valueAt(served, 'waking_time.minutes_said'))];
  return {
    'waking_time.minutes_silent': minutes,
    'waking_time.share_said': roundedShare(said, said + minutes),
  };
}

function verdictFigures({ entries: { silence = 0 } }: Count, { verdicts }: Tally): Record<string, Value> {
  const { right, wrong, inconclusive } = verdicts;
  const judged = right + wrong;
  return {
    count: silence,
    'summary.vindication_rate': roundedShare(right, judged),
    'summary.total_revealed': judged,
    'summary.total_vindicated': right,
    'summary.inconclusive_count': inconclusive,
    'summary.pending_count': silence - judged - inconclusive,
  };
}

/** The total of the window, the counts of each pocket and of each reason, and the waking time of all and of each pocket. */
function wrongSilences(served: unknown, { silences, names }: Tally): string | undefined {
  const address = '/api/silence';
  const total = valueAt(served, 'total_silenced');
  if (total !== silences.total) return differs(`${address} total_silenced`, total, silences.total);
  const wrong = wrongValue(address, served, wakingTimeFigures(served, silences.total));
  if (wrong !== undefined) return wrong;
  const groups = [
    ['per_pocket', 'pocket_id', silences.pockets],
    ['per_reason', 'reason', silences.reasons],
  ] as const;
  for (const [list, key, computed] of groups) {
    const given = new Map(rowsAt(served, list).map((row) => [valueAt(row, key), valueAt(row, 'count')]));
    const counted = new Map([...computed].map(([name, count]) => [names[name], count]));
    for (const name of new Set([...given.keys(), ...counted.keys()])) {
      const [told, count] = [given.get(name) ?? 0, counted.get(String(name)) ?? 0];
      if (told !== count) return differs(`${address} ${list} ${name}`, told, count);
    }
  }
  const counted = new Map([...silences.pockets].map(([name, count]) => [names[name], count]));
  for (const row of rowsAt(served, 'per_pocket')) {
    const pocket = String(valueAt(row, 'pocket_id'));
    const wrong = wrongValue(
      `${address} per_pocket ${pocket}`,
      row,
      wakingTimeFigures(row, counted.get(pocket) ?? 0),
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
