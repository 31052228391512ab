import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { noPostgres, postgresUrl, scratchDatabase } from '../../../test/support/stores/store-places.ts';
import { rowBatches } from './insert-rows.ts';
import { openPostgres, requestTimeouts } from './postgres.ts';
import { type Engine, StoreError, type Transaction, type Value } from './store.ts';

const columns = 'n integer primary key, words text, share double precision, number bigint, bytes bytea';
const names = ['n', 'words', 'share', 'number', 'bytes'] as const;
type Sample = { n: number; words: Value; share: Value; number: Value; bytes: Value };
const sample = (n: number, values: Partial<Sample> = {}): Sample => ({
  n,
  words: null,
  share: null,
  number: null,
  bytes: null,
  ...values,
});
/** A clause that says nothing new: such rows go by `insert`, as all did before COPY. */
const byInsert = 'on conflict (n) do nothing';

/** A store with the tables `copied` and `inserted`, without a schema of ours: `exclusively` needs no revision. */
async function openTables(t: { after(end: () => unknown): void }, url?: string): Promise<Engine> {
  const store = openPostgres(url ?? (await scratchDatabase(t)).url, requestTimeouts);
  t.after(() => store.close());
  await store.exclusively((tx) =>
    tx.script(`create table copied (${columns}); create table inserted (${columns})`),
  );
  return store;
}

const readBack = async (store: Engine, table: string): Promise<Sample[]> =>
  (await store.all<Sample>(`select ${names.join(', ')} from ${table} order by n`)).map((row) => ({
    ...row,
    bytes: row.bytes && new Uint8Array(row.bytes as Uint8Array),
  }));

const write = (store: Engine, table: string, rows: readonly object[], conflict?: string) =>
  store.exclusively((tx) => tx.insert(table, rows, conflict));

/** What two ways of writing the same rows fail with. */
const failures = async (store: Engine, row: object) => {
  const failure = (work: Promise<void>): Promise<{ code: string; message: string }> =>
    work.then(
      () => assert.fail('it was written'),
      ({ code, message }) => ({ code, message }),
    );
  return {
    copied: await failure(write(store, 'copied', [row])),
    inserted: await failure(write(store, 'inserted', [row], byInsert)),
  };
};

describe('rows of PostgreSQL', { skip: postgresUrl() ? false : noPostgres }, () => {
  test('texts, numbers and bytes that have a meaning in COPY come back as they are', async (t) => {
    const store = await openTables(t);
    const words = [
      ...['', ' ', '\\', '\\N', '\\.', '\\x41', '\\t', '\t', '\n', '\r', '\r\n', '\b\f\v', 'a\tb\nc\\'],
      ...[
        '"',
        "'",
        '""',
        ',',
        'NULL',
        'null',
        '\u{1f642}\u{10ffff}',
        'näme 荷兰',
        '\u2028',
        '\ufeff',
        '\ufffd',
      ],
      'x'.repeat(3_000_000),
      '\\\t\n'.repeat(100_000),
    ];
    const shares = [0, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, -1.5];
    const numbers = [0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)];
    const bytes = [
      new Uint8Array(),
      Uint8Array.from({ length: 256 }, (_, n) => n),
      Buffer.from('\\N\n\\.\n'),
    ];
    const rows = [
      sample(-1),
      ...words.map((value) => ({ words: value })),
      ...shares.map((value) => ({ share: value })),
      ...numbers.map((value) => ({ number: value })),
      ...bytes.map((value) => ({ bytes: new Uint8Array(value) })),
    ].map((values, n) => sample(n, values));
    await write(store, 'copied', rows);
    assert.deepEqual(await readBack(store, 'copied'), rows);
  });

  test('any row comes back alike whether it was copied or inserted', async (t) => {
    const store = await openTables(t);
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\\', 'N', '.', '\t', '\n', '\r', '"', "'", 'x', '0', '\u{1f642}') }),
    );
    const values = fc.record({
      words: fc.option(word.map((text) => text.replaceAll('\0', ''))),
      share: fc.option(fc.double()),
      number: fc.option(fc.maxSafeInteger()),
      bytes: fc.option(fc.uint8Array()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 40, size: 'max' }), async (list) => {
        const rows = list.map((row, n) => sample(n, row));
        await store.exclusively((tx) => tx.script('truncate copied; truncate inserted'));
        await write(store, 'copied', rows);
        await write(store, 'inserted', rows, byInsert);
        const copied = await readBack(store, 'copied');
        assert.deepEqual(copied, await readBack(store, 'inserted'));
        const finite = (value: Value) =>
          typeof value === 'number' && !Number.isFinite(value) ? null : value;
        // The server keeps no sign of a zero that it reads as "0".
        const kept = rows.map((row) => ({ ...row, share: finite(row.share) === 0 ? 0 : finite(row.share) }));
        assert.deepEqual(copied, kept);
      }),
      // Tables are emptied for each run, which takes longer than many rows of one.
      { numRuns: 20 },
    );
  });

  test('values that are no numbers, are missing or are flags are written as an insert writes them', async (t) => {
    const store = await openTables(t);
    const rows = [
      { n: 1, share: Number.NaN, words: true },
      { n: 2, share: Number.POSITIVE_INFINITY, words: 7 },
      { share: -0, n: 3 },
      { n: 4, share: undefined, words: 'a' },
    ];
    await write(store, 'copied', rows);
    await write(store, 'inserted', rows, byInsert);
    const copied = await readBack(store, 'copied');
    assert.deepEqual(copied, await readBack(store, 'inserted'));
    assert.deepEqual(
      copied.map(({ share, words }) => [share, words]),
      [
        [null, 'true'],
        [null, '7'],
        [0, null],
        [null, 'a'],
      ],
    );
  });

  test('what no text can hold is refused as an insert refuses it', async (t) => {
    const store = await openTables(t);
    for (const words of ['a\0b', '\ud83d', 'a\udc00b']) {
      const { copied, inserted } = await failures(store, sample(1, { words }));
      assert.deepEqual(copied, inserted);
    }
    for (const row of [{ n: 1.5 }, { n: 'x' }, { n: 2 ** 31 }, { n: null }]) {
      const { copied, inserted } = await failures(store, row);
      assert.equal(copied.code, inserted.code);
      assert.equal(copied.message.replace('copied', 'inserted'), inserted.message);
    }
    assert.deepEqual(await readBack(store, 'copied'), []);
  });

  test('a failure names the table, is thrown by the next statement or the commit, and rolls everything back', async (t) => {
    const store = await openTables(t);
    const rows = [sample(1), sample(1)];
    const nothing = async () => undefined;
    const next: ((tx: Transaction) => Promise<unknown>)[] = [
      nothing,
      (tx) => tx.get('select 1'),
      (tx) => tx.insert('copied', [sample(2)]),
      (tx) => tx.insert('inserted', [sample(3)], byInsert),
      (tx) => tx.run('commit'),
      // A job that swallows it does not commit what is left.
      (tx) => tx.get('select 1').catch(() => undefined),
      () => Promise.reject(Object.assign(new Error('of the job'), { code: '23505', table: 'copied' })),
    ];
    for (const then of next) {
      const work = store.exclusively(async (tx) => {
        await tx.insert('inserted', [sample(1)]);
        await tx.insert('copied', rows);
        await then(tx);
      });
      await assert.rejects(work, { code: '23505', table: 'copied' });
      for (const table of ['copied', 'inserted']) assert.deepEqual(await readBack(store, table), []);
    }
    await assert.rejects(write(store, 'copied', [{ n: 1, number: 'x' }]), {
      where: /COPY copied, line 1, column number/,
    });
    await write(store, 'copied', [sample(1)]);
  });

  test('statements of a transaction run in the order in which they were sent', async (t) => {
    const store = await openTables(t);
    const counts = await store.exclusively(async (tx) => {
      const count = async () => (await tx.get<{ n: number }>('select count(*) as n from copied'))?.n;
      const seen: unknown[] = [];
      for (const first of [0, 2_500, 5_000]) {
        await tx.insert(
          'copied',
          Array.from({ length: 2_500 }, (_, n) => sample(first + n)),
        );
        seen.push(await count());
      }
      await tx.insert('copied', [sample(-1)]);
      await tx.run('delete from copied where n >= 0');
      await Promise.all([tx.insert('copied', [sample(-2)]), tx.insert('copied', [sample(-3)], byInsert)]);
      return [...seen, await count()];
    });
    assert.deepEqual(counts, [2_500, 5_000, 7_500, 3]);
  });

  test('rows that were sent before the work failed are rolled back, also those that wait for others', async (t) => {
    const store = await openTables(t);
    await assert.rejects(
      store.exclusively((tx) =>
        Promise.all([
          tx.insert(
            'copied',
            Array.from({ length: 5_000 }, (_, n) => sample(n)),
          ),
          tx.insert('copied', [sample(-1)]),
          Promise.reject(new Error('on purpose')),
        ]),
      ),
      /on purpose/,
    );
    await write(store, 'inserted', [sample(1)]);
    assert.deepEqual(await readBack(store, 'copied'), []);
  });

  test('rows may be changed as soon as they were given', async (t) => {
    const store = await openTables(t);
    const row = sample(1, { words: 'given' });
    await store.exclusively(async (tx) => {
      const writing = tx.insert('copied', [row]);
      row.words = 'changed';
      await writing;
    });
    assert.deepEqual(await readBack(store, 'copied'), [sample(1, { words: 'given' })]);
  });

  test('a table that is missing is refused while its rows are still on their way', async (t) => {
    const store = await openTables(t);
    const rows = Array.from({ length: 1_000 }, (_, n) => sample(n, { words: 'x'.repeat(20_000) }));
    await assert.rejects(write(store, 'missing', rows), { code: '42P01', message: /"missing"/ });
    await write(store, 'copied', rows);
    assert.equal((await readBack(store, 'copied')).length, 1_000);
  });

  test('a lock that is not granted and a session that is ended are a store that is unavailable', async (t) => {
    const { url } = await scratchDatabase(t);
    await openTables(t, url);
    const store = openPostgres(url, { statementMs: 300, lockMs: 100, idleMs: 5_000 });
    t.after(() => store.close());
    const other = new pg.Client({ connectionString: url });
    // The database is removed before this ends.
    other.on('error', () => undefined);
    await other.connect();
    t.after(() => other.end());
    const unavailable = (error: unknown) => error instanceof StoreError && error.code === 'unavailable';
    const many = Array.from({ length: 1_000 }, (_, n) => sample(n, { words: 'x'.repeat(2_000) }));
    const lock = async (tx: Transaction) => {
      await other.query('begin; lock table copied in access exclusive mode');
      return tx.insert('copied', many);
    };
    await assert.rejects(store.exclusively(lock), unavailable);
    await other.query('rollback');
    const noPatience = async (tx: Transaction) => {
      await tx.run('set local lock_timeout = 0');
      return lock(tx);
    };
    await assert.rejects(store.exclusively(noPatience), unavailable);
    const ended = async (tx: Transaction) => {
      const pid = (await tx.get<{ pid: number }>('select pg_backend_pid() as pid'))?.pid;
      await other.query('lock table copied in access exclusive mode');
      await tx.insert('copied', many);
      await other.query('select pg_terminate_backend($1)', [pid]);
    };
    await other.query('rollback; begin');
    await assert.rejects(store.exclusively(ended), unavailable);
    await other.query('rollback');
    assert.deepEqual(await readBack(store, 'copied'), []);
    await write(store, 'copied', many);
  });

  test('batches are of a thousand rows, and none of no rows', () => {
    const count = (rows: number) =>
      [
        ...rowBatches(
          't',
          Array.from({ length: rows }, (_, n) => ({ n })),
        ),
      ].length;
    assert.deepEqual([0, 1, 1_000, 1_001].map(count), [0, 1, 1, 2]);
  });
});
