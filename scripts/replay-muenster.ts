// Entry point of `npm run replay:muenster`: replays recorded weeks of Münster, prints how well they were forecast and
// what must be true of them, and exits with 1 where something is not.
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { replayCommand } from '../src/cli/commands/replay.ts';
import { textTable } from '../src/cli/runtime/operator.ts';
import { cityZone } from '../src/domain/time/zone.ts';
import { cityDir } from '../src/registry/city-dir.ts';
import { loadRegistry } from '../src/registry/load.ts';
import { readReplayRows } from '../src/sources/replay/replay-rows.ts';
import { openStore } from '../src/store/engine/open.ts';
import { tableLines } from './judge/table.ts';
import { type Judged, judge } from './muenster/bounds.ts';

const HELP = `npm run replay:muenster [-- FOLDER]

Replays three times three weeks of car parks and bike counters of Münster: 2019, the market weeks of 2024, and 2026.
Prints which share of the forecasts of the third week came true, beside two simple rules on the same rows, what became
of the decisions, and what must hold of the readings; exits with 1 where a bound is missed. FOLDER holds the recordings, named by their first and last day
(2019-09-16_2019-10-06_….csv.gz); default: ../shared/data/replay_muenster beside the checkout.
`;

async function main([given]: string[]): Promise<number> {
  if (given === '--help') {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = resolve(given ?? join(import.meta.dirname, '../../shared/data/replay_muenster'));
  if (!existsSync(folder)) {
    process.stderr.write(`there are no recordings in ${folder}\n\n${HELP}`);
    return 2;
  }
  const spans = Map.groupBy(
    readdirSync(folder).filter((name) => /^\d{4}-\d{2}-\d{2}_\d{4}-\d{2}-\d{2}_.+\.csv(\.gz)?$/.test(name)),
    (name) => name.slice(0, 21),
  );
  let missed = 0;
  for (const [span, files] of spans) {
    const began = performance.now();
    const judged = await replaySpan(
      span,
      files.map((file) => join(folder, file)),
    );
    print(span.replace('_', ' to '), (performance.now() - began) / 1000, judged);
    missed += judged.bounds.filter(({ holds }) => !holds).length;
  }
  process.stdout.write(missed ? `${missed} bounds are missed\n` : 'every bound holds\n');
  return missed ? 1 : 0;
}

function print(days: string, seconds: number, { decisions, scores, bounds }: Judged): void {
  const share = (value: number | null) => (value === null ? '-' : value.toFixed(3));
  const rows = scores.map(({ minutes, n, service, persistence, last_week }) => [
    `${minutes} min`,
    String(n),
    ...[service, persistence, last_week].map(share),
  ]);
  process.stdout.write(
    [
      `${days}, replayed in ${seconds.toFixed(1)} s`,
      textTable(['ahead', 'forecasts', 'came true', 'persistence', 'same hour last week'], rows),
      ...tableLines(decisions),
      ...bounds.map(({ what, found, holds }) => `${holds ? 'holds ' : 'MISSED'} ${what}: ${found}`),
      '',
      '',
    ].join('\n'),
  );
}

async function replaySpan(span: string, files: string[]): Promise<Judged> {
  const [from = '', to = ''] = span.split('_');
  const dataDir = mkdtempSync(join(tmpdir(), 'pocketwatch-replay-'));
  try {
    const city = cityDir('muenster');
    const args = ['--city', city, '--from', from, '--to', to, '--data', dataDir, '--no-serve'];
    await replayCommand.run([...args, ...files]);
    const store = openStore({ databaseUrl: undefined, dataDir });
    try {
      const recordedOn = (feed: string, date: string) => placesOn(files, feed, date);
      return await judge({ store, zone: cityZone(loadRegistry(city).city), from, recordedOn });
    } finally {
      await store.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The places of a feed that have a row on a day. */
async function placesOn(files: string[], feed: string, date: string): Promise<Set<string>> {
  const places = new Set<string>();
  const zone = cityZone(loadRegistry(cityDir('muenster')).city);
  for (const file of files)
    for await (const row of readReplayRows(createReadStream(file), { name: basename(file) }))
      if (row.feed === feed && row.observed_at !== null && zone.localDate(row.observed_at) === date)
        places.add(row.place_id);
  return places;
}

process.exitCode = await main(process.argv.slice(2));
