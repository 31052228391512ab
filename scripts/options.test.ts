import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../src/cli/runtime/command.ts';
import { wholeNumber } from './options.ts';

test('a whole number from 1 is read, anything else is a mistake of usage', () => {
  assert.equal(wholeNumber('rounds', '1'), 1);
  assert.equal(wholeNumber('rounds', '999999999'), 999_999_999);
  for (const given of ['', '0', '00', '007', '-1', '1.5', '1e3', ' 1', '1\n', '1000000000'])
    assert.throws(
      () => wholeNumber('rounds', given),
      new UsageError('--rounds is a whole number from 1'),
      given,
    );
});
