import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const module = new URL('./ledger-key.ts', import.meta.url).href;
const script = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.module).then(({ ledgerKey }) => {
    parentPort.once('message', () =>
      parentPort.postMessage(ledgerKey({ DATA_DIR: workerData.folder }).export({ type: 'pkcs8', format: 'pem' })));
    parentPort.postMessage('ready');
  });
`;

test('services that start together all get the one key, which nobody else may read', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const workers = Array.from(
    { length: 6 },
    () => new Worker(script, { eval: true, workerData: { module, folder } }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const keys = workers.map((worker) => once(worker, 'message'));
  for (const worker of workers) worker.postMessage('go');
  const [first, ...others] = (await Promise.all(keys)).map(([key]) => key as string);
  assert.match(first ?? '', /PRIVATE KEY/);
  for (const other of others) assert.equal(other, first);
  assert.deepEqual(readdirSync(folder), ['ledger.key']);
  assert.equal(statSync(join(folder, 'ledger.key')).mode & 0o777, 0o600);
});
