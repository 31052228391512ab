// A small log with figures, and a verifier that reads it from the store as it would over HTTP.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedLedger } from '../../src/cli/runtime/ledger/stored-ledger.ts';
import { parseSubmission, type Submission } from '../../src/domain/prediction/submission.ts';
import { DAY, HOUR, iso, SLOT } from '../../src/domain/time/slot.ts';
import { getSilenceCounts } from '../../src/operations/decision/get-silence-counts.ts';
import { listSilenceVindications } from '../../src/operations/decision/list-silence-vindications.ts';
import { getAccuracyReport } from '../../src/operations/prediction/get-accuracy-report.ts';
import { getBenchmarkLeaderboard } from '../../src/operations/prediction/get-benchmark-leaderboard.ts';
import { getLedgerHistory } from '../../src/operations/prediction/get-ledger-history.ts';
import { listStatesOfRestraint } from '../../src/operations/report/list-states-of-restraint.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { openStore, sqliteFile } from '../../src/store/engine/open.ts';
import type { Reader, Store } from '../../src/store/engine/store.ts';
import { ledgerAppender } from '../../src/store/ledger/append.ts';
import { acceptSubmission } from '../../src/store/prediction/accepted-submissions.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import type { FetchBytes } from '../../src/verify/source.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import { freshPipeline } from '../support/pipeline/fresh-pipeline.ts';
import { knowUsual } from '../support/pipeline/known-usual.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { sealSubmission } from '../support/rows/seal-submission.ts';
import { NOON } from '../support/services/service.ts';
import { testSigner } from '../support/stores/test-key.ts';

/** From an afternoon on: what is learned in it lets lines be said the next day. */
const HISTORY = 20 * HOUR;
const LIVE_SLOTS = 20;
/** The time of every answer: the last slot of the log. */
export const NOW = NOON + LIVE_SLOTS * SLOT;

/** The city of these logs. */
export const registry = smallCity(['chipbee', 'dempsey']);

/** Folders with one store each. */
export interface StoredLogs {
  /** Twenty hours of history, five hours of live slots, in which lines were said, a submission whose window has closed, one that was written late, and one whose window is open. */
  whole: string;
  /** The same store an hour earlier. */
  older: string;
  remove(): Promise<void>;
}

export async function writeLogs(): Promise<StoredLogs> {
  const files = await simulated();
  const folder = await mkdtemp(join(tmpdir(), 'pocketwatch-test-'));
  const [whole, older] = [join(folder, 'whole'), join(folder, 'older')];
  await mkdir(whole);
  await mkdir(older);
  await writeFile(sqliteFile(whole), files.whole);
  await writeFile(sqliteFile(older), files.older);
  return { whole, older, remove: () => rm(folder, { recursive: true, force: true }) };
}

let simulation: Promise<{ whole: Buffer; older: Buffer }> | undefined;

/** The files of both stores, written once in a process: every test begins with a copy of its own. */
function simulated(): Promise<{ whole: Buffer; older: Buffer }> {
  simulation ??= simulate();
  return simulation;
}

async function simulate() {
  const folder = await mkdtemp(join(tmpdir(), 'pocketwatch-test-'));
  try {
    await runSlots(folder, NOON - HISTORY, NOW - HOUR);
    const older = await readFile(sqliteFile(folder));
    await runSlots(folder, NOW - HOUR, NOW);
    return { older, whole: await readFile(sqliteFile(folder)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the slots after `after`: up to noon as history, then live. */
async function runSlots(dataDir: string, after: number, until: number): Promise<void> {
  const store = openStore({ databaseUrl: undefined, dataDir });
  const clock = { now: NOON };
  const pipeline = freshPipeline(store, registry, () => clock.now);
  if (after < NOON) {
    await migrate(store, NOON);
    // Without a usual to compare with nothing would be said.
    await knowUsual(store, registry);
    await backfill(pipeline, { from: after + SLOT, now: NOON });
  }
  for (let slot = Math.max(after, NOON) + SLOT; slot <= until; slot += SLOT) {
    clock.now = slot + 2125;
    await runDue(pipeline, clock.now);
    if (slot === NOON + SLOT) {
      await submit(store, 'closed', slot + 2 * HOUR, clock.now);
      // Nobody appends it before the next one is sent.
      const late = submissionUntil(slot + 2 * HOUR, clock.now);
      const accepting = { id: 'late', nonce: 'nonce of late', at: clock.now };
      await store.transaction((tx) => acceptSubmission(tx, late, accepting));
    }
    if (slot === NOON + 2 * SLOT) await submit(store, 'open', slot + DAY, clock.now);
  }
  await store.close();
}

function submissionUntil(until: number, now: number): Submission {
  const parsed = parseSubmission(submission({ prediction_window_end: iso(until) }), now, () => true);
  if (!('submission' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.submission;
}

async function submit(store: Store, id: string, until: number, now: number): Promise<void> {
  const sent = submissionUntil(until, now);
  await ledgerAppender(
    store,
    testSigner,
    () => now,
  )((tx, ledger) => sealSubmission(tx, ledger, sent, { id, nonce: `nonce of ${id}`, now }));
}

/** The paths under /api/ledger. */
export const ledgerFetcher = (store: Reader, now = NOW): FetchBytes => storedLedger(store, now);

/** The same where a test changes only what begins with one of these: the rest is read once, as its bytes stay the same. */
export function steadyFetcher(read: FetchBytes, changing: readonly string[]): FetchBytes {
  const known = new Map<string, ReturnType<FetchBytes>>();
  return (path, limit) => {
    if (changing.some((start) => path.startsWith(start))) return read(path, limit);
    const answer = known.get(path) ?? read(path, limit);
    known.set(path, answer);
    return answer;
  };
}

/** The addresses under /api whose figures are compared. */
export function figuresFetcher(store: Store, now = NOW): FetchBytes {
  return async (address) => {
    const { structured } = await askAddress(store, now, new URL(address, 'http://pocketwatch.test'));
    return Buffer.from(JSON.stringify({ ...structured, _meta: { computed_at: iso(now) } }));
  };
}

function askAddress(
  store: Store,
  now: number,
  { pathname, searchParams }: URL,
): Promise<{ structured: object }> {
  switch (pathname) {
    case '/ledger/history':
      return askOperation(getLedgerHistory, store, now, {}, registry);
    case '/accuracy':
      return askOperation(getAccuracyReport, store, now, { since: searchParams.get('since') }, registry);
    case '/silence':
      return askOperation(getSilenceCounts, store, now, { window: searchParams.get('window') }, registry);
    case '/silence-vindications':
      return askOperation(
        listSilenceVindications,
        store,
        now,
        { since: searchParams.get('since') },
        registry,
      );
    case '/benchmark/scores':
      return askOperation(
        getBenchmarkLeaderboard,
        store,
        now,
        { limit: Number(searchParams.get('limit')) },
        registry,
      );
    case '/state-of-restraint':
      return askOperation(
        listStatesOfRestraint,
        store,
        now,
        searchParams.has('month')
          ? { month_iso: searchParams.get('month') }
          : { limit: Number(searchParams.get('limit')) },
        registry,
      );
    default:
      throw new Error(`nothing at ${pathname}`);
  }
}
