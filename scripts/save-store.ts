// npm run save-store: runs this version on a small city with each engine, lets every kind of writer write, and keeps a
// backup of both stores in test/stores/VERSION. Run at each release: later versions must upgrade what it made
// (test/process/store/upgrade.test.ts).
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { smallRegistry } from '../test/support/pipeline/small-registry.ts';
import { currentSubmission } from '../test/support/rows/benchmark-submission.ts';
import { post } from '../test/support/services/http-client.ts';
import { addOutletArguments, KNOWN_OUTLET } from '../test/support/services/operator-commands.ts';
import { run, serve } from '../test/support/services/processes.ts';
import { startServer } from '../test/support/stores/postgres-server.ts';
import { keyPem, savedFile, savedPockets, savedStores } from '../test/support/stores/saved-stores.ts';
import { type Engine, scratchDatabase } from '../test/support/stores/store-places.ts';

const [pocket = ''] = savedPockets;
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
  await save('sqlite', {});
  const database = await scratchDatabase();
  await save('postgres', { DATABASE_URL: database.url });
  await database.drop();
} finally {
  await server.stop();
}

async function save(engine: Engine, database: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pocketwatch-save-'));
  const CITY_DIR = smallRegistry(dataDir, savedPockets);
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
  copyFileSync(`${copy}.checkpoint`, join(target, `${engine}.checkpoint`));
  // pg_dump compresses by itself.
  const plain = readFileSync(copy);
  const packed = engine === 'sqlite' ? compress(plain) : plain;
  writeFileSync(savedFile(version, engine), packed);
  rmSync(dataDir, { recursive: true });
  process.stdout.write(`${engine}: ${packed.length} bytes\n`);
}

async function whileServing(settings: Record<string, string>, work: (url: string) => Promise<unknown>) {
  const { url, child } = await serve({ after: () => undefined }, settings);
  await work(url);
  child.kill('SIGTERM');
  await once(child, 'close');
}

async function submit(url: string): Promise<void> {
  const reply = await post(`${url}/api/benchmark/submit`, currentSubmission(pocket));
  if (reply.status !== 200) throw new Error(reply.text);
}
