import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverAddresses } from './addresses.ts';

test('each host is an address of its own, with user, database and options', () => {
  assert.deepEqual(
    serverAddresses('postgres://me:a%40b@one:5432,two/db?sslmode=verify-full&application_name=x'),
    [
      'postgres://me:a%40b@one:5432/db?sslmode=verify-full&application_name=x',
      'postgres://me:a%40b@two/db?sslmode=verify-full&application_name=x',
    ],
  );
});

test('a mode that checks the certificate is the strictest one, others stay', () => {
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.deepEqual(serverAddresses(`postgresql://one/db?sslmode=${mode}`), [
      'postgresql://one/db?sslmode=verify-full',
    ]);
  for (const mode of ['disable', 'no-verify'])
    assert.deepEqual(serverAddresses(`postgres://one/db?sslmode=${mode}`), [
      `postgres://one/db?sslmode=${mode}`,
    ]);
});

test('which server takes writes is asked, not stated', () => {
  assert.deepEqual(serverAddresses('postgres://one,two/db?target_session_attrs=read-write'), [
    'postgres://one/db',
    'postgres://two/db',
  ]);
});

test('what is no address of PostgreSQL is none', () => {
  for (const given of [
    '',
    'none',
    'mysql://one/db',
    'postgres://one:x/db',
    'postgres://one,two:99999/db',
    '/tmp',
  ])
    assert.equal(serverAddresses(given), undefined, given);
});
