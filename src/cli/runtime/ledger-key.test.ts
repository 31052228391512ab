import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../config.ts';
import { ledgerKey } from './ledger-key.ts';

/** Reads the key of each folder as soon as its file exists, and reports how many of them were not complete. */
const reader = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('ready');
  let incomplete = 0;
  for (const folder of workerData.folders) {
    for (;;) {
      try {
        if (!readFileSync(folder + '/ledger.key', 'utf8').endsWith('-----\\n')) incomplete += 1;
        break;
      } catch {}
    }
  }
  parentPort.postMessage(incomplete);
`;

test('a process that starts at the same time never reads a part of the key', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'pocketwatch-key-'));
  t.after(() => rmSync(root, { recursive: true }));
  const folders = Array.from({ length: 400 }, (_, i) => join(root, String(i)));
  for (const folder of folders) mkdirSync(folder);
  const worker = new Worker(reader, { eval: true, workerData: { folders } });
  await once(worker, 'message');
  const incomplete = once(worker, 'message');
  for (const folder of folders) ledgerKey(readConfig({ DATA_DIR: folder }));
  assert.deepEqual(await incomplete, [0]);
});

test('the key is created once, readable by its owner alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const config = readConfig({ DATA_DIR: folder });
  assert.ok(ledgerKey(config).equals(ledgerKey(config)));
  assert.deepEqual(readdirSync(folder), ['ledger.key']);
  assert.equal(statSync(join(folder, 'ledger.key')).mode & 0o777, 0o600);
});
