import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotFound } from '../../operations/core/define.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { HttpError } from './errors.ts';
import { orFromPrimary } from './from-primary.ts';

const none: Reader = { all: async () => [], get: async () => undefined };
const replica: Reader = { ...none, primary: none };
/** Answers where there is no primary behind, and refuses with `error` elsewhere. */
const unlessReplica = (error: unknown) => async (store: Reader) => {
  if (store.primary) throw error;
  return 'found';
};

test('what a replica does not have is looked for in the primary', async () => {
  for (const missing of [new NotFound('no such entry'), new HttpError(404, 'no such tile yet')])
    assert.equal(await orFromPrimary(replica, unlessReplica(missing)), 'found');
  const size = new HttpError(400, 'to must be 0-98');
  assert.equal(await orFromPrimary(replica, unlessReplica(size), 400), 'found');
});

test('any other fault stays, and what nobody has is asked for once where there is no replica', async () => {
  for (const error of [new HttpError(400, 'bad'), new StoreError('unavailable'), new Error('a mistake')])
    await assert.rejects(orFromPrimary(replica, unlessReplica(error)), error);
  let asked = 0;
  const missing = new NotFound('no such entry');
  const refuse = async () => {
    asked += 1;
    throw missing;
  };
  await assert.rejects(orFromPrimary(none, refuse), missing);
  assert.equal(asked, 1);
  await assert.rejects(orFromPrimary(replica, refuse), missing);
  assert.equal(asked, 3);
});

test('while the primary is away, what the replica does not have is not found', async () => {
  const missing = new NotFound('no such entry');
  const answer = async (store: Reader) => {
    throw store.primary ? missing : new StoreError('unavailable');
  };
  await assert.rejects(orFromPrimary(replica, answer), missing);
});
