import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { noStore } from '../../store/engine/open.ts';
import { bindArguments, composeOperations, nullWithoutStore } from './compose-operations.ts';
import { defineOperation, NotFound } from './define.ts';

const context = {
  registry: city,
  zone: singapore,
  lookup: buildLookup([]),
  store: noStore(),
  now: 7,
  baseUrl: 'https://x.test',
};

const echo = defineOperation({
  name: 'echo',
  title: 'Echo',
  description: 'Echoes.',
  input: { word: Type.String(), times: Type.Integer({ minimum: 1, maximum: 9, default: 2 }) },
  output: Type.Object({ said: Type.String() }),
  effect: 'read',
  load: ({ word, times }) => {
    if (word === 'none') throw new NotFound('no such word');
    return word.repeat(times);
  },
  shape: (said) => ({ said }),
  speak: ({ said }) => `said ${said}.`,
});

const both = composeOperations('both', { word: Type.String() }, ({ word }) => ({
  first: bindArguments(echo, { word }),
  second: bindArguments(echo, { word: 'b', times: 3 }),
}));

test('has each answer under the name of its part, the arguments, and all texts', async () => {
  assert.deepEqual(await both.answer({ word: 'a' }, context), {
    structured: { first: { said: 'aa' }, second: { said: 'bbb' }, asked: { word: 'a' } },
    text: 'said aa.\nsaid bbb.',
  });
});

test('an error of one part is an error of the whole', async () => {
  await assert.rejects(both.answer({ word: 'none' }, context), NotFound);
});

test('a page with a part that reads the log must say so', async () => {
  const part = bindArguments({ ...echo, readsLog: true }, { word: 'a' });
  const silent = composeOperations('silent', {}, () => ({ part: nullWithoutStore(part) }));
  await assert.rejects(silent.answer({}, context), /silent has a part that reads the log/);
  const declared = composeOperations('declared', {}, () => ({ part }), { readsLog: true });
  assert.equal(declared.readsLog, true);
  assert.equal((await declared.answer({}, context)).text, 'said aa.');
});

test('invalid arguments of a part are an internal error, not a fault of the caller', async () => {
  const ill = composeOperations('ill', {}, () => ({ part: bindArguments(echo, { word: 'a', times: 10 }) }));
  await assert.rejects(ill.answer({}, context), { name: 'Error', message: 'echo: times must be 1-9' });
});
