import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { hostChecker, writeChecker } from './cross-site.ts';

const baseUrl = 'https://watch.example/city';
const sites = { origins: ['https://lab.example'], hosts: ['inner.example'] };
const loopbackAddresses = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'];
const otherAddresses = ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', undefined];

describe('the host of a request', () => {
  const check = hostChecker(baseUrl, sites);
  const checkStatus = (localAddress: string | undefined, ...hosts: string[]) => {
    const rawHeaders = ['accept', '*/*', ...hosts.flatMap((host) => ['Host', host])];
    return check({ rawHeaders, socket: { localAddress } } as IncomingMessage)?.status;
  };
  const own = [
    'localhost',
    'LOCALHOST:3000',
    'localhost.',
    'a.localhost',
    '127.0.0.1:1',
    '127.1.2.3',
    '[::1]:80',
  ];
  const named = ['watch.example', 'Watch.Example:443', 'inner.example:3000'];
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.0.2.1',
    '',
    'a b',
    '[::2]',
  ];

  for (const address of loopbackAddresses) {
    test(`on ${address}: a loopback name, that of BASE_URL, or one that is allowed`, () => {
      for (const host of [...own, ...named]) assert.equal(checkStatus(address, host), undefined, host);
      for (const host of foreign) assert.equal(checkStatus(address, host), 403, host);
      assert.equal(checkStatus(address), undefined);
    });
  }
  for (const address of otherAddresses) {
    test(`on ${address}: any`, () => {
      for (const host of [...own, ...named, ...foreign])
        assert.equal(checkStatus(address, host), undefined, host);
    });
  }
  test('is given once', () => {
    for (const address of [...loopbackAddresses, ...otherAddresses]) {
      assert.equal(checkStatus(address, 'localhost', 'localhost'), 400);
      assert.equal(checkStatus(address, 'watch.example', 'evil.example'), 400);
    }
  });
});

describe('a write', () => {
  const check = writeChecker(baseUrl, sites);
  const checkStatus = (headers: Record<string, string>, localAddress = '192.0.2.1') => {
    try {
      check({
        headers: { 'content-type': 'application/json', ...headers },
        socket: { localAddress, localPort: 3000 },
      } as unknown as IncomingMessage);
      return 200;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };

  test('is JSON', () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8'])
      assert.equal(checkStatus({ 'content-type': type }), 200, type);
    for (const type of [
      'text/plain',
      '',
      'application/x-www-form-urlencoded',
      'text/plain; application/json',
    ])
      assert.equal(checkStatus({ 'content-type': type }), 415, type);
  });

  test('comes from no page, from one of this service, or from a site that is allowed', () => {
    assert.equal(checkStatus({}), 200);
    for (const origin of ['https://watch.example', 'https://lab.example'])
      assert.equal(checkStatus({ origin }), 200, origin);
    for (const origin of [
      ...['https://evil.example', 'null', '', 'http://watch.example', 'https://watch.example:8443'],
      ...['https://watch.example, https://evil.example', 'https://watch.example.evil.example'],
    ])
      assert.equal(checkStatus({ origin }), 403, origin);
  });

  test('on a loopback address may come from a page of its own port', () => {
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
      for (const address of loopbackAddresses) assert.equal(checkStatus({ origin }, address), 200, origin);
      assert.equal(checkStatus({ origin }), 403, origin);
    }
    for (const origin of ['http://localhost:8080', 'http://localhost', 'http://localhost.evil.example:3000'])
      assert.equal(checkStatus({ origin }, '127.0.0.1'), 403, origin);
  });
});
