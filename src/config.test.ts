import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ConfigError, readConfig, settings } from './config.ts';

test('with nothing set, the defaults of the interface hold', () => {
  const config = readConfig({});
  assert.equal(config.PORT, 3000);
  assert.equal(config.DATA_DIR, resolve('./data'));
  assert.equal(config.DATABASE_URL, undefined);
  assert.deepEqual(
    [config.MCP_RATE_LIMIT, config.LEGITIMACY_RATE_LIMIT, config.SUBMIT_RATE_LIMIT],
    [30, 30, 10],
  );
});

test('an empty setting counts as unset', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: '' }), readConfig({}));
});

test('settings are read', () => {
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'https://watch.example/',
    DATABASE_URL: 'none',
    TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16',
    ALLOWED_ORIGINS: 'https://Lab.example, http://localhost:8080/',
    ALLOWED_HOSTS: 'Watch.example,[::2]',
    HISTORY_DAYS: '3',
    SECURITY_CONTACT: 'security@watch.example, https://watch.example/report',
    MCP_REGISTRY_AUTH: `v=MCPv1; k=ed25519; p=${'A'.repeat(43)}=`,
  });
  assert.deepEqual(config.SECURITY_CONTACT, [
    'mailto:security@watch.example',
    'https://watch.example/report',
  ]);
  assert.match(config.MCP_REGISTRY_AUTH ?? '', /^v=MCPv1; k=ed25519; p=A{43}=$/);
  assert.equal(config.PORT, 0);
  assert.equal(config.BASE_URL, 'https://watch.example');
  assert.equal(config.DATABASE_URL, 'none');
  assert.deepEqual(config.TRUSTED_PROXIES, ['10.0.0.1', '192.168.0.0/16']);
  assert.deepEqual(config.ALLOWED_ORIGINS, ['https://lab.example', 'http://localhost:8080']);
  assert.deepEqual(config.ALLOWED_HOSTS, ['watch.example', '[::2]']);
  assert.equal(config.HISTORY_DAYS, 3);
});

test('a bad setting is named in one line', () => {
  const table: [environment: Record<string, string>, message: string][] = [
    [{ PORT: 'http' }, "PORT must be an integer 0-65535 (it is 'http')"],
    [{ PORT: '70000' }, "PORT must be an integer 0-65535 (it is '70000')"],
    [{ MCP_RATE_LIMIT: '-1' }, "MCP_RATE_LIMIT must be an integer 0-1000000 (it is '-1')"],
    [{ BASE_URL: 'watch.example' }, "BASE_URL must be an http or https address (it is 'watch.example')"],
    [{ PIPELINE: 'maybe' }, "PIPELINE must be one of on, off (it is 'maybe')"],
    ...['*', 'lab.example', 'https://lab.example/path', 'ftp://lab.example', 'null'].map(
      (given): [Record<string, string>, string] => [
        { ALLOWED_ORIGINS: given },
        `ALLOWED_ORIGINS must be addresses without a path, such as https://lab.example, but '${given}' is not one (it is '${given}')`,
      ],
    ),
    ...['watch.example:80', 'http://watch.example', 'a/b'].map((given): [Record<string, string>, string] => [
      { ALLOWED_HOSTS: given },
      `ALLOWED_HOSTS must be host names without a port, such as watch.example, but '${given}' is not one (it is '${given}')`,
    ]),
    [{ CITY: 'melbourne', CITY_DIR: '/cities/mine' }, 'set CITY or CITY_DIR, not both'],
    ...['me@', 'http://watch.example', 'mailto:x', 'a@b.example\nExpires: never'].map(
      (given): [Record<string, string>, string] => [
        { SECURITY_CONTACT: given },
        `SECURITY_CONTACT must be e-mail or https addresses, such as security@watch.example, but '${given}' is neither (it is '${given}')`,
      ],
    ),
    ...['ed25519 AAAA', 'v=MCPv1;k=ed25519;p=AAAA', 'v=MCPv1; k=rsa; p=AAAA'].map(
      (given): [Record<string, string>, string] => [
        { MCP_REGISTRY_AUTH: given },
        `MCP_REGISTRY_AUTH must be v=MCPv1; k=ed25519; p=KEY, with the public key in base64 and one space after each semicolon (it is '${given}')`,
      ],
    ),
    [
      { MCP_REGISTRY_AUTH: 'v=MCPv1; k=ed25519; p=AAAA' },
      "MCP_REGISTRY_AUTH must have a public key of 32 bytes in base64 after p= (it is 'v=MCPv1; k=ed25519; p=AAAA')",
    ],
    ...['gs://logs', 's3://', 's3://Logs', 's3://logs/a b', 's3://logs/../x', 'http://logs'].map(
      (given): [Record<string, string>, string] => [
        { LEDGER_STORAGE: given },
        `LEDGER_STORAGE must be database, a folder, file:FOLDER or s3://BUCKET/PREFIX (it is '${given}')`,
      ],
    ),
    [
      { LEDGER_STORAGE: 's3://logs', AWS_ACCESS_KEY_ID: 'a' },
      'a bucket in LEDGER_STORAGE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    [{ HISTORY_DAYS: '0' }, "HISTORY_DAYS must be an integer 1-366 (it is '0')"],
  ];
  for (const [environment, message] of table) {
    assert.throws(
      () => readConfig(environment),
      (error: Error) => error instanceof ConfigError && error.message === message,
    );
  }
});

test('the ledger is published in a folder or a bucket, if at all', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const place = (given: string) => readConfig({ LEDGER_STORAGE: given, ...keys }).LEDGER_STORAGE;
  assert.deepEqual(place(''), { kind: 'database' });
  for (const given of ['public', './public', 'file:public', `file://${resolve('public')}`])
    assert.deepEqual(place(given), { kind: 'folder', path: resolve('public') });
  const table = { 's3://logs': '', 's3://logs/': '', 's3://logs/a/b-1': 'a/b-1', 's3://logs/a/': 'a' };
  for (const [given, prefix] of Object.entries(table))
    assert.deepEqual(place(given), { kind: 'bucket', bucket: 'logs', prefix });
});

test('raw signals are kept for ever or for as many days as anything looks back', () => {
  const days = (given: string) => readConfig({ KEEP_SIGNALS_DAYS: given }).KEEP_SIGNALS_DAYS;
  assert.deepEqual([days(''), days('forever'), days('190'), days('400')], [undefined, 'forever', 190, 400]);
  for (const given of ['0', '189', '1.5', 'never', '-1'])
    assert.throws(() => days(given), /KEEP_SIGNALS_DAYS must be 'forever' or an integer 190-36500/);
});

test('a database address with a password is refused without showing it', () => {
  assert.throws(
    () => readConfig({ DATABASE_URL: 'mysql://me:secret@host/db' }),
    (error: Error) => /^DATABASE_URL must be/.test(error.message) && !error.message.includes('secret'),
  );
});

test('an address may name several servers, that of a replica one', () => {
  const url = 'postgres://me:a%40b@one:5432,two:5433/db?target_session_attrs=read-write&sslmode=require';
  assert.equal(readConfig({ DATABASE_URL: url }).DATABASE_URL, url);
  assert.throws(
    () => readConfig({ READ_DATABASE_URL: url }),
    /^ConfigError: READ_DATABASE_URL must be .* one server$/,
  );
  assert.throws(() => readConfig({ READ_DATABASE_URL: 'none' }), /READ_DATABASE_URL must be/);
  assert.throws(
    () => readConfig({ READ_DATABASE_URL: 'postgres://one/db', DATABASE_URL: 'none' }),
    /leave one of them out/,
  );
});

test('keys of feeds and their hosts are read, and nothing else of the environment', () => {
  const { values, hosts, old } = readConfig({
    FEED_KEY_A: ' secret ',
    FEED_KEY_A_HOSTS: 'Api.example, gate.example:0080 ,[::1]:4100,münchen.example',
    FEED_KEY_B: '',
    FEED_KEY_C_HOSTS: ' ',
    FEED_KEY_d: 'secret',
    LEDGER_KEY: 'secret',
    LTA_ACCOUNT_KEY: 'secret',
  }).FEED_KEYS;
  assert.deepEqual([...values], [['FEED_KEY_A', 'secret']]);
  const list = ['api.example', 'gate.example:80', '[::1]:4100', 'xn--mnchen-3ya.example'];
  assert.deepEqual([...hosts], [['FEED_KEY_A', list]]);
  assert.deepEqual([...old], ['LTA_ACCOUNT_KEY']);
});

test('a bad list of hosts is named and not shown: it may be a key', () => {
  const bad = [
    'https://s3cret.example',
    '*.s3cret',
    's3cret/a',
    'me@s3cret',
    's3 cret',
    's3cret?',
    's3cret:http',
  ];
  for (const given of bad)
    assert.throws(() => readConfig({ FEED_KEY_A_HOSTS: `a.example,${given}` }), {
      name: 'ConfigError',
      message:
        'FEED_KEY_A_HOSTS must be host names, each with or without a port, such as api.example or 127.0.0.1:4100, comma-separated',
    });
});

test('the README documents every setting with its default', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const [name, { fallback }] of Object.entries(settings)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    assert.ok(row, name);
    if (fallback) assert.ok(row.includes(`\`${fallback}\``), `${name} ${fallback}`);
  }
  for (const name of ['FEED_KEY_NAME', 'FEED_KEY_NAME_HOSTS'])
    assert.ok(readme.includes(`\n| \`${name}\` |`), name);
});
