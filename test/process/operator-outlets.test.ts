// Commands for outlets and takedowns, while a service runs on the same store; usage errors and help of all commands.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../src/cli/runtime/command.ts';
import { TAKEDOWN_SLA } from '../../src/domain/city/takedown.ts';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { operations } from '../../src/operations/all.ts';
import { latestTakedown, openTakedowns } from '../../src/store/merchant/takedowns.ts';
import { smallRegistry } from '../support/pipeline/small-registry.ts';
import { ask } from '../support/services/http-client.ts';
import {
  addOutletArguments,
  commands,
  countOperatorRows,
  eventually,
  KNOWN_OUTLET,
  operatorSetup,
} from '../support/services/operator-commands.ts';
import { listen, readiness, runHere } from '../support/services/processes.ts';
import { describeStores } from '../support/stores/store-places.ts';

const isUsageError = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UsageError, String(error));
  assert.match(error.message, message);
  assert.ok(!error.message.includes('\n'));
  return true;
};

describeStores('operator commands', (makePlace, engine) => {
  test('a running service sees within seconds', async (t) => {
    const { environment, command, here, store } = await operatorSetup(t, makePlace);
    const { url } = await listen(t, { ...environment, PIPELINE: 'off' });

    await t.test('added, changed and deactivated outlets', async () => {
      const known = async (id: string) =>
        (await ask(`${url}/api/resonance?pocket=holland&outlet=${id}`)).status === 200;

      const { status, stdout, stderr } = await command([...addOutletArguments(), '--overnight']);
      assert.deepEqual([status, stderr], [0, 'added Ferry Bell in holland\n']);
      const id = stdout.trim();
      assert.match(id, /^[0-9a-f-]{36}$/);
      await eventually(() => known(id));

      const own = randomUUID();
      const second = await command([
        ...addOutletArguments({ name: 'Second Bell', id: own.toUpperCase(), closes: '23:00' }),
        '--json',
      ]);
      assert.deepEqual(JSON.parse(second.stdout), {
        action: 'add',
        outlet: {
          id: own,
          name: 'Second Bell',
          pocket_id: 'holland',
          unit: '#01-01',
          opens_at: '17:00',
          closes_at: '23:00',
          category: 'bar',
          active: true,
          seats: 20,
          typical_spend: 18.5,
          margin: 0.6,
        },
      });
      await eventually(() => known(own));

      const name = ['outlet', 'update', id, '--name', '渡轮铃', '--seats', '24', '--margin', '0.6'];
      assert.equal(await here(name), '渡轮铃: changed name, seats\n');
      assert.equal(await here(name), '渡轮铃: nothing changed: the values are the same\n');
      const gone = await command(['outlet', 'deactivate', id]);
      assert.deepEqual([gone.status, gone.stderr], [0, '渡轮铃 is inactive now\n']);
      await eventually(async () => !(await known(id)));
      assert.equal(await here(['outlet', 'deactivate', id]), '渡轮铃 was already inactive\n');
      assert.equal(await here(['outlet', 'update', id, '--reactivate']), '渡轮铃: changed active\n');
      await eventually(() => known(id));

      const listed = await command(['outlet', 'list', '--pocket', 'holland', '--json']);
      const names = (JSON.parse(listed.stdout) as { name: string }[]).map((outlet) => outlet.name);
      assert.deepEqual([names[0], ...names.slice(-2)], ['Kettle and Slate', '渡轮铃', 'Second Bell']);
    });

    await t.test('a takedown, after which an outlet cannot be reactivated', async () => {
      const known = async () =>
        (await ask(`${url}/api/resonance?pocket=holland&outlet=${KNOWN_OUTLET}`)).status === 200;
      const listed = async () => (await ask(`${url}/outlets`)).text.includes(KNOWN_OUTLET);
      const mapped = async () => (await ask(`${url}/sitemap.xml`)).text.includes(KNOWN_OUTLET);
      assert.deepEqual([await known(), await listed(), await mapped()], [true, true, true]);
      const before = Date.now();
      const added = await command(['takedown', 'add', KNOWN_OUTLET]);
      assert.match(
        added.stderr,
        /^takedown 1: Kettle and Slate is inactive now; the rest is due 20.* SGT\n$/,
      );
      await eventually(async () => !(await known()) && !(await listed()) && !(await mapped()));
      const [open, ...others] = await openTakedowns(store, Date.now());
      assert.deepEqual([open?.id, open?.outlet_id, others.length], [1, KNOWN_OUTLET, 0]);
      assert.ok(Number(open?.due_at) >= before + TAKEDOWN_SLA && !open?.overdue);
      const { stdout } = await command(['takedown', 'list']);
      assert.match(stdout, /^id .*\n1 .*Kettle and Slate .* open\n$/);

      const again = ['takedown', 'add', KNOWN_OUTLET];
      const reactivate = ['outlet', 'update', KNOWN_OUTLET, '--reactivate'];
      await assert.rejects(here(again), isUsageError(/^takedown 1 of that outlet is already open, due /));
      await assert.rejects(here(reactivate), isUsageError(/asked to be removed \(takedown 1\)/));
      assert.equal(await here(['takedown', 'resolve', '1']), 'takedown 1: removed\n');
      await assert.rejects(
        here(['takedown', 'resolve', '1']),
        isUsageError(/was already resolved: removed$/),
      );
      await assert.rejects(here(again), isUsageError(/^that outlet was already removed \(takedown 1\)$/));
      await assert.rejects(here(reactivate), isUsageError(/asked to be removed \(takedown 1\)/));

      // Another request is overdue, and is withdrawn.
      const other = 'efd2b268-2405-4538-854b-c01256848b98';
      const received = iso(Date.now() - 80 * HOUR);
      await here(['takedown', 'add', other, '--received', received]);
      const [late] = await openTakedowns(store, Date.now());
      assert.deepEqual([late?.due_at, late?.overdue], [Date.parse(received) + TAKEDOWN_SLA, true]);
      assert.match(
        await here(['takedown', 'resolve', '2', '--withdrawn']),
        /^takedown 2: withdrawn, after it was due at /,
      );
      assert.equal((await latestTakedown(store, other))?.outcome, 'withdrawn');
      assert.match(await here(['outlet', 'update', other, '--reactivate']), /changed active\n$/);
    });
  });

  test('commands get the lock while the service writes history', async (t) => {
    const { place, environment, command, store } = await operatorSetup(t, makePlace);
    // Of one pocket: a transaction writes a day, and on a machine that does other things that of a city may take longer
    // than a command waits for the lock.
    const CITY_DIR = smallRegistry(join(place.dataDir, 'one pocket'), ['holland']);
    const service = await listen(t, { ...environment, CITY_DIR, HISTORY_DAYS: '2' });
    await eventually(async () => (await readiness(service.url)).history.total > 0, 30_000);
    for (let n = 0; n < 4; n += 1) {
      const { status, stderr } = await command(addOutletArguments({ closes: '23:00', name: `Bell ${n}` }));
      assert.equal(status, 0, stderr);
    }
    const row = await store.get<{ n: number }>('select count(*) as n from outlet_changes');
    assert.equal(row?.n, 4);
    assert.equal(service.child.exitCode, null, service.output.stderr);
  });

  // What is refused is refused before the store is asked, which reads the same rows on both engines.
  if (engine === 'postgres') return;

  test('bad input ends with status 2 and one line, and writes nothing', async (t) => {
    const { store, command } = await operatorSetup(t, makePlace);
    const before = await countOperatorRows(store);
    const table: [args: string[], message: string][] = [
      [addOutletArguments({ pocket: 'harbour' }), 'unknown pocket: harbour'],
      [
        addOutletArguments(),
        'it closes at 01:00, before it opens at 17:00: add --overnight if that is past midnight',
      ],
      [['sense', 'import', '-'], 'row 3: unknown pocket: x'],
    ];
    for (const [args, message] of table) {
      const input = 'pocket,word,at\nholland,calm,00:00\nx,calm,00:00\n';
      // A command with input runs as a process.
      const { status, stdout, stderr } = await command(args, args.includes('-') ? input : '');
      assert.deepEqual([status, stdout, stderr], [2, '', `pocketwatch: ${message}\n`]);
    }
    assert.deepEqual(await countOperatorRows(store), before);
  });

  test('every usage error names its cause, and writes nothing', async (t) => {
    const { store, here } = await operatorSetup(t, makePlace);
    const before = await countOperatorRows(store);
    const folder = await mkdtemp(join(tmpdir(), 'pocketwatch-sheets-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = async (content: string | Buffer) => {
      const path = join(folder, randomUUID());
      await writeFile(path, content);
      return path;
    };
    const unknown = randomUUID();
    const calm = ['sense', 'record', '--pocket', 'holland', '--word', 'calm'];
    const judged = ['review', 'resolve', 'x', '--verdict'];
    const table: [args: string[], message: RegExp][] = [
      [addOutletArguments({ closes: '17:00' }), /^it closes at 17:00, when it opens: the two must differ$/],
      [
        [...addOutletArguments({ closes: '18:00' }), '--overnight'],
        /--overnight is for a place that closes past midnight$/,
      ],
      [addOutletArguments({ opens: '25:00' }), /^--opens must be HH:MM$/],
      [addOutletArguments({ category: 'pub' }), /^--category must be one of /],
      [addOutletArguments({ margin: '1.2' }), /^--margin must be a number, 0 to 1$/],
      [addOutletArguments({ closes: '23:00', name: 'a\u202Eb' }), /^--name must be plain text/],
      [addOutletArguments({ closes: '23:00', name: 'x'.repeat(81) }), /^--name must be plain text/],
      [
        addOutletArguments({ closes: '23:00', id: KNOWN_OUTLET }),
        new RegExp(`^outlet ${KNOWN_OUTLET} already exists$`),
      ],
      [
        addOutletArguments({ closes: '23:00', name: 'Kettle and Slate' }),
        /^that pocket already has an outlet of that name/,
      ],
      [['outlet', 'add', '--name', 'x'], /^--pocket, --unit, .* must be given$/],
      [['outlet', 'update', unknown, '--name', 'x'], /^unknown outlet: /],
      [['outlet', 'update', KNOWN_OUTLET], /^give at least one option that changes something$/],
      [
        ['outlet', 'update', KNOWN_OUTLET, '--opens', '22:00'],
        /^it closes at 21:30, before it opens at 22:00: add/,
      ],
      [['outlet', 'update', KNOWN_OUTLET, '--pocket', 'siglap'], /^Unknown option '--pocket'/],
      [['outlet', 'deactivate', 'x'], /^unknown outlet: x$/],
      [['outlet', 'list', '--pocket', 'harbour'], /^unknown pocket: harbour$/],
      [['brief', 'list', '--pocket', 'harbour'], /^unknown pocket: harbour$/],
      [['brief', 'accept', 'x'], /^x: there is no such brief$/],
      [['sense', 'record', '--pocket', 'harbour', '--word', 'calm'], /^unknown pocket: harbour$/],
      [['sense', 'record', '--pocket', 'holland', '--word', 'mad'], /^word must be one of calm, /],
      [['sense', 'record', '--pocket', 'holland'], /^--word must be given$/],
      [[...calm, '--at', iso(Date.now() + HOUR)], /^time must not be in the future$/],
      [['sense', 'import', await file('')], /^the file is empty$/],
      [
        ['sense', 'import', await file('x'.repeat(1024 * 1024 + 1))],
        /^the file is larger than 1 MiB: split it$/,
      ],
      [['sense', 'import', await file(Buffer.from([0xff, 0xfe]))], /^the file is not UTF-8$/],
      [['sense', 'import', join(folder, 'none')], /none cannot be read: ENOENT/],
      [['takedown', 'add', unknown], /^unknown outlet: /],
      [
        ['takedown', 'add', KNOWN_OUTLET, '--received', iso(Date.now() + HOUR)],
        /^--received must not be in the future$/,
      ],
      [['takedown', 'add', KNOWN_OUTLET, '--received', 'today'], /^--received must be HH:MM or /],
      [['takedown', 'resolve', '7'], /^unknown takedown: 7$/],
      [['takedown', 'resolve', 'x'], /^unknown takedown: x$/],
      [[...judged, 'upheld'], /^no open review has that id: x$/],
      [[...judged, 'fine'], /^--verdict must be one of upheld, overturned$/],
      [[...judged, 'upheld', '--note', 'x'.repeat(281)], /^--note must have at most 280/],
      [[...judged, 'upheld', '--note', 'a\u200Bb'], /^--note must not hold control/],
      [['review', 'list', '--limit', '0'], /^--limit must be an integer 1-1000$/],
    ];
    for (const [args, message] of table) await assert.rejects(here(args), isUsageError(message));
    assert.deepEqual(await countOperatorRows(store), before);
  });
});

test('without a datastore every command says so', async (t) => {
  const { status, stderr } = await runHere(t, ['outlet', 'list'], { DATABASE_URL: 'none' });
  assert.deepEqual([status, stderr], [1, 'pocketwatch: datastore not configured: DATABASE_URL is none\n']);
  const { DATABASE_URL } = process.env;
  t.after(() => Object.assign(process.env, { DATABASE_URL: DATABASE_URL ?? '' }));
  process.env.DATABASE_URL = 'none';
  for (const [name, ...args] of [
    addOutletArguments({ closes: '23:00' }),
    ['brief', 'list'],
    ['sense', 'record', '--pocket', 'holland', '--word', 'calm'],
    ['takedown', 'list'],
    ['review', 'list'],
  ]) {
    await assert.rejects(commands[name as keyof typeof commands].run(args), /datastore not configured/);
  }
});

test('the help of every command lists its actions and options, in 120 columns', async (t) => {
  const actions: Record<keyof typeof commands, string[]> = {
    outlet: ['add', 'update', 'deactivate', 'list'],
    brief: ['list', 'accept', 'decline'],
    sense: ['record', 'import'],
    takedown: ['add', 'list', 'resolve'],
    review: ['list', 'resolve'],
    key: ['show', 'rotate'],
  };
  for (const [name, { usage }] of Object.entries(commands)) {
    for (const action of actions[name as keyof typeof commands])
      assert.match(usage, new RegExp(`^pocketwatch ${name} ${action} .*`, 'm'));
    assert.match(usage, /--json/);
    for (const line of usage.split('\n')) assert.ok(line.length <= 120, line);
  }
  const { status, stdout } = await runHere(t, ['takedown', 'add', '--help']);
  assert.deepEqual([status, stdout], [0, `${commands.takedown.usage}\n`]);
});

test('only commands can write what operators write', () => {
  const root = join(import.meta.dirname, '../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ts$/.test(file));
  const own = files.filter((file) => /operator-lock\.ts'/.test(readFileSync(join(root, file), 'utf8')));
  assert.ok(own.length > 0);
  for (const file of own) assert.match(file, /^cli\/|\.test\.ts$/);
  const writing = operations.filter(({ effect }) => effect === 'append').map(({ name }) => name);
  assert.deepEqual(writing, ['submit_benchmark_predictions']);
});
