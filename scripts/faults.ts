// Entry point of `npm run faults`: kills the service at random moments and looks for what was lost or doubled.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../src/cli/runtime/command.ts';
import { embeddedBinaries, installedBinaries } from '../test/support/stores/postgres-binaries.ts';
import { startCluster } from '../test/support/stores/postgres-cluster.ts';
import { startServer } from '../test/support/stores/postgres-server.ts';
import {
  type Engine,
  postgresPlace,
  type StorePlace,
  sqlitePlace,
} from '../test/support/stores/store-places.ts';
import { districtTrial } from './faults/district-trial.ts';
import { killTrial, type TrialResult } from './faults/kill-trial.ts';
import { wholeNumber } from './options.ts';

const HELP = `npm run faults -- [--rounds N] [--store sqlite|postgres|all] [--seed S] [--no-tests] [--districts]

Starts the service on a small city, keeps submitting forecasts, kills it (SIGKILL) at a random moment, about half
of the time inside a tick, and starts it again. Afterwards everything that was acknowledged must be in the ledger once,
nothing twice, and "pocketwatch verify" must find nothing wrong. Exits with 1 if not. Ctrl-C ends the kills and checks
what was done up to then. At the end the stores of released versions are upgraded with a kill before every statement,
a store is copied between any two jobs, and every sum of the rollups is changed before it is verified.

With --districts: three workers on a virtual clock share 2,000 pockets in 8 districts on PostgreSQL. They are killed at
random moments, and the server is stopped at once twice. The ledger must be that of one worker without faults.

  --rounds N   kills on each store (default: 500; with --districts 100)
  --store S    sqlite, postgres or all (default: all)
  --districts  the trial of workers that share districts
  --seed S     chooses the kills; the same number chooses the same ones (default: 1)
  --no-tests   leave the upgrades and the copies out
  --help       this text
`;

const PROGRESS_ROUNDS = 10;
/** More than a hundred kills leave time for. */
const DISTRICT_SLOTS = 24;
const givenServer = process.env.TEST_DATABASE_URL;
const stop = new AbortController();
const names: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      districts: { type: 'boolean' },
      store: { type: 'string', default: 'all' },
      seed: { type: 'string', default: '1' },
      'no-tests': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const rounds = wholeNumber('rounds', values.rounds ?? (values.districts ? '100' : '500'));
  const seed = wholeNumber('seed', values.seed);
  if (values.districts) return tryDistricts(rounds, seed);
  const engines = Object.keys(names).filter((name): name is Engine => ['all', name].includes(values.store));
  if (!engines.length) throw new UsageError(`--store is sqlite, postgres or all, not '${values.store}'`);

  const results: [Engine, TrialResult][] = [];
  for (const engine of engines) {
    if (stop.signal.aborted) break;
    const result = await withPlace(engine, (place) =>
      killTrial({
        place,
        rounds,
        seed,
        signal: stop.signal,
        onRound: (sofar) => progress(engine, rounds, sofar),
      }),
    );
    results.push([engine, result]);
    const { lost, doubled, verifyFault } = result;
    for (const line of lost) say(`${engine}: lost: ${line}`);
    for (const line of doubled) say(`${engine}: doubled: ${line}`);
    if (verifyFault !== undefined) say(`${engine}: verify: ${verifyFault}`);
  }
  process.stdout.write(table(results));
  const isPassed = stop.signal.aborted || values['no-tests'] || runSampled(engines);
  return isPassed && results.every(([, result]) => isClean(result)) ? 0 : 1;
}

/** Tests that make do with a part of their kills, copies, changed sums and questions in `npm run test:all`. */
const sampled = [
  'test/process/store/upgrade.test.ts',
  'test/process/store/backup-checks.test.ts',
  'test/verify/rollups.test.ts',
  'test/http/docs/openapi-conditions.test.ts',
];

function runSampled(engines: readonly Engine[]): boolean {
  const args = [join(import.meta.dirname, 'test.ts'), ...sampled];
  const env = {
    ...process.env,
    ...{ FAULTS: 'all', TEST_DATABASE_URL: givenServer },
    ...(!engines.includes('postgres') && { TEST_POSTGRES: 'none' }),
  };
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status === 0;
}

async function tryDistricts(kills: number, seed: number): Promise<number> {
  const [binaries] = [...installedBinaries(), ...(await embeddedBinaries())];
  if (!binaries) throw new Error('no PostgreSQL');
  const cluster = await startCluster(binaries, { settings: { synchronous_commit: 'on', autovacuum: 'on' } });
  try {
    const { faults, ...done } = await districtTrial(cluster, {
      ...{ pockets: 2_000, most: 250, slots: DISTRICT_SLOTS, workers: 3, kills, stops: 2, seed },
      onKill: (count) => count % PROGRESS_ROUNDS || say(`districts: ${count} of ${kills} kills`),
    });
    for (const fault of faults) say(`districts: ${fault}`);
    process.stdout.write(
      `${done.kills} kills, ${done.stops} stops of the server, ${done.entries} entries: ${faults.length ? 'FAULT' : 'clean'}\n`,
    );
    return faults.length ? 1 : 0;
  } finally {
    await cluster.stop();
  }
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function withPlace<T>(engine: Engine, work: (place: StorePlace) => Promise<T>): Promise<T> {
  const server = engine === 'postgres' ? await startServer() : undefined;
  try {
    if (server && !server.url) throw new Error(`no PostgreSQL: ${server.about}`);
    if (server) process.env.TEST_DATABASE_URL = server.url;
    const place = await (engine === 'postgres' ? postgresPlace : sqlitePlace)('empty');
    try {
      return await work(place);
    } finally {
      await place.remove();
    }
  } finally {
    await server?.stop();
  }
}

function progress(
  engine: Engine,
  of: number,
  { rounds, insideTicks, acknowledged, lost, doubled }: Omit<TrialResult, 'verifyFault'>,
): void {
  if (rounds % PROGRESS_ROUNDS !== 0 && rounds !== of) return;
  const found = `${lost.length} lost, ${doubled.length} doubled`;
  say(
    `${engine}: ${rounds} of ${of} kills, ${insideTicks} inside ticks, ${acknowledged} acknowledged, ${found}`,
  );
}

const isClean = ({ lost, doubled, verifyFault }: TrialResult) =>
  !lost.length && !doubled.length && verifyFault === undefined;

function table(results: readonly [Engine, TrialResult][]): string {
  const head = ['trial', 'rounds', 'kills inside ticks', 'acknowledged', 'lost', 'doubled', 'verify'];
  const rows = results.map(([engine, { rounds, insideTicks, acknowledged, lost, doubled, verifyFault }]) => [
    `SIGKILL, ${names[engine]}`,
    ...[rounds, insideTicks, acknowledged, lost.length, doubled.length].map(String),
    verifyFault === undefined ? 'clean' : 'FAULT',
  ]);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}

for (const [name, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(name, () => {
    // The second time at once; through `exit`, so that no service is left running.
    if (stop.signal.aborted) process.exit(code);
    stop.abort();
    say(`${name}: no further kill; checking what was done`);
  });
}
try {
  process.exitCode = await main();
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  say(isUsage ? `${(error as Error).message}\n\n${HELP}` : String((error as Error).stack));
  process.exitCode = isUsage ? 2 : 1;
}
