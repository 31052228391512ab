// Every measurement of `npm run bench` once, at its smallest size: that it works, not what it finds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { measurements } from '../../bench/measurements/all.ts';
import { type Measurement, runMeasurements } from '../../bench/run.ts';
import { withTable } from '../../bench/tables.ts';
import { type Engine, noPostgres, postgresUrl } from '../support/stores/store-places.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
const table = [
  ['what', 'value'],
  ['a read', '1 ms'],
];

const bothEngines: readonly Engine[] = postgresUrl() ? ['sqlite', 'postgres'] : ['sqlite'];

async function runSmallest(
  list: readonly Measurement[],
  { engines = bothEngines, signal = new AbortController().signal } = {},
) {
  const tables = new Map<string, string[][]>();
  const failures = await runMeasurements(list, {
    size: 'smallest',
    workers: 2,
    engines,
    withoutPostgres: noPostgres,
    signal,
    say: () => undefined,
    onTable: (name, found) => tables.set(name, found),
  });
  return { tables, failures };
}

/**
 * Those that ask or fill a database themselves, and start no process of the service: they run on both engines. The others
 * put load on a service whatever its store is, which starts anew for each engine: here on one.
 */
const ofStores = ['backfill', 'reads', 'cluster', 'size'];

test('every measurement runs, and finds figures', async (t) => {
  let from = performance.now();
  const timed = measurements.map((measurement) => ({
    ...measurement,
    measure: async (bench: Parameters<Measurement['measure']>[0]) => {
      from = performance.now();
      const found = await measurement.measure(bench);
      t.diagnostic(`${measurement.name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
      return found;
    },
  }));
  const isOfStores = ({ name }: Measurement) => ofStores.includes(name);
  const found = [
    await runSmallest(timed.filter(isOfStores)),
    await runSmallest(
      timed.filter((one) => !isOfStores(one)),
      { engines: ['sqlite'] },
    ),
  ];
  const tables = new Map(found.flatMap((one) => [...one.tables]));
  assert.deepEqual(
    found.flatMap(({ failures }) => failures),
    [],
  );
  assert.deepEqual([...tables.keys()].toSorted(), measurements.map(({ name }) => name).toSorted());
  for (const [name, [head = [], ...rows]] of tables) {
    assert.ok(rows.length > 0, name);
    for (const row of rows) {
      assert.equal(row.length, head.length, `${name}: ${row}`);
      assert.doesNotMatch(row.join(' | '), /NaN|undefined|Infinity/, name);
    }
  }
});

test('one that fails stops no other, and what others found is kept', async () => {
  const cleanedUp: string[] = [];
  const measurement = (name: string, measure: Measurement['measure']): Measurement => ({
    name,
    about: '',
    measure: (bench) => {
      bench.defer(() => cleanedUp.push(name));
      return measure(bench);
    },
  });
  const broken = new Error('no such column');
  const { tables, failures } = await runSmallest([
    measurement('first', async () => table),
    measurement('broken', () => Promise.reject(broken)),
    measurement('last', async () => table),
  ]);
  assert.deepEqual([...tables.keys()], ['first', 'last']);
  assert.deepEqual(failures, [{ name: 'broken', error: broken }]);
  assert.deepEqual(cleanedUp, ['first', 'broken', 'last']);
});

test('a bench that is stopped ends what is under way, begins nothing and calls it no failure', async () => {
  const stop = new AbortController();
  const endless: Measurement = {
    name: 'endless',
    about: '',
    measure: () => {
      stop.abort();
      return new Promise(() => undefined);
    },
  };
  const { tables, failures } = await runSmallest([endless, { ...endless, name: 'next' }], {
    signal: stop.signal,
  });
  assert.deepEqual([...tables.keys()], []);
  assert.deepEqual(failures, []);
});

test('every measurement has its place in docs/performance.md, which its table replaces and nothing else', () => {
  const now = new Date('2026-11-17T12:00:00Z');
  for (const { name } of measurements) {
    const written = withTable(page, name, table, now);
    const [, between = ''] = written.split(new RegExp(`<!-- ${name}:(?:begin|end) -->\n`));
    assert.match(
      between,
      /^Written by `npm run bench -- --write` on 2026-11-17 \(.*\)\.\n\n\| what \| value \|\n/,
    );
    assert.match(between, /\| --- \| --- \|\n\| a read \| 1 ms \|\n$/);
    const around = (text: string) =>
      text.replace(new RegExp(`(${name}:begin -->)[^]*(<!-- ${name}:end)`), '$1$2');
    assert.equal(around(written), around(page));
  }
  const marks = [...page.matchAll(/<!-- ([\w-]+):begin -->/g)].map(([, name]) => name);
  assert.deepEqual(marks.toSorted(), measurements.map(({ name }) => name).toSorted());
  assert.throws(() => withTable(page, 'nothing', table, now), /no marks/);
});

async function runCommand(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['bench/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, stdout, stderr };
}

test('the command says what there is to measure, and writes no table of a short run', async () => {
  const [{ status, stdout }, refused] = await Promise.all([
    runCommand(['--help']),
    runCommand(['--smallest', '--write']),
  ]);
  assert.equal(status, 0);
  for (const { name, about } of measurements) assert.match(stdout, new RegExp(`^  ${name} +${about}$`, 'm'));
  assert.deepEqual(refused, { status: 2, stdout: '', stderr: stdout });
});

test('the command ends with 1 and the reason when a measurement failed', async () => {
  const nowhere = join(root, 'no-such-folder');
  const { status, stderr } = await runCommand(['--smallest', '--only', 'proofs'], {
    ...{ TEST_TEMPLATES: nowhere, TEST_POSTGRES: 'none', TEST_DATABASE_URL: '' },
  });
  assert.equal(status, 1);
  assert.match(stderr, /^proofs failed: Error: ENOENT.*no-such-folder/m);
});
