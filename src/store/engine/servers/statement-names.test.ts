import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noPostgres, postgresUrl, scratchDatabase } from '../../../../test/support/stores/store-places.ts';
import { openPostgres, requestTimeouts } from '../postgres.ts';
import type { Engine, Transaction } from '../store.ts';

async function openTable(t: { after(end: () => unknown): void }): Promise<Engine> {
  const store = openPostgres((await scratchDatabase(t)).url, requestTimeouts);
  t.after(() => store.close());
  await store.exclusively((tx) => tx.script('create table words (n integer primary key, word text)'));
  return store;
}

const named = async (tx: Transaction): Promise<number> => {
  // Another text each time: it is not to be named itself.
  const sql = `select count(*) as n from pg_prepared_statements where statement like 'select word%' or ${Math.random()} > 1`;
  return (await tx.get<{ n: number }>(sql))?.n ?? 0;
};

const read = (tx: Transaction, n: number) =>
  tx.get<{ word: string }>('select word from words where n = ?', n);

describe('names of statements', { skip: postgresUrl() ? false : noPostgres }, () => {
  test('a repeated statement has one, whatever its parameters, until the transaction ends', async (t) => {
    const store = await openTable(t);
    const rows = Array.from({ length: 100 }, (_, n) => ({ n, word: `word ${n}` }));
    await store.exclusively(async (tx) => {
      await tx.insert('words', rows);
      const counts = [];
      for (const { n, word } of rows) {
        assert.equal((await read(tx, n))?.word, word);
        counts.push(await named(tx));
      }
      assert.deepEqual(counts.slice(0, 5), [0, 0, 0, 1, 1]);
      assert.deepEqual(new Set(counts.slice(5)), new Set([1]));
    });
    await store.exclusively(async (tx) => {
      assert.equal(await named(tx), 0);
      for (const { n, word } of rows) assert.equal((await read(tx, n))?.word, word);
    });
  });

  test('a transaction that fails leaves none', async (t) => {
    const store = await openTable(t);
    await assert.rejects(
      store.exclusively(async (tx) => {
        for (let n = 0; n < 20; n += 1) await read(tx, n);
        assert.equal(await named(tx), 1);
        await tx.run('select 1 / 0');
      }),
      /division by zero/,
    );
    await store.exclusively(async (tx) => assert.equal(await named(tx), 0));
  });

  test('statements that are sent together are answered in order, after what was inserted before', async (t) => {
    const store = await openTable(t);
    await store.exclusively(async (tx) => {
      for (let n = 0; n < 70; n += 1) {
        const inserted = tx.insert('words', [{ n, word: `word ${n}` }]);
        const answers = await Promise.all([read(tx, n), read(tx, n - 1), read(tx, n + 1)]);
        await inserted;
        const words = answers.map((row) => row?.word);
        assert.deepEqual(words, [`word ${n}`, n ? `word ${n - 1}` : undefined, undefined]);
      }
    });
  });

  test('statements that nobody waits for leave no name to the next transaction', async (t) => {
    const store = await openTable(t);
    const write = (clause: string) =>
      store.exclusively(async (tx) => {
        for (let n = 0; n < 70; n += 1) await tx.insert('words', [{ n, word: `word ${n}` }], clause);
      });
    await write('on conflict (n) do nothing');
    await write('on conflict (n) do update set word = excluded.word');
    assert.equal((await store.get<{ n: number }>('select count(*) as n from words'))?.n, 70);
  });

  test('the reason of a failure is told, not that the statements after it were refused', async (t) => {
    const store = await openTable(t);
    const twice = [{ n: 1, word: 'one' }];
    await assert.rejects(
      store.exclusively(async (tx) => {
        await tx.insert('words', twice);
        await tx.insert('words', twice);
        await Promise.all([read(tx, 1), read(tx, 2)]);
      }),
      /duplicate key/,
    );
    assert.deepEqual(await store.all('select n from words'), []);
  });
});
