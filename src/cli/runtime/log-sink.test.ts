import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { logSink } from './log-sink.ts';

const lines = Array.from({ length: 5_000 }, (_, n) => `{"n":${n},"msg":"${'雨 '.repeat(n % 40)}"}\n`);
lines.splice(2_500, 0, `{"msg":"${'é'.repeat(100_000)}"}\n`);

test('every line is written whole, in order and without a flush', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const descriptor = openSync(join(folder, 'log'), 'w');
  const sink = logSink(descriptor);
  for (const line of lines) sink.write(line);
  const written = () => readFileSync(join(folder, 'log'), 'utf8');
  for (let tries = 0; written().length < lines.join('').length && tries < 100; tries += 1) await delay(50);
  assert.ok(written() === lines.join(''));
  closeSync(descriptor);
});

test('buffered lines are written when the process exits', () => {
  const program = `
    import { logSink } from ${JSON.stringify(new URL('./log-sink.ts', import.meta.url).href)};
    const sink = logSink();
    for (let n = 0; n < 2000; n += 1) sink.write(n + '\\n');
    process.exit(0);
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  assert.deepEqual(
    stdout.trim().split('\n'),
    Array.from({ length: 2_000 }, (_, n) => `${n}`),
  );
});
