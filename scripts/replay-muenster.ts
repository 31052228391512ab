// Entry point of `npm run replay:muenster`: replays recorded weeks of Münster and prints how well they were forecast.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { replayCommand } from '../src/cli/commands/replay.ts';
import { tableOf } from '../src/cli/runtime/operator.ts';
import { DAY } from '../src/domain/time/slot.ts';
import { cityDir } from '../src/registry/city-dir.ts';
import { openStore } from '../src/store/engine/open.ts';

const HELP = `npm run replay:muenster [-- FOLDER]

Replays two times three weeks of car parks and bike counters of Münster, 2019 and 2026, and prints what came true
after the first two weeks, beside the naive baseline. FOLDER holds the recordings, named by their first and last day
(2019-09-16_2019-10-06_….csv.gz); default: ../shared/data/replay_muenster beside the checkout.
`;

/** Until then what is usual is still being learned. */
const LEARNING = 14 * DAY;

interface Scores {
  n: number;
  service: number;
  naive: number;
  persistence: number;
}

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
  const lines: string[][] = [];
  for (const [span, files] of spans) {
    const began = performance.now();
    const scores = await replaySpan(
      span,
      files.map((file) => join(folder, file)),
    );
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const { n, service, naive, persistence } = scores;
    lines.push([span.replace('_', ' to '), seconds, ...[n, service, naive, persistence].map(String)]);
  }
  process.stdout.write(
    `${tableOf(['days', 'seconds', 'forecasts', 'service', 'naive', 'persistence'], lines)}\n`,
  );
  return 0;
}

async function replaySpan(span: string, files: string[]): Promise<Scores> {
  const [from = '', to = ''] = span.split('_');
  const data = mkdtempSync(join(tmpdir(), 'pocketwatch-replay-'));
  try {
    const args = ['--city', cityDir('muenster'), '--from', from, '--to', to, '--data', data, '--no-serve'];
    await replayCommand.run([...args, ...files]);
    return await scoresOf(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** The forecasts of states that were sealed after the weeks of learning. */
async function scoresOf(dataDir: string): Promise<Scores> {
  const store = openStore({ databaseUrl: undefined, dataDir });
  try {
    const row = await store.get<Scores>(
      `select count(*) as n, avg(accuracy_score) as service, avg(baseline_score) as naive,
         avg(persistence_score) as persistence
       from reveals where prediction_type = 'other' and accuracy_score is not null
         and slot >= (select min(slot) from atmosphere_readings) + ${LEARNING}`,
    );
    const round = (score: number | undefined) => Math.round((score ?? 0) * 1000) / 1000;
    return {
      n: row?.n ?? 0,
      service: round(row?.service),
      naive: round(row?.naive),
      persistence: round(row?.persistence),
    };
  } finally {
    await store.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
