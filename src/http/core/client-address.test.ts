import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitKey } from './client-address.ts';

const keys: [address: string, key: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
];

for (const [address, key] of keys)
  test(`${address || 'an unknown address'} counts as ${key || 'itself'}`, () =>
    assert.equal(limitKey(address), key));
