import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { glossary } from '../../web/site/glossary.ts';
import { fromLatin1Body } from '../cache/latin1-body.ts';
import { completer } from './complete.ts';
import { documents } from './resources/documents.ts';

const registry = loadRegistry(cityDir('singapore'));
const complete = completer({ registry });

const prompt = (name: string) => ({ type: 'ref/prompt', name });
const template = (uri: string) => ({ type: 'ref/resource', uri });
const pocketTemplate = template('pocket://{id}');

function askCompletion(ref: object, name: string, value: string, own = complete) {
  const outcome = own({ ref, argument: { name, value } });
  assert.ok('result' in outcome, JSON.stringify(outcome));
  return JSON.parse(fromLatin1Body(outcome.result)).completion as {
    values: string[];
    total: number;
    hasMore: boolean;
  };
}
const completedValues = (ref: object, name: string, value: string) => askCompletion(ref, name, value).values;

describe('pocket ids', () => {
  test('all of them where nothing is typed', () => {
    const ids = registry.pockets.map(({ id }) => id);
    assert.deepEqual(askCompletion(pocketTemplate, 'id', ''), {
      values: ids,
      total: ids.length,
      hasMore: false,
    });
  });

  test('by the beginning of the id, the name, an alias, or a word of them', () => {
    assert.deepEqual(completedValues(pocketTemplate, 'id', 'tio'), ['tiongbahru']);
    assert.deepEqual(completedValues(pocketTemplate, 'id', 'TIONG B'), ['tiongbahru']);
    assert.ok(completedValues(pocketTemplate, 'id', 'bahru').includes('tiongbahru'));
    for (const { id, aliases } of registry.pockets)
      for (const alias of aliases)
        assert.ok(completedValues(pocketTemplate, 'id', alias).includes(id), alias);
    assert.deepEqual(completedValues(prompt('explain_silence'), 'pocket', 'dem'), ['dempsey']);
    assert.deepEqual(completedValues(pocketTemplate, 'id', 'zzz'), []);
    assert.deepEqual(completedValues(pocketTemplate, 'id', 'x'.repeat(100_000)), []);
  });

  test('those whose id begins so come first', () => {
    const [first] = completedValues(pocketTemplate, 'id', 'holland');
    assert.equal(first, 'holland');
  });

  test('a hundred at most, with their number', () => {
    const [pocket] = registry.pockets;
    assert.ok(pocket);
    const pockets = Array.from({ length: 10_000 }, (_, n) => ({ ...pocket, id: `p${n}`, aliases: [] }));
    const { values, total, hasMore } = askCompletion(
      pocketTemplate,
      'id',
      '',
      completer({ registry: { ...registry, pockets } }),
    );
    assert.deepEqual([values.length, total, hasMore], [100, 10_000, true]);
  });
});

test('slugs of the glossary and the formulas lead to sections', () => {
  for (const name of ['glossary', 'formulas'] as const) {
    const ref = template(`pocketwatch://${name}/{slug}`);
    const { values, total } = askCompletion(ref, 'slug', '');
    assert.ok(total >= values.length && values.length > 0);
    for (const slug of values) assert.ok(documents[name].sections.has(slug), slug);
  }
  assert.deepEqual(completedValues(template('pocketwatch://formulas/{slug}'), 'slug', 'calm p'), [
    'calm-probability',
  ]);
  const term = glossary.flatMap(({ terms }) => terms).find(({ aliases }) => aliases.length);
  assert.ok(
    completedValues(template('pocketwatch://glossary/{slug}'), 'slug', term?.aliases[0]?.name ?? '').includes(
      term?.slug ?? '',
    ),
  );
});

test('arguments of prompts: places, intents, days, outlets; of a time nothing is offered', () => {
  assert.ok(completedValues(prompt('plan_afternoon'), 'place', 'tiong').includes('Tiong Bahru'));
  assert.ok(completedValues(prompt('plan_afternoon'), 'purpose', 'work').includes('work-friendly'));
  assert.deepEqual(completedValues(prompt('plan_afternoon'), 'day', 'sa'), ['saturday']);
  const { name } = registry.outlets.find(({ active }) => active) ?? assert.fail();
  assert.ok(completedValues(prompt('brief_merchant'), 'outlet', name.slice(0, 4)).includes(name));
  const closed = registry.outlets.find(({ active }) => !active) ?? assert.fail();
  assert.ok(!completedValues(prompt('brief_merchant'), 'outlet', closed.name).includes(closed.name));
  assert.deepEqual(completedValues(prompt('explain_silence'), 'time', ''), []);
});

describe('refused', () => {
  const table: [params: Record<string, unknown>, message: string][] = [
    [{}, 'ref must be an object'],
    [{ ref: pocketTemplate }, 'argument must have a name and a value, both strings'],
    [
      { ref: pocketTemplate, argument: { name: 'id', value: 7 } },
      'argument must have a name and a value, both strings',
    ],
    [
      { ref: { type: 'x' }, argument: { name: 'id', value: '' } },
      'ref.type must be one of ref/prompt, ref/resource',
    ],
    [{ ref: prompt('no_such'), argument: { name: 'id', value: '' } }, 'unknown prompt: no_such'],
    [{ ref: prompt('explain_silence'), argument: { name: 'x', value: '' } }, 'unknown argument: x'],
    [{ ref: template('constructor'), argument: { name: 'id', value: '' } }, 'unknown template: constructor'],
    [{ ref: pocketTemplate, argument: { name: 'slug', value: '' } }, 'unknown argument: slug'],
  ];
  for (const [params, message] of table)
    test(message, () => {
      assert.deepEqual(complete(params), { code: -32602, message: `invalid params: ${message}` });
    });
});
