import { HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { computeSeal } from '../../src/ledger/seal.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import type { LedgerLog } from '../../src/store/ledger/ledger-log.ts';
import { type Bench, newPipeline } from '../harness.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

/** Ticks read back over the history, so a store without one would make them too cheap. */
const historyDays = { complete: 14, quick: 2 };
const TICKS_PER_ROUND = 8;
const NOW = Date.parse('2026-11-16T04:00:00Z');

/** The share of a tick that goes into the ledger: sealing rows, appending them to the log, signing the checkpoint. */
export async function measureSealing(bench: Bench): Promise<Row[]> {
  const pipeline = await newPipeline(bench);
  const from =
    bench.size === 'smallest'
      ? NOW - HOUR
      : timeZone('Asia/Singapore').startOfDay(NOW, -historyDays[bench.size]);
  await backfill(pipeline, { from, now: NOW });
  const ledgerCalls = timeCalls(pipeline.ledger);
  let now = NOW;
  const sealTimes: number[] = [];
  const ledgerTimes: number[] = [];
  const { ticks } = await runRounds(bench, bench.rounds, {
    ticks: async (warmingUp) => {
      ledgerCalls.ms = 0;
      ledgerCalls.payloads = [];
      const start = performance.now();
      for (let n = 0; n < TICKS_PER_ROUND; n++) {
        now += SLOT;
        await runDue(pipeline, now);
      }
      const total = performance.now() - start;
      const sealing = timeToSeal(ledgerCalls.payloads);
      if (!warmingUp) {
        sealTimes.push(sealing / TICKS_PER_ROUND);
        ledgerTimes.push(ledgerCalls.ms / TICKS_PER_ROUND);
      }
      return total / TICKS_PER_ROUND;
    },
  });
  return [
    compare('sealing rows and appending them to the log / a whole tick', ledgerTimes, ticks, {
      unit: ' ms',
      target: { atMost: 0.1 },
    }),
    compare('sealing alone / a whole tick', sealTimes, ticks, { unit: ' ms' }),
  ];
}

/** Seals the same payloads once more: canonical text and hash, which rows would need without a log too. */
function timeToSeal(payloads: readonly object[]): number {
  const start = performance.now();
  for (const payload of payloads) computeSeal(payload);
  return performance.now() - start;
}

/** Adds up the time spent in the ledger's calls, which never overlap, and collects the payloads they were given. */
function timeCalls(ledger: LedgerLog): { ms: number; payloads: object[] } {
  const calls: { ms: number; payloads: object[] } = { ms: 0, payloads: [] };
  const measureCall = async <T>(call: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await call();
    } finally {
      calls.ms += performance.now() - start;
    }
  };
  const append = ledger.append.bind(ledger);
  const write = ledger.write.bind(ledger);
  Object.assign(ledger, {
    append: (...args: Parameters<LedgerLog['append']>) => {
      calls.payloads.push(...args[2].map(({ payload }) => payload));
      return measureCall(() => append(...args));
    },
    write: (...args: Parameters<LedgerLog['write']>) => measureCall(() => write(...args)),
  });
  return calls;
}
