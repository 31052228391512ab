import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { readConfig } from '../src/config.ts';
import { envExample } from './env-example.ts';

const path = join(import.meta.dirname, '../.env.example');

test('.env.example lists the settings as they are', () => {
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(path, envExample());
  assert.equal(
    readFileSync(path, 'utf8'),
    envExample(),
    `.env.example is not what src/config.ts says. Run
      UPDATE_SNAPSHOTS=1 npm test -- scripts/env-example.test.ts`,
  );
});

test('without its comment marks it sets what holds with nothing set', () => {
  const file = readFileSync(path, 'utf8');
  assert.deepEqual(parseEnv(file), {});
  const set = parseEnv(file.replaceAll(/^# (?=[A-Z_]+=)/gm, ''));
  assert.equal(set.PORT, '3000');
  assert.deepEqual(readConfig(set), readConfig({}));
});
