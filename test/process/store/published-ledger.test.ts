// The ledger that a service publishes as files: whole after a kill, and verified from a folder and from a web server.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hasCaddy, noCaddy, serveFiles } from '../../support/services/deployment.ts';
import { ask } from '../../support/services/http-client.ts';
import { eventually } from '../../support/services/operator-commands.ts';
import { listen, runHere, serve, serviceEnvironment } from '../../support/services/processes.ts';
import { credentials, startBucket, type TestBucket } from '../../support/storage/bucket-server.ts';
import { describeStores } from '../../support/stores/store-places.ts';

/** On a machine that is busy with other tests. */
const PATIENCE_MS = 120_000;

const sentence = /these are files: what the service answers .* was not compared/;

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'published-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const servedCheckpoint = async (url: string) => (await ask(`${url}/api/ledger/checkpoint`)).text;

function copyFiles({ files }: TestBucket, folder: string): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

describeStores('a published ledger', (makePlace, engine) => {
  test('is whole in a bucket after a kill in the middle, and names no credential', async (t) => {
    const place = await makePlace('empty');
    t.after(() => place.remove());
    const bucket = await startBucket();
    t.after(bucket.close);
    const environment = { ...serviceEnvironment(place), ...bucket.environment };
    const written = () => bucket.asked.filter(({ method }) => method === 'PUT').length;
    bucket.state.slowMs = 100;
    const killed = await listen(t, environment);
    await eventually(async () => written() > 12, PATIENCE_MS);
    killed.child.kill('SIGKILL');
    await killed.closed;
    assert.ok(!bucket.files.has('checkpoint'), 'it is the last file of a step');
    const before = written();
    bucket.state.slowMs = 0;
    const { url, output } = await serve(t, environment);
    await eventually(
      async () => `${bucket.files.get('checkpoint')}` === (await servedCheckpoint(url)),
      PATIENCE_MS,
    );
    t.diagnostic(
      `${before} writes before the kill, ${written() - before} after it, ${bucket.files.size} files`,
    );
    const folder = makeFolder(t);
    copyFiles(bucket, folder);
    const { status, stderr } = await runHere(t, ['verify', folder]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^verified \d{4,} rows/m);
    assert.match(stderr, sentence);
    for (const { stdout, stderr } of [killed.output, output])
      for (const secret of [credentials.accessKeyId, credentials.secretAccessKey])
        assert.ok(!`${stdout}${stderr}`.includes(secret));
  });

  // The files are the same whatever the database is.
  if (engine === 'sqlite')
    test('is verified from its folder and from a web server, and an edited file is found', async (t) => {
      const place = await makePlace('empty');
      t.after(() => place.remove());
      const folder = join(makeFolder(t), 'ledger');
      const environment = { ...serviceEnvironment(place), LEDGER_STORAGE: `file://${folder}` };
      const { url } = await serve(t, environment);
      const read = (path: string) => readFileSync(join(folder, path));
      await eventually(
        async () => `${await tryRead(() => read('checkpoint'))}` === (await servedCheckpoint(url)),
        PATIENCE_MS,
      );
      for (const path of ['key', 'tile/0/000', 'tile/entries/001']) {
        const served = await fetch(`${url}/api/ledger/${path}`);
        assert.deepEqual(read(path), Buffer.from(await served.arrayBuffer()), path);
      }
      await t.test('from the folder', async () => {
        const saved = join(dirname(folder), 'saved');
        const first = await runHere(t, ['verify', folder, '--save', saved]);
        assert.equal(first.status, 0, first.stderr);
        assert.match(first.stderr, sentence);
        const again = await runHere(t, ['verify', `file://${folder}`, '--since', saved, '--json']);
        assert.equal(again.status, 0, again.stderr);
        const { ok, tables, figures } = JSON.parse(again.stdout);
        assert.deepEqual(
          { ok, tables, figures },
          { ok: true, tables: 'not served', figures: 'not asked for' },
        );
      });
      await t.test('from a web server', { skip: !hasCaddy() && noCaddy }, async () => {
        const site = await serveFiles(t, dirname(folder));
        const { status, stderr } = await runHere(t, ['verify', `${site}/ledger/`]);
        assert.equal(status, 0, stderr);
        assert.match(stderr, sentence);
        const nothing = await runHere(t, ['verify', site]);
        assert.equal(nothing.status, 1);
        assert.match(nothing.stderr, /nothing at checkpoint \(unavailable\)/);
      });
      await t.test('where it was edited', async () => {
        for (const [path, code] of [
          ['tile/entries/001', 'wrong_leaf'],
          ['tile/0/001', 'wrong_leaf'],
          ['checkpoint', 'bad_signature'],
        ] as const) {
          const copy = join(dirname(folder), 'edited');
          rmSync(copy, { recursive: true, force: true });
          cpSync(folder, copy, { recursive: true });
          const bytes = read(path);
          const at = bytes.length - 20;
          writeFileSync(join(copy, path), bytes.with(at, bytes[at] === 65 ? 66 : 65));
          const { status, stderr } = await runHere(t, ['verify', copy]);
          assert.equal(status, 1, path);
          assert.match(stderr, new RegExp(`\\(${code}\\)`));
        }
      });
      await t.test("by a scheduler of one's own", async () => {
        const LEDGER_STORAGE = join(dirname(folder), 'by-tick');
        const { status, stderr } = await runHere(t, ['tick'], { ...environment, LEDGER_STORAGE });
        assert.equal(status, 0, stderr);
        assert.match(readFileSync(join(LEDGER_STORAGE, 'checkpoint'), 'utf8'), /^pocketwatch\n\d{4,}\n/);
        const away = { ...environment, LEDGER_STORAGE: join(folder, 'checkpoint') };
        const late = await runHere(t, ['tick'], away);
        assert.equal(late.status, 0, late.stderr);
        assert.match(late.stderr, /^the ledger was not published: .*checkpoint/m);
      });
      const usage = await runHere(t, ['verify', join(folder, 'nowhere')]);
      assert.deepEqual(
        [usage.status, usage.stderr.includes('neither an http address nor a folder')],
        [2, true],
      );
    });
});

const tryRead = async (read: () => Buffer): Promise<Buffer | undefined> => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
