// A folder of a city that came from a stranger, given to the commands: no variable of the environment leaves the machine.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { cityDir } from '../../src/registry/city-dir.ts';
import { KEY_NAME_RULE } from '../../src/sources/core/feed-keys.ts';
import { run, runHere } from '../support/services/processes.ts';

const SECRET = 's3cret-of-the-operator';
const root = mkdtempSync(join(tmpdir(), 'pocketwatch-keys-'));
after(() => rmSync(root, { recursive: true }));

/** Connections and what came over them, whatever the protocol. */
const heard: string[] = [];
const server = createServer(({ headers }, response) => {
  heard.push(JSON.stringify(headers));
  response.writeHead(200, { 'content-type': 'application/json' }).end('[{"place": "gate", "people": 7}]');
});
server.on('connection', () => void heard.push('connection'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
beforeEach(() => void heard.splice(0));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The template with one more feed. */
function cityWith(changes: object): string {
  const dir = mkdtempSync(join(root, 'city-'));
  cpSync(cityDir('template'), dir, { recursive: true });
  const feed = {
    id: 'counters',
    title: 'Counters',
    adapter: 'generic-json',
    every_seconds: 60,
    allow_private: true,
    reach_m: 500,
    fields: { people: { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } },
    settings: { url: `http://${host}/rows`, place: 'place', fields: { people: 'people' } },
    ...changes,
  };
  writeFileSync(join(dir, 'sources.json'), JSON.stringify({ sources: [feed] }));
  return dir;
}
const topics = [{ topic: 'city/+place', fields: { people: 'people' } }];
const broker = (password_env: string) => ({
  adapter: 'mqtt',
  settings: { url: `mqtt://${host}`, password_env, topics },
});

const entry = 'sources.json: entry 1 (counters): ';
const environment = { LEDGER_KEY: SECRET, LTA_ACCOUNT_KEY: SECRET, OPENAQ_KEY: SECRET };

test('a file that names any other variable is refused with what to write instead', async (t) => {
  const table: [feed: object, line: string][] = [
    ...['LEDGER_KEY', 'PATH', 'FEED_KEY_A_HOSTS', 'feed_key_a'].map((env): [object, string] => [
      { key: { env, header: 'x-key' } },
      `key.env must be ${KEY_NAME_RULE}`,
    ]),
    [
      { key: { env: 'OPENAQ_KEY', header: 'x-key' } },
      'key.env: OPENAQ_KEY is no longer read: rename it to FEED_KEY_OPENAQ',
    ],
    [broker('LEDGER_KEY'), `settings.password_env: it must be ${KEY_NAME_RULE}`],
    [
      broker('BROKER_PASSWORD'),
      'settings.password_env: BROKER_PASSWORD is no longer read: rename it to FEED_KEY_BROKER_PASSWORD',
    ],
    [{ key: { env: 'FEED_KEY_A' } }, 'key must be an object with env and either header or query'],
    [
      { key: { env: 'FEED_KEY_A', header: 'a', query: 'b' } },
      'key must be an object with env and either header or query',
    ],
  ];
  for (const row of table) {
    const [changes, line] = row;
    const dir = cityWith(changes);
    // The first as processes: the others take the same way, and a process takes far longer.
    const runIt = row === table[0] ? run : runHere.bind(undefined, t);
    const checked = await runIt(['city', 'check', dir], environment);
    assert.equal(checked.status, 1, line);
    assert.ok(checked.stderr.includes(entry + line), `${line}\n${checked.stderr}`);
    const asked = await runIt(['feeds', 'check', '--city', dir], environment);
    assert.equal(asked.status, 1, line);
    assert.deepEqual(heard, [], line);
    assert.doesNotMatch(JSON.stringify([checked, asked]), /s3cret/);
  }
});

test('a key goes to the host that its operator names, and to no other', async (t) => {
  for (const feed of [{ key: { env: 'FEED_KEY_A', query: 'k' } }, broker('FEED_KEY_A')]) {
    const dir = cityWith(feed);
    const unnamed = { FEED_KEY_A: SECRET, FEED_KEY_B_HOSTS: host };
    const line = `its key may not be sent to that host: set FEED_KEY_A_HOSTS=${host}`;
    const checked = await runHere(t, ['city', 'check', dir], unnamed);
    assert.equal(checked.status, 0);
    assert.ok(checked.stdout.includes(`\ncounters: ${line}\n`), checked.stdout);
    const asked = await runHere(t, ['feeds', 'check', '--city', dir], unnamed);
    assert.equal(asked.status, 1);
    assert.ok(asked.stdout.includes(`wrong     ${line}\n`), asked.stdout);
    assert.deepEqual(heard, []);
    assert.doesNotMatch(JSON.stringify([checked, asked]), /s3cret/);
  }
  const dir = cityWith({ key: { env: 'FEED_KEY_A', header: 'x-key' } });
  const given = { FEED_KEY_A: SECRET, FEED_KEY_A_HOSTS: `town.example, ${host}` };
  const { stdout, stderr } = await run(['feeds', 'check', '--city', dir], given);
  assert.match(heard.join(), /"x-key":"s3cret-of-the-operator"/);
  assert.doesNotMatch(stdout + stderr, /s3cret/);
  assert.doesNotMatch((await runHere(t, ['city', 'check', dir], given)).stdout, /^counters: its key/m);
});

test('a key that is set under its old name alone is told, though the feed does without it', async () => {
  const dir = mkdtempSync(join(root, 'city-'));
  cpSync(cityDir('singapore-live'), dir, { recursive: true });
  const file = join(dir, 'city.json');
  const { extends: _, ...city } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...city, extends: cityDir('singapore') }));
  const { status, stdout } = await run(['city', 'check', dir], {
    DATA_GOV_SG_KEY: SECRET,
    LTA_ACCOUNT_KEY: '',
  });
  assert.equal(status, 0);
  assert.match(stdout, /: DATA_GOV_SG_KEY is no longer read: rename it to FEED_KEY_DATA_GOV_SG$/m);
  assert.match(stdout, /: its key FEED_KEY_LTA is not set$/m);
});
