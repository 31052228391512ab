// What both storages promise, and what each does when its writes fail half way.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Fault, startBucket } from '../../../test/support/storage/bucket-server.ts';
import { bucketStorage } from './bucket-storage.ts';
import { folderStorage } from './folder-storage.ts';
import type { LedgerStorage } from './ledger-storage.ts';

const { signal } = new AbortController();
const limits = { timeout_ms: 20_000, retries: 2, pause_ms: 1 };
/** For what is never answered. */
const impatient = { ...limits, timeout_ms: 1000, retries: 1 };
const one = Buffer.from('one');
const two = Buffer.from('two');
const faulty = (code: string, message = /./) => ({ name: 'StorageError', code, message });

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'storage-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function makeBucket(t: TestContext, honoursConditions = true) {
  const bucket = await startBucket({ honoursConditions });
  t.after(bucket.close);
  const storage = bucketStorage(bucket.settings('a/b'), signal, limits);
  /** The next requests to write fail like this, one after the other. */
  const failWrites = (...faults: Fault[]) => {
    bucket.state.fault = ({ method }) => (method === 'PUT' ? faults.shift() : undefined);
  };
  return { bucket, storage, failWrites };
}

const kinds: [string, (t: TestContext) => Promise<LedgerStorage>][] = [
  ['folder', async (t) => folderStorage(join(makeFolder(t), 'a/b'))],
  ['bucket', async (t) => (await makeBucket(t)).storage],
];

for (const [kind, make] of kinds)
  describe(kind, () => {
    test('a file is written once: the same bytes again are fine, others are refused', async (t) => {
      const storage = await make(t);
      await storage.prepare();
      assert.equal(await storage.get('tile/0/000'), undefined);
      await storage.putOnce('tile/0/000', one);
      await storage.putOnce('tile/0/000', one);
      await storage.putOnce('tile/0/000.p/7', two);
      await assert.rejects(
        storage.putOnce('tile/0/000', two),
        faulty('different', /tile\/0\/000 has other bytes/),
      );
      assert.deepEqual((await storage.get('tile/0/000'))?.bytes, one);
      assert.deepEqual((await storage.get('tile/0/000.p/7'))?.bytes, two);
    });

    test('a checkpoint is replaced only while it is what the writer has seen', async (t) => {
      const storage = await make(t);
      await storage.prepare();
      await storage.replace('checkpoint', one, undefined);
      await assert.rejects(storage.replace('checkpoint', two, undefined), faulty('replaced'));
      const seen = await storage.get('checkpoint');
      assert.deepEqual(seen?.bytes, one);
      await storage.replace('checkpoint', two, seen);
      await assert.rejects(storage.replace('checkpoint', Buffer.from('three'), seen), faulty('replaced'));
      assert.deepEqual((await storage.get('checkpoint'))?.bytes, two);
    });

    test('of many writers at once one is first', async (t) => {
      const storage = await make(t);
      await storage.prepare();
      const files = await Promise.allSettled(
        Array.from({ length: 12 }, (_, i) => storage.putOnce('tile/0/000', Buffer.from(`${i}`))),
      );
      assert.equal(files.filter(({ status }) => status === 'fulfilled').length, 1);
      const checkpoints = await Promise.allSettled(
        Array.from({ length: 12 }, (_, i) => storage.replace('checkpoint', Buffer.from(`${i}`), undefined)),
      );
      assert.equal(checkpoints.filter(({ status }) => status === 'fulfilled').length, 1);
    });
  });

test('a folder holds nothing but the files, and loses what a killed process left', async (t) => {
  const folder = makeFolder(t);
  const storage = folderStorage(folder);
  await storage.prepare();
  await storage.putOnce('tile/entries/x001/234', one);
  await storage.replace('checkpoint', two, undefined);
  assert.deepEqual(readdirSync(join(folder, '.drafts')), []);
  assert.deepEqual(readFileSync(join(folder, 'tile/entries/x001/234')), one);
  const [old, recent] = ['old', 'recent'].map((name) => join(folder, '.drafts', name));
  for (const draft of [old, recent]) writeFileSync(draft ?? '', 'half');
  utimesSync(old ?? '', 0, 0);
  await folderStorage(folder).prepare();
  assert.deepEqual(readdirSync(join(folder, '.drafts')), ['recent']);
});

test('a folder that cannot be written to is unavailable', async (t) => {
  const file = join(makeFolder(t), 'file');
  writeFileSync(file, '');
  const storage = folderStorage(join(file, 'below'));
  for (const work of [storage.prepare(), storage.putOnce('tile/0/000', one)])
    await assert.rejects(work, faulty('unavailable', /below/));
});

describe('bucket', () => {
  test('an answer that is lost, a repeated write and passing failures change nothing', async (t) => {
    const faults: Fault[][] = [['lost'], ['repeated'], ['cut', 'lost'], [503, 'lost'], [409], [429, 500]];
    for (const [i, some] of faults.entries()) {
      const { bucket, storage, failWrites } = await makeBucket(t);
      failWrites(...some);
      await storage.putOnce(`tile/0/00${i}`, one);
      failWrites(...some);
      await storage.replace('checkpoint', one, undefined);
      const seen = await storage.get('checkpoint');
      failWrites(...some);
      await storage.replace('checkpoint', two, seen);
      assert.deepEqual(
        [...bucket.files].map(([path, bytes]) => [path, `${bytes}`]),
        [
          [`a/b/tile/0/00${i}`, 'one'],
          ['a/b/checkpoint', 'two'],
        ],
        `${some}`,
      );
      await bucket.close();
    }
  });

  test('a write that came late is noticed, whatever its own answer was', async (t) => {
    const { bucket, storage, failWrites } = await makeBucket(t);
    // Another writer is first, while this one's request is on its way.
    failWrites('cut', () => void bucket.files.set('a/b/tile/0/000', two));
    await assert.rejects(storage.putOnce('tile/0/000', one), faulty('different'));
    failWrites(503, () => void bucket.files.set('a/b/checkpoint', two));
    await assert.rejects(storage.replace('checkpoint', one, undefined), faulty('replaced'));
    failWrites(412);
    await assert.rejects(storage.putOnce('tile/0/001', one), faulty('unavailable', /nothing is there/));
  });

  test('an outage is unavailable after a few attempts, and names no credential', async (t) => {
    const { bucket, storage } = await makeBucket(t);
    bucket.state.fault = () => 503;
    await assert.rejects(
      storage.putOnce('tile/0/000', one),
      faulty('unavailable', /^PUT tile\/0\/000: status 503 \(Told\)$/),
    );
    assert.equal(bucket.asked.length, 1 + limits.retries);
    bucket.state.fault = () => 'hang';
    const waiting = bucketStorage(bucket.settings(), signal, impatient);
    await assert.rejects(waiting.get('checkpoint'), faulty('unavailable', /GET checkpoint: .*timeout/));
    await bucket.goAway();
    await assert.rejects(storage.get('checkpoint'), faulty('unavailable', /ECONNREFUSED/));
    await bucket.comeBack();
    bucket.state.fault = () => undefined;
    const settings = bucket.settings();
    const wrong = { ...settings, credentials: { ...settings.credentials, secretAccessKey: 'another' } };
    bucket.asked.length = 0;
    await assert.rejects(
      bucketStorage(wrong, signal, limits).get('checkpoint'),
      faulty('unavailable', /^GET checkpoint: status 403 \(SignatureDoesNotMatch\)$/),
    );
    assert.equal(bucket.asked.length, 1, 'what will not pass is not repeated');
  });

  test('a stop ends a request that is under way', async (t) => {
    const { bucket } = await makeBucket(t);
    const stop = new AbortController();
    const patient = { timeout_ms: 600_000, retries: 100, pause_ms: 1 };
    bucket.state.fault = () => {
      stop.abort();
      return 'hang';
    };
    await assert.rejects(bucketStorage(bucket.settings(), stop.signal, patient).get('checkpoint'));
    assert.equal(bucket.asked.length, 1);
  });

  test('one that ignores conditions is refused before anything is published', async (t) => {
    const { storage } = await makeBucket(t, false);
    await assert.rejects(storage.prepare(), faulty('unsupported', /s3:\/\/public-ledger\/a\/b ignores/));
    const honest = await makeBucket(t);
    await honest.storage.prepare();
    await honest.storage.prepare();
    honest.failWrites(501);
    await assert.rejects(honest.storage.prepare(), faulty('unsupported'));
  });

  test('the bucket is in the host or in the path of an address', async (t) => {
    const asked: string[] = [];
    t.mock.method(globalThis, 'fetch', async (url: URL) => {
      asked.push(url.href);
      return new Response('', { status: 404 });
    });
    const settings = {
      ...{ bucket: 'logs', prefix: 'p', endpoint: undefined, region: 'eu-west-2', pathStyle: false },
      credentials: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' },
    };
    await bucketStorage(settings, signal).get('checkpoint');
    await bucketStorage(
      { ...settings, prefix: '', endpoint: 'https://s3.example:9000', pathStyle: true },
      signal,
    ).get('key');
    await bucketStorage({ ...settings, endpoint: 'https://s3.example' }, signal).get('key');
    assert.deepEqual(asked, [
      'https://logs.s3.eu-west-2.amazonaws.com/p/checkpoint',
      'https://s3.example:9000/logs/key',
      'https://logs.s3.example/p/key',
    ]);
  });
});
