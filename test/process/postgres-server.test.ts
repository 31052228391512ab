// The PostgreSQL server and databases that the other tests use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { startServer } from '../support/stores/postgres-server.ts';
import { noPostgres, postgresUrl, scratchDatabase } from '../support/stores/store-places.ts';

test('a scratch database is new, empty and dropped', { skip: !postgresUrl() && noPostgres }, async (t) => {
  const database = await scratchDatabase(t);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table stored (id bigint primary key)');
  const { rows } = await client.query(
    'select table_name from information_schema.tables where table_schema = $1',
    ['public'],
  );
  assert.deepEqual(rows, [{ table_name: 'stored' }]);
  await client.end();
  await database.drop();
  await assert.rejects(new Client({ connectionString: database.url }).connect(), /does not exist/);
});

test('a test server ends when it is stopped', async (t) => {
  const server = await startServer({ ...process.env, TEST_DATABASE_URL: '' });
  const client = new Client({ connectionString: server.url });
  if (!server.url) {
    await server.stop();
    return t.skip(noPostgres);
  }
  await client.connect();
  await client.end();
  await server.stop();
  await assert.rejects(new Client({ connectionString: server.url }).connect(), /ECONNREFUSED/);
});
