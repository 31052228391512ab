// The files of a city of thousands of pockets: read piece by piece, and kept in little memory where they only are answered from.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Outlet, Pocket, Registry } from '../../src/domain/city/city.ts';
import { type Columns, plainEntry } from '../../src/domain/city/lists/columns.ts';
import { fromShared, shareRegistry } from '../../src/domain/city/lists/share-registry.ts';
import { buildLookup } from '../../src/domain/city/lookup.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadCity } from '../../src/registry/load.ts';
import { RegistryError } from '../../src/registry/registry-error.ts';
import { addPocketsTo } from '../support/growth/grow-store.ts';

const COPIES = 250;
const singapore = cityDir('singapore');
const root = mkdtempSync(join(tmpdir(), 'large-city-'));
after(() => rmSync(root, { recursive: true }));

type Change = (lists: { pockets: Pocket[]; outlets: Outlet[] }) => void;

/** Writes the files of a city of Singapore's pockets many times; every summary and name is of one pocket. */
function writeCity(change: Change = () => undefined): string {
  const dir = mkdtempSync(join(root, 'city-'));
  for (const file of ['city.json', 'intents.json', 'holidays.json'])
    copyFileSync(join(singapore, file), join(dir, file));
  const { pockets, outlets } = addPocketsTo(loadCity(singapore).registry, COPIES);
  const lists = {
    pockets: pockets.map(({ covered: _, expects: __, ...pocket }, n) => ({
      ...pocket,
      character: { ...pocket.character, summary: `${pocket.character.summary} ${n}` },
    })) as Pocket[],
    outlets: outlets.map((outlet, n) => ({ ...outlet, name: `${outlet.name} ${n}` })),
  };
  change(lists);
  for (const [name, list] of Object.entries(lists))
    writeFileSync(join(dir, `${name}.json`), JSON.stringify({ [name]: list }));
  return dir;
}

const dir = writeCity();
const inColumns = () => loadCity(dir, undefined, 'columns').registry;

test('a city in columns is the city in objects', () => {
  const { pockets, outlets, ...rest } = inColumns();
  const objects: Registry = loadCity(dir).registry;
  assert.equal(pockets.length, 18 * (COPIES + 1));
  assert.deepEqual(
    { ...rest, pockets: pockets.map(plainEntry), outlets: outlets.map(plainEntry) },
    { ...objects, pockets: [...objects.pockets], outlets: [...objects.outlets] },
  );
});

test('what is wrong with an entry far down in a file is named as in a short one', () => {
  const wrong = writeCity(({ pockets, outlets }) => {
    Object.assign(pockets[4000] ?? {}, { lat: 91 });
    Object.assign(outlets[9000] ?? {}, { seats: -1 });
  });
  for (const form of ['objects', 'columns'] as const)
    assert.throws(
      () => loadCity(wrong, undefined, form),
      (error: RegistryError) => {
        assert.ok(error instanceof RegistryError);
        assert.equal(error.problems.length, 2);
        assert.match(error.problems[0] ?? '', /^pockets.json: entry 4001 \([a-z]+-\d+\): lat must be/);
        assert.match(error.problems[1] ?? '', /^outlets.json: entry 9001 \([0-9a-f-]+\): seats must be/);
        return true;
      },
    );
});

test('a pocket with its outlets and names takes an answering process little memory, and its second thread less', () => {
  const size = 18 * (COPIES + 1);
  const before = usedHeap();
  const registry = inColumns();
  const lookup = buildLookup(registry.pockets);
  const first = (usedHeap() - before) / size;
  // Objects and a map of their names took 2,100.
  assert.ok(first < 800, `${Math.round(first)} bytes a pocket`);
  const shared = shareRegistry(registry);
  const bytes =
    [shared.pockets, shared.outlets].flatMap(columnBytes).reduce((sum, own) => sum + own, 0) / size;
  assert.ok(bytes < 1200, `${Math.round(bytes)} bytes a pocket in columns`);
  const inSecond = usedHeap();
  const second = fromShared(structuredClone(shared));
  const more = (usedHeap() - inSecond) / size;
  assert.ok(more < 400, `${Math.round(more)} bytes a pocket in a second thread`);
  assert.equal(lookup.find(second.pockets.at(-1)?.name ?? '')[0]?.pocket_id, registry.pockets.at(-1)?.id);
});

const columnBytes = ({ columns }: Columns): number[] =>
  columns.map((column) => {
    if (column.kind === 'number') return column.numbers.byteLength;
    const { numbers, starts, bytes } = column.texts;
    return numbers.byteLength + starts.byteLength + bytes.byteLength;
  });

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function usedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
