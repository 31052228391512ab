// A service on a ledger that was written on the last day of a February and the first of March, whose newest signal is so
// much later that February may leave the store.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseSubmission } from '../../../src/domain/prediction/submission.ts';
import { DAY, HOUR, iso, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { TILE_WIDTH } from '../../../src/ledger/tiles.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { ledgerAppender } from '../../../src/store/ledger/append.ts';
import { checkpointBefore } from '../../../src/store/ledger/ledger-reads.ts';
import { freshPipeline } from '../pipeline/fresh-pipeline.ts';
import { knowUsual } from '../pipeline/known-usual.ts';
import { smallCity } from '../pipeline/small-city.ts';
import { smallRegistryPockets } from '../pipeline/small-registry.ts';
import { submission } from '../rows/benchmark-submission.ts';
import { sealSubmission } from '../rows/seal-submission.ts';
import type { MakePlace } from '../stores/store-places.ts';
import { testSigner } from '../stores/test-key.ts';
import { serviceEnvironment } from './processes.ts';
import { startService } from './service.ts';

export const MARCH = singapore.atLocal('2025-03-01', '00:00');
/** Within a half hour, at which no totals are stored. */
const HISTORY_END = MARCH - 2 * HOUR - 2 * SLOT;
/** Everything of February is revealed, judged and rolled up by then. */
const LAST = MARCH + 8 * HOUR;
/** Before the clock of any machine. */
export const NEWEST = MARCH + 200 * DAY;
export const SUBMISSION = 'sent-in-february';

const registry = smallCity(smallRegistryPockets);

/** Writes it into an empty store. */
export async function writeOldLedger(store: Store): Promise<void> {
  const clock = { now: HISTORY_END };
  const history = freshPipeline(store, registry, () => clock.now);
  await knowUsual(store, registry);
  await backfill(history, { from: HISTORY_END - 0.75 * DAY + SLOT, now: HISTORY_END });
  const pipeline = freshPipeline(store, registry, () => clock.now);
  while (clock.now < LAST) {
    clock.now += SLOT;
    for (const { outcome, error } of await runDue(pipeline, clock.now))
      assert.equal(outcome, 'ran', String(error));
    if (clock.now === HISTORY_END + SLOT) await submit(store, clock.now);
  }
}

export async function oldLedger(t: TestContext, makePlace: MakePlace) {
  const place = await makePlace('old ledger');
  const service = await startService(t, { place, registry, now: LAST, days: 'stored' });
  const { store } = service;
  // A file that is run on its own has no templates.
  if (!(await checkpointBefore(store, MARCH))) await writeOldLedger(store);
  const february = (await checkpointBefore(store, MARCH))?.size ?? 0;
  const bundles = Math.floor(february / TILE_WIDTH);
  assert.ok(bundles > 8, 'more than are removed in one transaction');
  return {
    ...{ ...service, place, registry, february, bundles },
    /** Cached answers are dropped at once, not half a second later. */
    refresh: () => service.service.dataVersion.refresh(),
    folder: join(place.dataDir, 'archive'),
    environment: serviceEnvironment(place),
  };
}

/** Lets so much time pass that nothing reads the rows of February. */
export const passTime = (store: Store): Promise<void> =>
  store.transaction((tx) =>
    tx.insert('env_snapshots', [
      { slot: NEWEST, pocket_id: 'elsewhere', completeness_milli: 1_000, substrate: 1, provenance: '{}' },
    ]),
  );

async function submit(store: Store, now: number): Promise<void> {
  const window = { prediction_window_start: iso(now), prediction_window_end: iso(now + HOUR) };
  const parsed = parseSubmission(submission(window), now, () => true);
  assert.ok('submission' in parsed, JSON.stringify(parsed));
  await ledgerAppender(
    store,
    testSigner,
    () => now,
  )((tx, ledger) => sealSubmission(tx, ledger, parsed.submission, { id: SUBMISSION, nonce: 'n', now }));
}

export const archiveFebruary = (folder: string, ...more: string[]): string[] => [
  ...['archive', '--before', '2025-03', folder, ...more],
];
