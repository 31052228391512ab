import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outlet } from '../../domain/city/city.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { outletIn, outletProblem } from '../commands/outlet.ts';
import { readSheet } from '../commands/sense.ts';
import { UsageError } from './command.ts';
import { commandWithActions, readAction, textTable } from './operator.ts';

const city = loadRegistry(cityDir('singapore'));
const now = Date.parse('2026-11-11T12:30:00+08:00');
const isMistake = (message: RegExp) => (error: unknown) =>
  error instanceof UsageError && message.test(error.message) && !error.message.includes('\n');

describe('actions', () => {
  test('are found by their own names only', async () => {
    const done: string[][] = [];
    const { run } = commandWithActions('thing', '', { add: async (args) => void done.push(args) });
    await run(['add', '--x', 'y']);
    assert.deepEqual(done, [['--x', 'y']]);
    for (const action of ['remove', 'constructor', 'a\u202Eb'])
      await assert.rejects(
        run([action]),
        isMistake(/^unknown action: .*; pocketwatch thing does one of add$/),
      );
    await assert.rejects(run([]), isMistake(/^nothing to do; /));
  });

  test('take as many positional arguments as they name', () => {
    const options = { json: { type: 'boolean' } } as const;
    const { values, given } = readAction(['x', '--json'], options, ['AN_ID']);
    assert.deepEqual([given, values.json], [['x'], true]);
    assert.throws(() => readAction([], options, ['AN_ID']), isMistake(/^give AN_ID$/));
    assert.throws(() => readAction(['x', 'y\n'], options, ['AN_ID']), isMistake(/^unexpected argument: y$/));
    assert.throws(() => readAction(['--jsno'], options), isMistake(/^Unknown option '--jsno'/));
    assert.throws(() => readAction(['--json=3'], options), isMistake(/--json/));
  });
});

test('a table keeps its columns whatever a cell contains', () => {
  assert.equal(
    textTable(
      ['id', 'name'],
      [
        ['1', '荷兰村'],
        ['22', 'a\n\u001b[2Jb\u202E'],
        ['3', 'x'.repeat(200)],
      ],
    ),
    `id  name\n1   荷兰村\n22  a[2Jb\n3   ${'x'.repeat(99)}…`,
  );
});

test('faults of an outlet name the options of the command', () => {
  const outlet: Outlet = { ...(city.outlets[0] as Outlet), id: 'b1f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b11' };
  const table: [
    change: Partial<Record<keyof Outlet, unknown>>,
    overnight: boolean,
    problem: RegExp | null,
  ][] = [
    [{}, false, null],
    [{ opens_at: '18:00', closes_at: '02:00' }, true, null],
    [{ pocket_id: 'harbour' }, false, /^unknown pocket: harbour$/],
    [{ closes_at: '07:00' }, false, /^it closes at 07:00, before it opens at 07:30: add --overnight/],
    [{ closes_at: '07:30' }, false, /^it closes at 07:30, when it opens/],
    [{ opens_at: '7:30' }, false, /^--opens must be HH:MM$/],
    [{ category: 'pub' }, false, /^--category must be one of /],
    [
      { margin: 2, seats: 'x' },
      false,
      /^--seats must be a whole number, 0 to 5000; --margin must be a number, 0 to 1$/,
    ],
    [{ typical_spend: -1 }, false, /^--spend must be a number/],
    [{ name: 'a\u200Bb' }, false, /^--name must be plain text of 1-80 characters/],
    [{ unit: '' }, false, /^--unit must be plain text/],
    [{ id: 'mine' }, false, /^--id must be a UUID/],
  ];
  for (const [change, overnight, problem] of table) {
    const found = outletProblem(city, { ...outlet, ...change } as Outlet, overnight);
    if (problem) assert.match(found ?? '', problem);
    else assert.equal(found, undefined);
  }
  assert.equal(outletIn(city, city.outlets[0]?.id.toUpperCase()).name, city.outlets[0]?.name);
  assert.throws(() => outletIn(city, 'x\u0000'), isMistake(/^unknown outlet: x$/));
});

describe('a CSV file of senses', () => {
  const sensed = {
    name: city.city.name,
    zone: singapore,
    isPocket: (id: string) => city.pockets.some((pocket) => pocket.id === id),
  };
  const read = (rows: string[], again = false) => readSheet(rows.join('\n'), now, sensed, again);
  const head = 'pocket,word,at,people';

  test('is read completely', () => {
    const calm = { pocket_id: 'holland', word: 'calm', at: now - 30 * 60_000, people: 3 };
    assert.deepEqual(read([head, 'holland,calm,12:00,3', '', 'holland,busy,"2026-11-11 12:00",1\r', '']), [
      calm,
      { ...calm, word: 'busy', people: 1 },
    ]);
    assert.deepEqual(read(['at,word,pocket', '12:00,calm,holland']), [{ ...calm, people: 1 }]);
    assert.equal(read([head, 'holland,calm,12:00,3', 'holland,calm,12:00,3'], true).length, 2);
  });

  test('is refused with the number of the faulty row', () => {
    const many = Array.from({ length: 10_001 }, () => 'holland,calm,12:00,1');
    const table: [rows: string[], message: RegExp][] = [
      [[''], /^the file is empty$/],
      [[head], /^there is no row below the first$/],
      [['pocket,word', 'holland,calm'], /^row 1: the column at is missing$/],
      [['pocket,word,at,name', 'holland,calm,12:00,someone'], /^row 1: unknown column 'name': only /],
      [['pocket,word,at,at', 'holland,calm,12:00,12:00'], /^row 1: a column is named twice$/],
      [[head, 'holland,calm'], /^row 2 has 2 fields where the header has 4$/],
      [[head, 'holland,calm,"12:00,1'], /^row 2 has a quoted cell that does not end$/],
      [[head, '', 'nowhere,calm,12:00,1'], /^row 3: unknown pocket: nowhere$/],
      [
        [head, 'holland,calm,12:00,1', 'holland,calm,12:00,2'],
        /^row 3: the pocket, word and time of row 2 \(--again if these are other people\)$/,
      ],
      [
        [head, 'holland,calm,12:00,0', 'holland,mad,12:00,1'],
        /^row 2: people must be 1-500; row 3: word must/,
      ],
      [[head, ...many], /^more than 10000 rows: split the file$/],
      [
        [head, ...many.slice(0, 9).map(() => 'x,calm,12:00,1')],
        /^row 2: .*row 6: unknown pocket: x; and 4 more$/,
      ],
    ];
    for (const [rows, message] of table) assert.throws(() => read(rows), isMistake(message));
  });
});
