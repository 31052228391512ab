// npm run save-store: runs this version on a small city with each engine, lets every kind of writer write, and keeps a
// backup of both stores in test/stores/VERSION. Run at each release: later versions must upgrade what it made
// (test/process/store/upgrade.test.ts).
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { HOUR, iso } from '../src/domain/time/slot.ts';
import { smallRegistry } from '../test/support/pipeline/small-registry.ts';
import { addOutletArguments, KNOWN_OUTLET } from '../test/support/services/operator-commands.ts';
import { run, serve } from '../test/support/services/processes.ts';
import { startServer } from '../test/support/stores/postgres-server.ts';
import { keyPem, savedStores } from '../test/support/stores/saved-stores.ts';
import { scratchDatabase } from '../test/support/stores/store-places.ts';

/** Enough for every table, and few, since the stores stay in the repository for good. */
const pockets = ['holland', 'serene'];
const compress = (copy: Buffer) =>
  zstdCompressSync(copy, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const target = join(savedStores, version);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

// What pg_restore of an older PostgreSQL can read, pg_restore of a newer one can: the installed one is the older.
const server = await startServer({ ...process.env, TEST_POSTGRES: 'installed' });
if (!server.url) throw new Error(server.about);
process.env.TEST_DATABASE_URL = server.url;
try {
  await save('sqlite.zst', {}, compress);
  const database = await scratchDatabase();
  await save('postgres.dump', { DATABASE_URL: database.url }, (dump) => dump);
  await database.drop();
} finally {
  await server.stop();
}

async function save(name: string, database: Record<string, string>, pack: (copy: Buffer) => Uint8Array) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pocketwatch-save-'));
  const CITY_DIR = smallRegistry(dataDir, pockets);
  const settings = { ...database, DATA_DIR: dataDir, CITY_DIR, LEDGER_KEY: keyPem('first') };
  const command = async (args: string[], environment: Record<string, string> = settings): Promise<string> => {
    const { status, stdout, stderr } = await run(args, environment);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  await whileServing(settings, async (url) => {
    await submit(url);
    await command([...addOutletArguments(), '--overnight']);
    await command(['takedown', 'add', KNOWN_OUTLET]);
    await command(['sense', 'record', '--pocket', 'serene', '--word', 'calm', '--people', '6']);
    const [review] = JSON.parse(await command(['review', 'list', '--json']));
    if (review) await command(['review', 'resolve', review.id, '--verdict', 'upheld']);
    const [brief] = JSON.parse(await command(['brief', 'list', '--json']));
    if (brief) await command(['brief', 'accept', brief.id]);
  });
  const newKey = join(dataDir, 'new.key');
  writeFileSync(newKey, keyPem('second'));
  await command(['key', 'rotate', '--key', newKey]);
  const rotated = { ...settings, LEDGER_KEY: keyPem('second') };
  await whileServing(rotated, submit);
  const copy = join(dataDir, 'copy');
  process.stdout.write(await command(['backup', copy], rotated));
  const packed = pack(readFileSync(copy));
  writeFileSync(join(target, name), packed);
  rmSync(dataDir, { recursive: true });
  process.stdout.write(`${name}: ${packed.length} bytes\n`);
}

async function whileServing(settings: Record<string, string>, work: (url: string) => Promise<unknown>) {
  const { url, child } = await serve({ after: () => undefined }, settings);
  await work(url);
  child.kill('SIGTERM');
  await once(child, 'close');
}

async function submit(url: string): Promise<void> {
  const start = Date.now() + HOUR;
  const forecast = {
    ...{ pocket_id: pockets[0], horizon_minutes: 60, predicted_state: 'calm_productive' },
    ...{ predicted_calm_probability: 0.6, confidence: 0.5 },
  };
  const body = {
    submitter_name: 'a system',
    prediction_window_start: iso(start),
    prediction_window_end: iso(start + 3 * HOUR),
    predictions: [forecast],
    contact_email: 'someone@example.org',
    system_description: 'rules of thumb',
  };
  const reply = await fetch(`${url}/api/benchmark/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (reply.status !== 200) throw new Error(await reply.text());
}
