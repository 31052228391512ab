import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFeedKeys } from '../../config.ts';
import {
  findKey,
  isKeyName,
  newNames,
  oldNameLine,
  refuseOtherHosts,
  renameLine,
  type SentKey,
  withKey,
} from './feed-keys.ts';
import { holdsSecret, publicUrl, withoutSecrets } from './redact.ts';

const SECRET = 's3cret+key/value';

const keyTo = (hosts: string, builtIn: string[] = []): SentKey => {
  const keys = readFeedKeys({ FEED_KEY_A: SECRET, FEED_KEY_A_HOSTS: hosts });
  return { ...(findKey({ env: 'FEED_KEY_A', required: true, hosts: builtIn }, keys) ?? assert.fail()) };
};

test('a key is in a variable of its own kind, and nothing else of the environment is one', () => {
  for (const name of ['FEED_KEY_LTA', 'FEED_KEY_A1_B', 'FEED_KEY_HOSTS_OF_A'])
    assert.ok(isKeyName(name), name);
  const others =
    'DATABASE_URL LEDGER_KEY PATH FEED_KEY_ FEED_KEY FEED_KEY_a XFEED_KEY_A FEED_KEY_A_HOSTS FEED_KEY_HOSTS FEED_KEY_A\n';
  for (const name of others.split(' ')) assert.ok(!isKeyName(name), name);
  const environment = Object.fromEntries(others.split(' ').map((name) => [name, 'host.example']));
  const keys = readFeedKeys({ ...environment, LTA_ACCOUNT_KEY: SECRET });
  assert.equal(keys.values.size, 0);
  for (const env of [...others.split(' '), 'LTA_ACCOUNT_KEY', '__proto__'])
    assert.throws(() => findKey({ env, required: true, hosts: [] }, keys), /is not set/, env);
});

describe('a key goes to the hosts that are named for it', () => {
  const table: [url: string, hosts: string, sent: boolean][] = [
    ['https://api.example/a', 'api.example', true],
    ['https://API.example:443/a', 'other.example, Api.Example', true],
    ['https://api.example/a', 'api.example:443', true],
    ['https://api.example/a', '', false],
    ['https://api.example/a', 'example', false],
    ['https://api.example.evil.example/', 'api.example', false],
    ['https://evil.example/api.example', 'api.example', false],
    ['https://evil.example/?api.example#api.example', 'api.example', false],
    ['https://evil.example\\@api.example/', 'api.example', false],
    ['https://api.example@evil.example/', 'api.example', false],
    ['https://sub.api.example/', 'api.example', false],
    ['https://api.example:8443/', 'api.example', false],
    ['https://api.example:8443/', 'api.example:8443', true],
    // In clear only where the operator has named the port.
    ['http://api.example/', 'api.example', false],
    ['http://api.example/', 'api.example:80', true],
    ['http://127.0.0.1:4100/', '127.0.0.1', false],
    ['http://127.0.0.1:4100/', '127.0.0.1:4100', true],
    ['http://127.0.0.1:4101/', '127.0.0.1:4100', false],
    ['http://[::1]:80/', '[::1]:80', true],
    ['mqtts://broker.example', 'broker.example', true],
    ['mqtts://Broker.example:8883', 'broker.example', true],
    ['mqtts://broker.example:443', 'broker.example', false],
    ['mqtt://broker.example', 'broker.example', false],
    ['mqtt://broker.example', 'broker.example:1883', true],
    ['mqtt://broker.example:1884', 'broker.example:1883', false],
    ['mqtt://127.0.0.%31:1883', '127.0.0.1:1883', false],
    ['wss://broker.example/mqtt', 'broker.example', true],
    ['ws://broker.example/mqtt', 'broker.example', false],
    ['ftp://api.example/', 'api.example', false],
  ];
  for (const [url, hosts, sent] of table)
    test(`${url} with '${hosts}': ${sent ? 'sent' : 'not sent'}`, () => {
      const send = () => refuseOtherHosts([keyTo(hosts)], [new URL(url)]);
      if (sent) send();
      else assert.throws(send, { name: 'FetchError', fault: 'forbidden' });
    });

  test('those that an adapter knows are asked over https alone', () => {
    const key = keyTo('', ['api.example']);
    refuseOtherHosts([key], [new URL('https://api.example/')]);
    for (const url of ['http://api.example/', 'https://evil.example/'])
      assert.throws(() => refuseOtherHosts([key], [new URL('https://api.example/'), new URL(url)]));
  });

  test('the line says which variable to set, and to what', () => {
    const line = (hosts: string, ...urls: string[]) => {
      try {
        refuseOtherHosts(
          [keyTo(hosts)],
          urls.map((url) => new URL(url)),
        );
      } catch (error) {
        return (error as Error).message;
      }
      return assert.fail();
    };
    const start = 'its key may not be sent to that host: ';
    assert.equal(line('', 'https://a.example/x?y'), `${start}set FEED_KEY_A_HOSTS=a.example`);
    assert.equal(line('', 'http://a.example/'), `${start}set FEED_KEY_A_HOSTS=a.example:80`);
    assert.equal(
      line('b.example', 'http://a.example:8/', 'https://b.example', 'https://c.example'),
      `${start}add a.example:8,c.example to FEED_KEY_A_HOSTS`,
    );
  });
});

test('names of earlier versions are told with the new one, and their values are not read', () => {
  assert.equal(renameLine('DATABASE_URL'), undefined);
  for (const [old, name] of newNames) {
    assert.ok(isKeyName(name), name);
    const line = `${old} is no longer read: rename it to ${name}`;
    assert.equal(renameLine(old), line);
    const keys = readFeedKeys({ [old]: SECRET });
    assert.equal(oldNameLine(name, keys), line);
    assert.throws(() => findKey({ env: name, required: true, hosts: [] }, keys), {
      message: `its key ${name} is not set; ${line}`,
    });
    assert.equal(findKey({ env: name, required: false, hosts: [] }, keys), null);
    assert.doesNotMatch(JSON.stringify([...keys.values, ...keys.old]), /s3cret/);
    assert.equal(oldNameLine(name, readFeedKeys({ [old]: SECRET, [name]: SECRET })), undefined);
  }
});

describe('what is sent', () => {
  const url = new URL("https://api.example/a?where=1%3D1&$skip=5&area=1,2&k=old&kk=%20it's");
  const headers = { accept: 'text/csv' };
  const hosts = keyTo('api.example');

  test('has the key in the header that is named', () => {
    const sent = withKey(url, headers, { ...hosts, header: 'x-key' });
    assert.deepEqual(sent.headers, { accept: 'text/csv', 'x-key': SECRET });
    assert.equal(sent.url.href, url.href);
    assert.deepEqual(withKey(url, headers, null), { url, headers });
  });

  test('or in the query, once, with the other parameters as they are written', () => {
    const sent = withKey(url, headers, { ...hosts, query: 'k' });
    assert.deepEqual(sent.headers, headers);
    assert.equal(sent.url.search, `${url.search.replace('&k=old', '')}&k=${encodeURIComponent(SECRET)}`);
    assert.ok(!url.href.includes('s3cret'), 'the address that messages are made from has none');
    const bare = withKey(new URL('https://api.example/'), {}, { ...hosts, query: 'a.b' });
    assert.equal(bare.url.href, `https://api.example/?a.b=${encodeURIComponent(SECRET)}`);
  });

  test('goes nowhere else, whatever a redirect says', () => {
    for (const place of [{ header: 'x-key' }, { query: 'k' }])
      for (const elsewhere of ['http://api.example/', 'https://api.example:8443/', 'https://b.example/'])
        assert.throws(() => withKey(new URL(elsewhere), {}, { ...hosts, ...place }), { fault: 'forbidden' });
  });
});

test('a key is found in every way in which an address or JSON writes it', () => {
  for (const secret of [SECRET, 'a b&c="d"', 'plain', "ü~'(1)*", '\\"']) {
    const inAddress = new URL('https://api.example/');
    inAddress.searchParams.set('k', secret);
    const texts = [
      secret,
      JSON.stringify({ secret }),
      JSON.stringify({ secret }).replaceAll('/', '\\/'),
      inAddress.href,
      `?k=${encodeURIComponent(secret)}`,
      `?k=${encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())}`,
    ];
    for (const text of texts) {
      assert.ok(holdsSecret(Buffer.from(`[1, ${text}, 2]`), [secret]), text);
      const shown = withoutSecrets(`x ${text} y`, [secret]);
      assert.ok(shown.includes('withheld') && !holdsSecret(Buffer.from(shown), [secret]), shown);
    }
    assert.ok(!holdsSecret(Buffer.from(publicUrl(inAddress.href, [secret])), [secret]));
  }
  assert.ok(!holdsSecret(Buffer.from('[1, 2]'), [SECRET]));
});
