// Every read stays bounded, whatever the city has grown to. On PostgreSQL the rows that a question looks at are counted in
// stores of two sizes; on SQLite no statement reads a growing table from one end to the other, and none that names a pocket
// a slot of all pockets. Pages ask operations, so that they are no other questions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Registry } from '../../../src/domain/city/city.ts';
import { buildLookup } from '../../../src/domain/city/lookup.ts';
import { cityZone } from '../../../src/domain/time/zone.ts';
import { operations } from '../../../src/operations/all.ts';
import { checkArguments } from '../../../src/operations/core/arguments.ts';
import { NotFound, type Operation, Refused } from '../../../src/operations/core/define.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { baseUrl, city } from '../../support/answers/ask-operation.ts';
import { knownArguments, ordinaryQuestions } from '../../support/answers/operation-answers.ts';
import { addDays, addPockets, addPocketsTo, type Watched } from '../../support/growth/grow-store.ts';
import { MOST_ROWS, readBounds, smallTables } from '../../support/growth/read-bounds.ts';
import { sampleIdsOf } from '../../support/growth/sample-ids.ts';
import {
  recordingReader,
  type Statement,
  scannedTables,
  slotsOfAll,
  touchedCounter,
} from '../../support/growth/touched-rows.ts';
import { writeHistory } from '../../support/pipeline/history.ts';
import { NOON } from '../../support/services/service.ts';
import {
  noPostgres,
  postgresPlace,
  postgresUrl,
  type StorePlace,
  sqlitePlace,
} from '../../support/stores/store-places.ts';

const zone = cityZone(city.city);
const readers = operations.filter(({ effect }) => effect === undefined);

const contextOf = async (store: Store, registry: Registry) => ({
  ...{ registry, zone, now: NOON, baseUrl, store },
  lookup: buildLookup(registry.pockets),
  ids: await sampleIdsOf(store, NOON),
});

/** The statements of a question, with few arguments and with many. */
async function statementsOf(
  operation: Operation,
  { store, ids, ...context }: Awaited<ReturnType<typeof contextOf>>,
): Promise<Statement[][]> {
  const asked: Statement[][] = [];
  for (const given of ordinaryQuestions(operation, context, ids)) {
    const read = checkArguments(operation.input, given);
    assert.ok(read.ok, `${operation.name}: ${JSON.stringify(read)}`);
    const reader = recordingReader(store);
    try {
      await operation.answer(read.input, { ...context, substrate: 'simulated', store: reader });
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Refused)) throw error;
    }
    asked.push(reader.statements);
  }
  return asked;
}

/** A store with a day of history, closed and removed after the suite. */
function dayOfHistory(makePlace: (contents: 1) => Promise<StorePlace>): () => Store {
  let place: StorePlace;
  let store: Store;
  before(async () => {
    place = await makePlace(1);
    const engine = openStore(place);
    const { migrate } = await import('../../../src/store/schema/migrate.ts');
    await migrate(engine, 0);
    store = engine;
    // A file that is run on its own has no templates.
    if (!(await store.get('select 1 as found from moments limit 1'))) await writeHistory(store, 1);
  });
  after(async () => {
    await store.close();
    await place.remove();
  });
  return () => store;
}

describe('reads on SQLite', () => {
  const store = dayOfHistory(sqlitePlace);

  test('no statement reads a growing table from one end to the other', async () => {
    const context = await contextOf(store(), city);
    for (const operation of readers)
      for (const statement of (await statementsOf(operation, context)).flat())
        for (const table of await scannedTables(store(), statement))
          assert.ok(smallTables.has(table), `${operation.name} reads all of ${table}: ${statement.sql}`);
  });

  test('no question about a pocket reads a slot of all pockets', async () => {
    // A pack has many pockets in a row.
    const isOfPacks = / \w+_packs /;
    const context = await contextOf(store(), city);
    for (const operation of readers)
      for (const statement of (await statementsOf(operation, context)).flat())
        for (const search of await slotsOfAll(store(), statement))
          assert.match(search, isOfPacks, `${operation.name}: ${statement.sql}`);
  });
});

if (postgresUrl()) describe('reads on PostgreSQL', countGrowth);
else test('reads on PostgreSQL', { skip: noPostgres });

/** The rows that each question looks at, by its name; and what the largest statement of it is. */
async function countRows(store: Store, registry: Registry) {
  // A tenth of the usual sample: the rows of a table are alike.
  await store.transaction((tx) => tx.script('set local default_statistics_target = 10; analyze'));
  const count = touchedCounter(store);
  const context = await contextOf(store, registry);
  const counted = new Map<string, { rows: number; largest: string }>();
  for (const operation of readers) {
    let most = { rows: 0, largest: '' };
    for (const statements of await statementsOf(operation, context)) {
      const touched = await count(statements);
      const rows = touched.reduce((sum, one) => sum + one.rows, 0);
      const [largest] = touched.toSorted((a, b) => b.rows - a.rows);
      if (largest && rows > most.rows) most = { rows, largest: `${largest.rows} rows: ${largest.sql}` };
    }
    counted.set(operation.name, most);
  }
  return counted;
}

function countGrowth() {
  describe('of a history', () => {
    const store = dayOfHistory(postgresPlace);

    test('no question looks at more rows because it has been watched for longer', async () => {
      const grown = { now: NOON, zone };
      await addDays(store(), grown, { from: 1, to: DAYS }, watched);
      const short = await countRows(store(), city);
      await addDays(store(), grown, { from: DAYS + 1, to: 2 * DAYS }, watched);
      const long = await countRows(store(), city);
      for (const [name, { rows, largest }] of long) {
        const most = 1.2 * (short.get(name)?.rows ?? 0) + SOME_ROWS;
        assert.ok(
          rows <= most,
          `${name}: ${rows} rows, ${short.get(name)?.rows} of half the time; ${largest}`,
        );
      }
    });
  });

  describe('of a city', () => {
    const store = dayOfHistory(postgresPlace);

    test('a question looks at as many rows for each pocket as it says', async () => {
      const counts = [];
      for (const { from, to } of [
        { from: 1, to: COPIES },
        { from: COPIES + 1, to: 2 * COPIES },
      ]) {
        await addPockets(store(), { now: NOON, zone }, { from, to }, city);
        counts.push(await countRows(store(), addPocketsTo(city, to)));
      }
      const [small, large] = counts;
      const added = COPIES * city.pockets.length;
      for (const [name, { rows, largest }] of large ?? []) {
        const { perPocket = 0 } = readBounds[name] ?? {};
        const before = small?.get(name)?.rows ?? 0;
        assert.ok(
          rows - before <= perPocket * added + FEW_ROWS,
          `${name}: ${rows} rows, ${before} with half the pockets; ${largest}`,
        );
        assert.ok(rows <= perPocket * 2.5 * added + MOST_ROWS, `${name}: ${rows} rows; ${largest}`);
      }
    });
  });
}

const pockets = ['tiongbahru', 'dempsey'];
/** What has a history: the pockets and the outlets that are asked about. */
const watched: Watched = {
  pockets,
  outlets: city.outlets
    .filter(
      ({ id, pocket_id }) =>
        pockets.includes(pocket_id) || id === knownArguments({ registry: city }).outlet_id,
    )
    .map(({ id }) => id),
};
/** Longer than the longest window that is asked for by default. */
const DAYS = 31;
/** Of every pocket: with them there are more than a page of pockets lists. */
const COPIES = 8;
/** What the planner's choices may differ by between two sizes: half of what all rows of a month are in the smallest table. */
const SOME_ROWS = 4_000;
/** The same of more pockets. */
const FEW_ROWS = 500;
