// The leaderboard computed again: every scored submission from its published items, and the two reference rows, on the
// revealed projections of the log (docs/formulas.md, "Benchmark").
import type { TreeHead } from '../checkpoint.ts';
import { readDetached } from '../detached.ts';
import type { FetchBytes } from '../source.ts';
import { parseSeconds, scoredFrom } from '../times.ts';
import { differs, type Value } from './difference.ts';
import { isHit, round } from './scores.ts';
import { computedAt, rowsAt, valueAt } from './served.ts';
import { RIGHT, type SubmissionRow, type Tally } from './tally.ts';

const ADDRESS = '/api/benchmark/scores';
const DAY = 24 * 60 * 60;
/** The reference rows are of the last 7 days. */
const REFERENCE_WINDOW = 7 * DAY;
/** A submission is scored when its window is revealed, at the latest a day after its end, in steps of a slot. */
const LONGEST_SCORING = 2 * DAY;
/** With more submissions than this, some may still be queued for scoring. */
const MOST_SCORED = 1000;
/** Reference rows follow reveals by a slot or two. */
const LONGEST_REFERENCE_DELAY = 60 * 60;
/** Sums of squares depend on the order of adding, by far less than this. */
const TOLERANCE = 0.0011;

/** What is wrong with the first row of the board that differs, or undefined. */
export async function wrongBoard(
  fetch: FetchBytes,
  served: unknown,
  tally: Tally,
  head: TreeHead,
): Promise<string | undefined> {
  const board = rowsAt(served, 'leaderboard');
  const submissions = new Map(tally.submissions.map((row) => [row.id, row]));
  const listed = new Set<unknown>();
  for (const [at, row] of board.entries()) {
    if (valueAt(row, 'rank') !== at + 1) return differs(`${ADDRESS} rank`, valueAt(row, 'rank'), at + 1);
    const id = valueAt(row, 'submission_id');
    listed.add(id);
    const submission = submissions.get(String(id));
    const wrong =
      id === null
        ? wrongReference(row, tally, computedAt(served))
        : submission
          ? await wrongSubmission(fetch, row, submission, tally, head)
          : `${ADDRESS} ${id} is no submission of the log`;
    if (wrong !== undefined) return wrong;
  }
  return wrongOrder(board) ?? missingRow(served, board, listed, tally, head);
}

/** By silence correctness, then accuracy, nulls last. */
function wrongOrder(board: readonly unknown[]): string | undefined {
  const figure = (row: unknown, name: string): number => Number(valueAt(row, name) ?? -1);
  for (const [at, row] of board.entries()) {
    const next = board[at + 1];
    if (next === undefined) break;
    const [a, b] = [figure(row, 'silence_correctness'), figure(next, 'silence_correctness')];
    if (a < b || (a === b && figure(row, 'accuracy') < figure(next, 'accuracy')))
      return `${ADDRESS} rank ${at + 1} is worse than rank ${at + 2}`;
  }
  return undefined;
}

/** A board that shows all of its rows shows the references, and every submission whose window has long closed. */
function missingRow(
  served: unknown,
  board: readonly unknown[],
  listed: ReadonlySet<unknown>,
  { submissions, rows }: Tally,
  head: TreeHead,
): string | undefined {
  const count = valueAt(served, 'count');
  if (typeof count !== 'number' || count < board.length)
    return differs(`${ADDRESS} count`, count, board.length);
  if (count > board.length || submissions.length > MOST_SCORED) return undefined;
  const now = computedAt(served);
  const [begin, end] = [now - REFERENCE_WINDOW, latestPast(rows.revealAt, now) - LONGEST_REFERENCE_DELAY];
  if (!listed.has(null) && rows.revealAt.some((time) => time > begin && time <= end))
    return `${ADDRESS} lacks the reference rows, although forecasts of the last 7 days are revealed`;
  const due = parseSeconds(head.written_at) - LONGEST_SCORING;
  const missing = submissions.find(
    ({ id, payload }) => parseSeconds(payload.prediction_window_end) < due && !listed.has(id),
  );
  return missing && `${ADDRESS} lacks ${missing.id}, whose window has closed`;
}

/** The counts that the figures of a row are made from. */
interface Hits {
  rows: number;
  hits: number;
  calmCalls: number;
  calmRight: number;
  squares: number | null;
  service: number;
  naive: number;
}

function wrongFigures(
  name: string,
  row: unknown,
  { rows, hits, calmCalls, calmRight, squares, service, naive }: Hits,
) {
  const share = (part: number | null, whole: number) =>
    part === null || whole === 0 ? null : round(part / whole);
  const computed: [path: string, value: Value, tolerance?: number][] = [
    ['scored_count', rows],
    ['accuracy', share(hits, rows)],
    ['silence_correctness', share(calmRight, calmCalls)],
    ['calibration_error', share(squares, rows), TOLERANCE],
    ['gap_vs_service', share(hits - service, rows)],
    ['gap_vs_naive', share(hits - naive, rows)],
  ];
  for (const [path, value, tolerance] of computed) {
    const given = valueAt(row, path);
    const isNear =
      tolerance !== undefined &&
      typeof given === 'number' &&
      typeof value === 'number' &&
      Math.abs(given - value) <= tolerance;
    if (given !== value && !isNear) return differs(`${ADDRESS} ${name} ${path}`, given, value);
  }
  return undefined;
}

/**
 * The service's own row, or that of the naive baseline. It says up to which time its forecasts are for: after an outage it
 * is written slot by slot, and until it has caught up it covers less than is revealed.
 */
function wrongReference(row: unknown, tally: Tally, now: number): string | undefined {
  const { rows } = tally;
  const name = String(valueAt(row, 'submitter_name'));
  const isService = name !== 'naive baseline';
  const until = parseSeconds(valueAt(row, 'forecasts_until'));
  if (!(until <= now) || latestPast(rows.revealAt, now) - until > LONGEST_REFERENCE_DELAY)
    return `${ADDRESS} ${name} counts forecasts up to ${valueAt(row, 'forecasts_until')}, but later ones are revealed`;
  const [ownHit, ownCalm] = isService ? [RIGHT.service, RIGHT.serviceCalm] : [RIGHT.naive, RIGHT.naiveCalm];
  const sums = { rows: 0, hits: 0, calmCalls: 0, calmRight: 0, squares: 0, service: 0, naive: 0 };
  for (const [at, revealAt] of rows.revealAt.entries()) {
    if (revealAt <= now - REFERENCE_WINDOW || revealAt > until) continue;
    const right = rows.right[at] as number;
    const hit = right & ownHit ? 1 : 0;
    sums.rows++;
    sums.hits += hit;
    sums.service += right & RIGHT.service ? 1 : 0;
    sums.naive += right & RIGHT.naive ? 1 : 0;
    sums.squares += ((rows.confidence[at] as number) - hit) ** 2;
    if ((right & ownCalm) === 0) continue;
    sums.calmCalls++;
    if (tally.isCalm(rows.state[at] as number)) sums.calmRight++;
  }
  return wrongFigures(name, row, { ...sums, squares: isService ? sums.squares : null });
}

/** The latest of these times that has come. */
const latestPast = (times: readonly number[], now: number): number => {
  let latest = 0;
  for (const time of times) if (time > latest && time <= now) latest = time;
  return latest;
};

interface Item {
  pocket: number;
  horizon: number;
  state: number;
  calm: number;
  confidence: number;
}

async function wrongSubmission(
  fetch: FetchBytes,
  row: unknown,
  submission: SubmissionRow,
  tally: Tally,
  head: TreeHead,
): Promise<string | undefined> {
  const { id, payload } = submission;
  for (const field of ['submitter_name', 'prediction_count']) {
    const value = payload[field] as Value;
    if (valueAt(row, field) !== value)
      return differs(`${ADDRESS} ${id} ${field}`, valueAt(row, field), value);
  }
  const published = await readDetached(fetch, submission, parseSeconds(head.written_at));
  if (published === undefined) return `${ADDRESS} ${id} is scored, but its items are not published`;
  const items = rowsAt(published, 'predictions').map((item): Item => {
    const text = (path: string) => tally.nameNumber(String(valueAt(item, path)));
    const number = (path: string) => Number(valueAt(item, path));
    return {
      pocket: text('pocket_id'),
      horizon: number('horizon_minutes'),
      state: text('predicted_state'),
      calm: number('predicted_calm_probability'),
      confidence: number('confidence'),
    };
  });
  if (items.length !== payload.prediction_count)
    return differs(`${ADDRESS} ${id} prediction_count`, payload.prediction_count, items.length);
  return wrongFigures(
    id,
    row,
    scoreItems(items, rowsInWindow(payload, valueAt(row, 'scored_at'), tally), tally),
  );
}

/** The rows that a submission is scored on, by pocket and horizon: sealed after it, and revealed before its scoring. */
function rowsInWindow(payload: SubmissionRow['payload'], scoredAt: unknown, { rows }: Tally) {
  const [from, start, end, scored] = [
    scoredFrom(payload),
    payload.prediction_window_start,
    payload.prediction_window_end,
    scoredAt,
  ].map(parseSeconds) as [number, number, number, number];
  const within = new Map<string, number[]>();
  for (const [at, revealAt] of rows.revealAt.entries()) {
    if (!(revealAt >= start && revealAt <= end)) continue;
    if ((rows.sealedAt[at] as number) < from || (rows.revealedAt[at] as number) > scored) continue;
    const key = `${rows.pocket[at]} ${rows.horizon[at]}`;
    const group = within.get(key);
    if (group) group.push(at);
    else within.set(key, [at]);
  }
  return within;
}

function scoreItems(items: readonly Item[], within: ReadonlyMap<string, number[]>, tally: Tally): Hits {
  const { rows } = tally;
  const sums = { rows: 0, hits: 0, calmCalls: 0, calmRight: 0, squares: 0, service: 0, naive: 0 };
  for (const { pocket, horizon, state, calm, confidence } of items) {
    const callsCalm = tally.isCalm(state);
    for (const at of within.get(`${pocket} ${horizon}`) ?? []) {
      const observed = { state: rows.state[at] as number, value: rows.calm[at] as number };
      const hit = isHit({ state, value: calm }, observed) ? 1 : 0;
      const right = rows.right[at] as number;
      sums.rows++;
      sums.hits += hit;
      sums.squares += (confidence - hit) ** 2;
      sums.service += right & RIGHT.service ? 1 : 0;
      sums.naive += right & RIGHT.naive ? 1 : 0;
      if (!callsCalm) continue;
      sums.calmCalls++;
      if (tally.isCalm(observed.state)) sums.calmRight++;
    }
  }
  return sums;
}
