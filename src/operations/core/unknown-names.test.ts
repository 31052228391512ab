import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { buildLookup } from '../../domain/city/lookup.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { findUnknownName, withUnknownFields, withUnknownNames } from './unknown-names.ts';

const registry = loadRegistry(cityDir('singapore'));
const names = { registry, lookup: buildLookup(registry.pockets) };
const outlet = registry.outlets.find(({ active }) => active);
const inactive = registry.outlets.find(({ active }) => !active);
assert.ok(outlet && inactive);

describe('findUnknownName', () => {
  const known: Record<string, unknown>[] = [
    {},
    { pocket_id: 'joochiat', pocket_id_b: 'siglap', outlet_id: outlet.id, query: 'anything', limit: 3 },
    { generator: 'pocket_projection_60m' },
    { generator: 'pocket-projection-60m' },
    { month_iso: '2020-01', slug: 'none' },
  ];
  for (const given of known) {
    test(`${JSON.stringify(given)} is known`, () => assert.equal(findUnknownName(given, names), undefined));
  }

  const unknown: [given: Record<string, string>, flag: string, similar: string[]][] = [
    [{ pocket_id: 'JOOCHIAT' }, 'unknown_pocket', ['joochiat']],
    [{ pocket_id: 'tiong bahru' }, 'unknown_pocket', ['tiongbahru']],
    [{ pocket_id: 'Tiong Baru' }, 'unknown_pocket', ['tiongbahru']],
    [{ pocket_id: 'tanjong pagar' }, 'unknown_pocket', []],
    [{ pocket_id: 'atlantis' }, 'unknown_pocket', []],
    [{ pocket_id: '__proto__' }, 'unknown_pocket', []],
    [{ pocket_id_a: 'siglap', pocket_id_b: 'Holland Village' }, 'unknown_pocket', ['holland']],
    [{ outlet_id: outlet.id.toUpperCase() }, 'unknown_outlet', [outlet.id]],
    [{ outlet_id: outlet.name }, 'unknown_outlet', [outlet.id]],
    [{ outlet_id: inactive.id }, 'unknown_outlet', []],
    [{ outlet_id: inactive.name }, 'unknown_outlet', []],
    [
      { generator: 'projection' },
      'unknown_generator',
      ['pocket_projection_60m', 'pocket_projection_120m', 'pocket_projection_180m'],
    ],
    [{ generator: 'zzz' }, 'unknown_generator', []],
  ];
  for (const [given, flag, did_you_mean] of unknown) {
    test(`${JSON.stringify(given)} → ${flag}, ${did_you_mean}`, () => {
      const found = findUnknownName(given, names);
      assert.deepEqual(found?.fields, { [flag]: true, did_you_mean });
      assert.deepEqual(voiceFaults(found.sentence), [], found.sentence);
    });
  }

  test('two unknown names are named each, the same one once', () => {
    const both = findUnknownName({ pocket_id_a: 'JOOCHIAT', pocket_id_b: 'atlantis' }, names);
    assert.deepEqual(both, {
      fields: { unknown_pocket: true, did_you_mean: ['joochiat'] },
      sentence:
        "no pocket has the id 'JOOCHIAT'; similar: joochiat. no pocket has the id 'atlantis'; list_pockets names those that are observed.",
    });
    const twice = findUnknownName({ pocket_id_a: 'JOOCHIAT', pocket_id_b: 'JOOCHIAT' }, names);
    assert.equal(twice?.sentence, "no pocket has the id 'JOOCHIAT'; similar: joochiat.");
  });
});

describe('withUnknownNames', () => {
  const answered = { structured: { empty: true }, text: 'nothing yet.' };
  const sentence = "no pocket has the id 'atlantis'; list_pockets names those that are observed.";
  const marked = { empty: true, unknown_pocket: true, did_you_mean: [] };

  test('an answer about what exists is not changed', async () => {
    assert.deepEqual(await withUnknownNames({}, { pocket_id: 'siglap' }, names, answered), answered);
  });

  test('the text says which name is unknown, as far as the wording is free', async () => {
    const text = async (notFoundText?: 'extended') => {
      const rules = notFoundText ? { notFoundText } : {};
      const answer = await withUnknownNames(rules, { pocket_id: 'atlantis' }, names, answered);
      assert.deepEqual(answer.structured, marked);
      return answer.text;
    };
    assert.equal(await text(), sentence);
    assert.equal(await text('extended'), `nothing yet.\n${sentence}`);
  });

  test('a period without a report, with the latest that have one', async () => {
    const reported = ['2026-10', '2026-09', '2026-08', '2026-07'];
    const ask = (given: Record<string, string>, periods = reported) =>
      withUnknownNames({ reportedPeriods: async () => periods }, given, names, answered);
    assert.deepEqual(await ask({ month_iso: '2026-08' }), answered);
    assert.deepEqual(await ask({}), answered);
    assert.deepEqual(await ask({ month_iso: '2020-01' }), {
      structured: { empty: true, unknown_month: true, did_you_mean: ['2026-10', '2026-09', '2026-08'] },
      text: 'nothing yet. the latest months that have one: 2026-10, 2026-09, 2026-08.',
    });
    assert.deepEqual(await ask({ week_iso: '2026-W01' }, []), {
      structured: { empty: true, unknown_week: true, did_you_mean: [] },
      text: 'nothing yet.',
    });
    assert.deepEqual((await ask({ month_iso: '2020-01', pocket_id: 'atlantis' })).structured, marked);
  });
});

test('a schema gets the fields that its arguments can bring, in every variant', () => {
  const output = Type.Union([Type.Object({ a: Type.Null() }), Type.Object({ b: Type.Null() })]);
  const fieldNames = (schema: unknown) => Object.keys((schema as { properties: object }).properties);
  const both = withUnknownFields(output, { pocket_id: Type.String() }, false) as { anyOf?: unknown[] };
  assert.deepEqual(both.anyOf?.map(fieldNames), [
    ['a', 'unknown_pocket', 'did_you_mean'],
    ['b', 'unknown_pocket', 'did_you_mean'],
  ]);
  const input = { month_iso: Type.String(), generator: Type.String() };
  const one = (hasPeriods: boolean) =>
    fieldNames(withUnknownFields(Type.Object({ a: Type.Null() }), input, hasPeriods));
  assert.deepEqual(one(true), ['a', 'unknown_month', 'unknown_generator', 'did_you_mean']);
  assert.deepEqual(one(false), ['a', 'unknown_generator', 'did_you_mean']);
  assert.equal(withUnknownFields(output, { limit: Type.Integer() }, true), output);
});
