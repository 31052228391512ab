// The commands as real processes, with real signals.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { commands } from '../../src/cli/command-line.ts';
import { buildId, packageVersion } from '../../src/cli/runtime/build-id.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { beginShortHistory } from '../support/pipeline/short-history.ts';
import { eventually } from '../support/services/operator-commands.ts';
import { run, runHere, serve, serviceEnvironment } from '../support/services/processes.ts';
import { callTool } from '../support/services/service.ts';
import { openStores } from '../support/stores/open-stores.ts';
import { describeStores, type Engine } from '../support/stores/store-places.ts';

/** A service on a busy machine; one whose history is written starts in a second or two. */
const START_MS = 60_000;

/** Sends all of a request but its last byte. */
async function beginRequest(url: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /api/mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, -1));
  // When this request is answered, the bytes sent before it have arrived.
  await fetch(`${url}/api/health`);
  return {
    finish: async () => {
      socket.write(body.slice(-1));
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    },
  };
}

describe('help and usage errors', () => {
  test('every command has --help', async () => {
    const overview = await run(['--help']);
    assert.equal(overview.status, 0);
    const names = [...overview.stdout.matchAll(/^ {2}pocketwatch (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(names, [
      ...['serve', 'mcp', 'backfill', 'tick', 'migrate', 'maintain', 'verify', 'key', 'backup', 'restore'],
      ...['archive', 'replay', 'city', 'feeds', 'outlet', 'brief', 'sense', 'takedown', 'review'],
    ]);
    for (const [name, { load }] of Object.entries(commands))
      assert.match((await load()).usage, new RegExp(`^pocketwatch ${name}`));
    const help = await run(['tick', '--help']);
    assert.deepEqual([help.status, help.stdout], [0, `${(await commands.tick?.load())?.usage}\n`]);
  });

  test('--version is that of package.json', async (t) => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    for (const name of ['--version', '-v', 'version'])
      assert.deepEqual(await runHere(t, [name]), { status: 0, stdout: `${version}\n`, stderr: '' });
    assert.match(buildId(), new RegExp(`^${RegExp.escape(version)}(\\+[0-9a-f]{12})?$`));
  });

  test('a usage error is one line and status 2, a bad setting status 1', async (t) => {
    const table: [args: string[], environment: Record<string, string>, status: number, line: RegExp][] = [
      [['sevre'], {}, 2, /^pocketwatch: unknown command: sevre\n/],
      [['tick', '--jsno'], {}, 2, /^pocketwatch: Unknown option '--jsno'/],
      [['backfill', '--days', 'many'], {}, 2, /^pocketwatch: --days must be an integer 1-366\n$/],
      [
        ['feeds', 'fetch'],
        {},
        2,
        /^pocketwatch: unknown action: fetch; pocketwatch feeds does one of check\n$/,
      ],
      [
        ['feeds', 'check', '--city', '/nonexistent'],
        {},
        2,
        /^pocketwatch: --city must be the folder of a city/,
      ],
      [['serve'], { PORT: 'http' }, 1, /^pocketwatch: PORT must be an integer 0-65535 \(it is 'http'\)\n$/],
      [['serve'], { CITY_DIR: '/nonexistent' }, 1, /^pocketwatch: .*city\.json/],
      [
        ['serve'],
        { CITY: '../x' },
        1,
        /^pocketwatch: there is no city of that name: CITY is one of .*singapore/,
      ],
      [['tick'], { DATABASE_URL: 'none' }, 1, /^pocketwatch: datastore not configured/],
      [
        ['migrate'],
        { DATABASE_URL: 'postgres://x@127.0.0.1:9/x' },
        1,
        /^pocketwatch: datastore unavailable: .*check DATABASE_URL\n$/,
      ],
      [
        ['backup', join(tmpdir(), 'never-written')],
        { DATABASE_URL: 'postgres://x@127.0.0.1:9/x' },
        1,
        /^pocketwatch: datastore unavailable: .*check DATABASE_URL\n$/,
      ],
      [['backup', '/nonexistent/x'], {}, 2, /^pocketwatch: the folder \/nonexistent does not exist\n$/],
      [['restore'], {}, 2, /^pocketwatch: give FILE\n$/],
      [['city', 'check', '/nonexistent'], {}, 1, /^pocketwatch: city\.json is missing from \/nonexistent\n$/],
      [
        ['city', 'new', '/nonexistent'],
        {},
        2,
        /^pocketwatch: --name, --time-zone and at least one --pocket must/,
      ],
    ];
    // One of each status as a process: the others take the same way, and a process takes far longer.
    const asProcess = [table[0], table.find(([, { PORT }]) => PORT)];
    for (const row of table) {
      const [args, environment, status, line] = row;
      const result = await (asProcess.includes(row) ? run(args, environment) : runHere(t, args, environment));
      assert.equal(result.status, status, args.join(' '));
      assert.match(result.stderr, line);
      assert.doesNotMatch(result.stderr, /\n {4}at /);
    }
  });
});

describe('a service without a datastore', () => {
  let url: string;
  let end: () => unknown;
  before(async () => {
    const setEnd = ((kill: () => unknown) => {
      end = kill;
    }) as TestContext['after'];
    ({ url } = await serve({ after: setEnd }, { DATABASE_URL: 'none' }));
  });
  after(() => end());

  test('the registry still answers', async () => {
    const pockets = await callTool(url, 'list_pockets');
    assert.equal((pockets.structuredContent as { pockets: string[] }).pockets.length, 18);
    const refused = await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'holland' });
    assert.equal(refused.isError, true);
    assert.equal(refused.content[0]?.text, 'error: datastore not configured');
  });

  test('its port is in use for another, which says so', async () => {
    const { status, stderr } = await run(['serve'], { DATABASE_URL: 'none', PORT: new URL(url).port });
    assert.equal(status, 1);
    assert.match(stderr, /another process is listening there; set PORT to another port/);
  });
});

/** As a process on one engine: on the other only what the store does can differ, and a process takes far longer. */
const runOn = (t: TestContext, engine: Engine): typeof run =>
  engine === 'sqlite' ? run : (args, environment) => runHere(t, args, environment);

describeStores('a data folder that cannot be written', (makePlace, engine) => {
  test('stops the start in one line', { skip: process.platform !== 'linux' }, async (t) => {
    const place = await makePlace('empty');
    t.after(() => place.remove());
    const file = join(place.dataDir, 'file');
    writeFileSync(file, '');
    const folders = ['/proc/pocketwatch', '/proc/pocketwatch/data', file, join(file, 'data')];
    for (const DATA_DIR of folders) {
      const runIt = DATA_DIR === folders[0] ? runOn(t, engine) : runHere.bind(undefined, t);
      const { status, stderr } = await runIt(['serve'], { ...serviceEnvironment(place), DATA_DIR });
      assert.equal(status, 1, DATA_DIR);
      assert.match(stderr, /^pocketwatch: [^\n]*; DATA_DIR must be a folder that can be written to\n$/);
    }
  });
});

describeStores('a store of another schema', (makePlace, engine) => {
  test('is refused in one line', async (t) => {
    const place = await makePlace('empty');
    const [store] = await openStores(t, async () => place, 1, false);
    assert.ok(store);
    await migrate(store, 0, {
      files: [{ key: '001_other', sql: 'create table other (id integer)', hash: 'x' }],
    });
    for (const command of ['serve', 'tick', 'migrate']) {
      // A server's open connections must not keep the process of a service that has failed.
      const isProcess = command === 'serve' && engine === 'postgres';
      const runIt = isProcess ? run : runHere.bind(undefined, t);
      const { status, stderr } = await runIt([command], serviceEnvironment(place));
      assert.equal(status, 1, command);
      assert.equal(
        stderr,
        `pocketwatch: ${store.location} has a different schema (001_other): ` +
          `no released version made it, so it cannot be upgraded; ${store.startOver}, and start again\n`,
      );
    }
  });
});

describeStores('commands', (makePlace, engine) => {
  test('migrate, backfill and tick do their work once', async (t) => {
    const place = await makePlace('empty');
    t.after(() => place.remove());
    const environment = serviceEnvironment(place);
    const run = runOn(t, engine);
    assert.match((await run(['migrate'], environment)).stderr, /^applied 001_runtime/);
    // The others run here, which is faster: as processes they do the same.
    const here = (...args: string[]) => runHere(t, args, environment);
    assert.equal((await here('migrate')).stderr, 'up to date\n');
    const early = await here('tick', '--json');
    assert.deepEqual([early.status, early.stdout], [0, '']);
    assert.equal(early.stderr, 'the history is not written yet; nothing was run\n');
    await beginShortHistory(place);
    const filled = await here('backfill');
    assert.match(filled.stderr, /^writing the history: 0 of 1 day\n/);
    assert.match(filled.stderr, /\nthe history is complete: 1 day\n$/);
    assert.match((await here('backfill')).stderr, /was already complete; nothing was written\n$/);
    // A quarter hour may begin between the two, so a tick may find one slot to read but never two.
    const { status, stdout } = await here('tick', '--json');
    assert.equal(status, 0);
    const slots = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { job: string; slot: string })
      .filter(({ job }) => job === 'atmosphere');
    assert.ok(slots.length <= 1);
  });

  test('two services that start together write one history, answer, and on SIGTERM finish the requests under way', async (t) => {
    const place = await makePlace();
    t.after(() => place.remove());
    await beginShortHistory(place);
    const services = await Promise.all([
      serve(t, serviceEnvironment(place)),
      serve(t, serviceEnvironment(place)),
    ]);
    const [first, other] = services;
    const isReady = ({ output }: typeof first) => output.stderr.endsWith('\npocketwatch is ready\n');
    await eventually(async () => services.every(isReady), START_MS);
    // One that starts when the history is complete says nothing of it.
    assert.match(first.output.stderr + other.output.stderr, /complete: 1 day\npocketwatch is ready\n/);
    const answers = await Promise.all(
      services.map(({ url }) => callTool(url, 'get_pocket_atmosphere', { pocket_id: 'siglap', hours: 24 })),
    );
    assert.deepEqual(answers[0]?.structuredContent, answers[1]?.structuredContent);
    other.child.kill('SIGTERM');
    assert.deepEqual(await other.closed, [0, null], other.output.stderr);
    assert.match(first.output.stderr, /^http:\/\/localhost:\d+\/ is pocketwatch \(simulated /);
    const { structuredContent } = await callTool(first.url, 'get_pocket_atmosphere', {
      pocket_id: 'holland',
    });
    assert.ok(Number(structuredContent?.reading_count) >= 12);
    const status = await fetch(`${first.url}/api/migration-status`);
    assert.equal(((await status.json()) as { all_applied: boolean }).all_applied, true);

    const heartbeat = await (await fetch(`${first.url}/api/heartbeat`)).json();
    const { checks } = heartbeat as { checks: { name: string; status: string }[] };
    for (const name of ['agent worker', 'stale crons', 'migrations applied'])
      assert.equal(checks.find((check) => check.name === name)?.status, 'green', name);

    const deployed = (await (await fetch(`${first.url}/api/version`)).json()) as {
      version: string;
      deployed_at: string;
    };
    assert.equal(deployed.version, buildId());
    const [start = ''] = first.output.stdout.split('\n');
    assert.deepEqual([JSON.parse(start).version, JSON.parse(start).build], [packageVersion(), buildId()]);

    // A request that has begun when the signal comes is still answered.
    const request = await beginRequest(first.url);
    first.child.kill('SIGTERM');
    await once(first.child.stderr ?? assert.fail(), 'data');
    assert.match(await request.finish(), /^HTTP\/1\.1 200 OK/);
    assert.deepEqual(await first.closed, [0, null]);

    const second = await serve(t, { ...serviceEnvironment(place), PIPELINE: 'off' });
    await eventually(async () => isReady(second), START_MS);
    assert.doesNotMatch(second.output.stderr, /history/);
    assert.match(second.output.stderr, new RegExp(`${engine} store`));
    // The same build on the same store: it was deployed when it first ran, not when it was restarted.
    assert.deepEqual(await (await fetch(`${second.url}/api/version`)).json(), deployed);
    second.child.kill('SIGINT');
    assert.deepEqual(await second.closed, [0, null]);
  });
});
