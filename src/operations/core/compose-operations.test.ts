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
  substrate: 'simulated' as const,
  now: 7,
  baseUrl: 'https://x.test',
};

const echo = defineOperation({
  name: 'echo',
  title: 'Echo',
  description: 'Echoes.',
  input: { word: Type.String(), times: Type.Integer({ minimum: 1, maximum: 9, default: 2 }) },
  output: Type.Object({ said: Type.String() }),
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

test('has each answer under the name of its part, the arguments, and no text', async () => {
  assert.deepEqual(await both.answer({ word: 'a' }, context), {
    structured: { first: { said: 'aa' }, second: { said: 'bbb' }, asked: { word: 'a' } },
    text: '',
  });
});

test('counts the rows of its parts, with defaults', () => {
  const counted = { ...echo, rows: ({ times }: { word: string; times: number }) => times };
  const parts = () => ({
    one: bindArguments(counted, { word: 'a' }),
    two: bindArguments(counted, { word: 'b', times: 3 }),
  });
  assert.equal(composeOperations('counted', {}, parts).rows?.({}, { pockets: [], outlets: [] }), 5);
});

test('the text of an operation is composed only when it is read', async () => {
  let composed = 0;
  const counting = defineOperation({
    name: 'counting',
    title: 'Counting',
    description: 'Counts.',
    input: {},
    output: Type.Object({}),
    load: () => undefined,
    shape: () => ({}),
    speak: () => `text ${++composed}.`,
  });
  const page = composeOperations('page', {}, () => ({ part: bindArguments(counting) }));
  await page.answer({}, context);
  assert.equal(composed, 0);
  assert.equal((await counting.answer({}, context)).text, 'text 1.');
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
  assert.deepEqual((await declared.answer({}, context)).structured.part, { said: 'aa' });
});

test('invalid arguments of a part are an internal error, not a fault of the caller', async () => {
  const ill = composeOperations('ill', {}, () => ({ part: bindArguments(echo, { word: 'a', times: 10 }) }));
  await assert.rejects(ill.answer({}, context), { name: 'Error', message: 'echo: times must be 1-9' });
});
