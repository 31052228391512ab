import { once } from 'node:events';
import { createPipeline } from '../../src/cli/runtime/pipeline-factory.ts';
import { readConfig } from '../../src/config.ts';
import { DAY, SLOT } from '../../src/domain/time/sgt.ts';
import { sealOf } from '../../src/ledger/seal.ts';
import { historyStart } from '../../src/pipeline/backfill/backfill.ts';
import { runDue } from '../../src/pipeline/core/run.ts';
import type { LedgerLog } from '../../src/store/ledger/ledger-log.ts';
import { compare, inRounds, type Row } from '../rows.ts';
import { type Bench, newPlace, ownEnvironment, start } from '../support.ts';

const ALLOWED_S = 45;
const QUICK_DAYS = 3;
const TICKS = 8;

/** How long the first start takes to write its history, and what sealing and the log cost a tick that follows. */
export async function measureFirstStart(bench: Bench): Promise<Row[]> {
  const { dataDir } = await newPlace(bench, 'sqlite');
  const now = Date.now();
  const days = bench.quick ? QUICK_DAYS : Math.ceil((now - historyStart(now)) / DAY);
  const began = performance.now();
  await written(bench, dataDir, bench.quick ? ['--days', `${QUICK_DAYS - 1}`] : []);
  const seconds = (performance.now() - began) / 1000;
  const what = `the first start's history on SQLite, ${days} days / allowed`;
  const target = bench.quick ? {} : { target: { atMost: 1 } };
  return [
    compare(what, [seconds], [ALLOWED_S], { unit: ' s', ...target }),
    ...(await sealing(bench, dataDir, now)),
  ];
}

async function written(bench: Bench, dataDir: string, args: string[]): Promise<void> {
  const child = start(bench, '../src/main.ts', ['backfill', ...args], {
    env: { ...ownEnvironment(), DATA_DIR: dataDir },
    // A process that can be asked something does not end by itself.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`history was not written: ${code}`);
}

/** Ticks as they are once the service has its history, in which much of a tick is to look back. */
async function sealing(bench: Bench, dataDir: string, from: number): Promise<Row[]> {
  const works = await createPipeline(readConfig({ DATA_DIR: dataDir }));
  bench.defer(() => works.store.close());
  const spent = timed(works.ledger);
  let now = from;
  const seals: number[] = [];
  const both: number[] = [];
  const { ticks } = await inRounds(bench, bench.rounds, {
    ticks: async (warming) => {
      spent.ms = 0;
      spent.payloads = [];
      const began = performance.now();
      for (let n = 0; n < TICKS; n++) {
        now += SLOT;
        await runDue(works, now);
      }
      const whole = performance.now() - began;
      const sealing = timeToSeal(spent.payloads);
      if (!warming) {
        seals.push(sealing / TICKS);
        both.push(spent.ms / TICKS);
      }
      return whole / TICKS;
    },
  });
  return [
    compare('sealing rows and appending them to the log / a whole tick', both, ticks, {
      unit: ' ms',
      target: { atMost: 0.1 },
    }),
    compare('sealing alone / a whole tick', seals, ticks, { unit: ' ms' }),
  ];
}

/** What the same rows take to be sealed again: their canonical text and its hash, which they need with or without a log. */
function timeToSeal(payloads: readonly object[]): number {
  const began = performance.now();
  for (const payload of payloads) sealOf(payload);
  return performance.now() - began;
}

/** Adds up the time in the ledger's calls, of which none waits for another, and what they were given. */
function timed(ledger: LedgerLog): { ms: number; payloads: object[] } {
  const spent: { ms: number; payloads: object[] } = { ms: 0, payloads: [] };
  const adding = async <T>(call: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await call();
    } finally {
      spent.ms += performance.now() - began;
    }
  };
  const append = ledger.append.bind(ledger);
  const write = ledger.write.bind(ledger);
  Object.assign(ledger, {
    append: (...args: Parameters<LedgerLog['append']>) => {
      spent.payloads.push(...args[2].map(({ payload }) => payload));
      return adding(() => append(...args));
    },
    write: (...args: Parameters<LedgerLog['write']>) => adding(() => write(...args)),
  });
  return spent;
}
