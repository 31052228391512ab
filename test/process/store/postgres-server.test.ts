// The PostgreSQL server and databases that the other tests use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { startServer } from '../../support/stores/postgres-server.ts';
import { runFolder } from '../../support/stores/run-folder.ts';
import { noPostgres, postgresUrl, scratchDatabase } from '../../support/stores/store-places.ts';

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

test('a database that is given back has its first rows only, unless its schema was changed', {
  skip: (!postgresUrl() && noPostgres) || (!runFolder() && 'no templates: run by scripts/test.ts'),
}, async (t) => {
  const first = await scratchDatabase(undefined, 'schema');
  const before = await onServer(first.url, 'select * from store_revision');
  await onServer(first.url, 'insert into job_claims values (0, 0, 1, 2)');
  await onServer(first.url, 'update store_revision set revision = 7');
  await first.drop();
  const second = await scratchDatabase(undefined, 'schema');
  assert.equal(second.url, first.url);
  assert.deepEqual(await onServer(second.url, 'select * from job_claims'), []);
  assert.deepEqual(await onServer(second.url, 'select * from store_revision'), before);
  await onServer(second.url, 'drop trigger job_claims_no_change on job_claims');
  await second.drop();
  assert.notEqual((await scratchDatabase(t, 'schema')).url, second.url);
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
