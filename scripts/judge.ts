// Entry point of `npm run judge`: simulates a history, prints what was decided and what became of it, and exits with 1
// where a promise is missed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backfillCommand } from '../src/cli/commands/backfill.ts';
import { cityZone } from '../src/domain/time/zone.ts';
import { cityDir } from '../src/registry/city-dir.ts';
import { loadRegistry } from '../src/registry/load.ts';
import { openStore } from '../src/store/engine/open.ts';
import { checkPromises, decisionTable, type SaidLine, tableLines } from './judge/table.ts';

const HELP = `npm run judge -- --seed N [--days N] [--pockets N] [--store FOLDER] [--before FOLDER] [--no-journeys]

Simulates a history of the city of singapore and prints, of the lines that were said and of the silences, how many were
right, for how much of the waking time a line was live, how many moments were missed and how many calm windows held.
Then makes the ten journeys of the pages at four hours of the day.
Exits with 1 where a promise is missed.

  --seed N         seed of the simulated city
  --days N         days of history (1-366); default: 47, of which the first two weeks are learned only
  --pockets N      the first N pockets of the city only, which is faster
  --store FOLDER   judge the history in this data folder, instead of simulating one
  --before FOLDER  a data folder that an earlier version has written from the same seed and days: its lines are counted
                   against the same readings
  --no-journeys    leave the journeys out
`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean' },
      seed: { type: 'string' },
      days: { type: 'string', default: '47' },
      pockets: { type: 'string' },
      store: { type: 'string' },
      before: { type: 'string' },
      'no-journeys': { type: 'boolean' },
    },
  });
  if (values.help || (values.seed === undefined && values.store === undefined)) {
    (values.help ? process.stdout : process.stderr).write(HELP);
    return values.help ? 0 : 2;
  }
  const before = values.before === undefined ? undefined : await linesIn(resolve(values.before));
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-judge-'));
  try {
    const city =
      values.pockets === undefined ? cityDir('singapore') : smallCity(folder, Number(values.pockets));
    const dataDir = values.store === undefined ? join(folder, 'data') : resolve(values.store);
    if (values.store === undefined) {
      Object.assign(process.env, { DATA_DIR: dataDir, CITY_DIR: city, SEED: values.seed });
      await backfillCommand.run(['--days', values.days]);
    }
    const store = openStore({ databaseUrl: undefined, dataDir });
    try {
      const table = await decisionTable(store, cityZone(loadRegistry(city).city), before);
      const promises = checkPromises(table);
      const promiseText = (holds: boolean | null) =>
        holds === null ? 'not judged' : holds ? 'holds' : 'MISSED';
      process.stdout.write(
        `${[
          values.seed === undefined ? `the history in ${dataDir}` : `seed ${values.seed}`,
          ...tableLines(table),
          ...promises.map(({ what, holds }) => `${promiseText(holds)}: ${what}`),
        ].join('\n')}\n`,
      );
      const made = values['no-journeys'] || makeJourneys();
      return !made || promises.some(({ holds }) => holds === false) ? 1 : 0;
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ten questions of test/browser/ten-journeys.test.ts, at every hour and width. */
function makeJourneys(): boolean {
  const args = [join(import.meta.dirname, 'test.ts'), 'test/browser/ten-journeys.test.ts'];
  const { DATA_DIR: _data, CITY_DIR: _city, SEED: _seed, ...rest } = process.env;
  const env = { ...rest, JOURNEYS: 'all' };
  // The journeys have a city and a store of their own.
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status === 0;
}

async function linesIn(dataDir: string): Promise<SaidLine[]> {
  const store = openStore({ databaseUrl: undefined, dataDir });
  try {
    return await store.all<SaidLine>(
      'select pocket_id, slot, expires_at from packages order by pocket_id, slot',
    );
  } finally {
    await store.close();
  }
}

/** A copy of the city with its first pockets and their outlets. */
function smallCity(folder: string, count: number): string {
  const dir = join(folder, 'city');
  cpSync(cityDir('singapore'), dir, { recursive: true });
  const edit = (
    name: string,
    change: (file: Record<string, { id: string; pocket_id: string }[]>) => object,
  ) => {
    const path = join(dir, name);
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
  };
  let kept = new Set<string>();
  edit('pockets.json', (file) => {
    const pockets = file.pockets?.slice(0, count) ?? [];
    kept = new Set(pockets.map(({ id }) => id));
    return { ...file, pockets };
  });
  edit('outlets.json', (file) => ({
    ...file,
    outlets: file.outlets?.filter(({ pocket_id }) => kept.has(pocket_id)) ?? [],
  }));
  return dir;
}

process.exitCode = await main(process.argv.slice(2));
