import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import { noStore } from '../../store/engine/open.ts';
import { asking, composeOperations } from './compose-operations.ts';
import { defineOperation, NotFound } from './define.ts';

const world = {
  registry: city,
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
  first: asking(echo, { word }),
  second: asking(echo, { word: 'b', times: 3 }),
}));

test('each answer under its name, with what was asked, and every line in the text', async () => {
  assert.deepEqual(await both.answer({ word: 'a' }, world), {
    structured: { first: { said: 'aa' }, second: { said: 'bbb' }, asked: { word: 'a' } },
    text: 'said aa.\nsaid bbb.',
  });
});

test('what one of them refuses, all refuse', async () => {
  await assert.rejects(both.answer({ word: 'none' }, world), NotFound);
});

test('a question that is ill put is our own fault, not the caller’s', async () => {
  const ill = composeOperations('ill', {}, () => ({ part: asking(echo, { word: 'a', times: 10 }) }));
  await assert.rejects(ill.answer({}, world), { name: 'Error', message: 'echo: times must be 1-9' });
});
