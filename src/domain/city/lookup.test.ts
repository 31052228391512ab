import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import type { Pocket } from './city.ts';
import { buildLookup } from './lookup.ts';
import { normalise } from './name-index.ts';

const { pockets } = loadRegistry(cityDir('singapore'));
const lookup = buildLookup(pockets);
const [template] = pockets;
assert.ok(template);

const place = (id: string, name: string, changes: Partial<Pocket> = {}): Pocket => ({
  ...template,
  id,
  name,
  region: 'Elsewhere',
  aliases: [],
  ...changes,
});

describe('normalise', () => {
  const cases: [string, string][] = [
    ['Joo  Chiat', 'joo chiat'],
    ['Café-Décor_12', 'cafe decor 12'],
    ["St. John's", 'st johns'],
    ['ＨＯＬＬＡＮＤ', 'holland'],
    ['hol\u200bland', 'holland'],
    ['荷兰村！', '荷兰村'],
    ['\ud800 x \udfff', 'x'],
    ['🙂 — …', ''],
  ];
  for (const [raw, folded] of cases) {
    test(JSON.stringify(raw), () => assert.equal(normalise(raw), folded));
  }
});

describe('find', () => {
  const first: [query: string, id: string, least: number, most: number][] = [
    ['tiongbahru', 'tiongbahru', 1, 1],
    ['Holland Village', 'holland', 1, 1],
    ['  HOLLAND-village ', 'holland', 1, 1],
    ['holland v', 'holland', 1, 1],
    ['HV', 'holland', 1, 1],
    ['jooChiat', 'joochiat', 1, 1],
    ['haji-lane', 'hajilane', 1, 1],
    ['tiong bahru estate', 'tiongbahru', 1, 1],
    ['hollnd vilage', 'holland', 0.8, 0.99],
    ['tiong baru', 'tiongbahru', 0.8, 0.99],
    ['keong siak', 'keongsaik', 0.8, 0.99],
    ['dempsy', 'dempsey', 0.8, 0.99],
    ['serine centre', 'serene', 0.8, 0.99],
    ['frankl av', 'frankel', 0.7, 0.99],
    ['katong tanjong', 'tanjongkatong', 0.9, 0.99],
    ['lane haji', 'hajilane', 0.9, 0.99],
    ['uppe thom', 'upperthomson', 0.6, 0.99],
    ['hol', 'holland', 0.4, 0.8],
    ['荷兰村', 'holland', 1, 1],
    ['荷蘭村', 'holland', 1, 1],
    ['荷兰', 'holland', 0.5, 0.9],
    ['兰村', 'holland', 0.4, 0.9],
    ['中峇鲁', 'tiongbahru', 1, 1],
    ['如切', 'joochiat', 1, 1],
    ['恭锡街', 'keongsaik', 1, 1],
    ['现在荷兰村安静吗？', 'holland', 0.75, 0.99],
    ['Tanjung Katong', 'tanjongkatong', 1, 1],
    ['Lorong Haji', 'hajilane', 1, 1],
    ['Kampung Siglap', 'siglap', 1, 1],
    ['is it calm in tiong bahru now?', 'tiongbahru', 0.7, 0.99],
    ['is it calm in tiong baru now?', 'tiongbahru', 0.5, 0.99],
    ['anywhere quiet near hv tonight', 'holland', 0.7, 0.99],
    ['isitcalmintiongbahrunow', 'tiongbahru', 0.7, 0.99],
    ['is it quiet in tanglin now', 'tanglinhalt', 0.5, 0.9],
    ['tiong bahru market', 'tiongbahru', 0.9, 1],
    ['holland road', 'holland', 0.9, 0.99],
    ['chinatown', 'keongsaik', 0.4, 0.7],
    ['somewhere in queenstown', 'buonavista', 0.4, 0.7],
  ];
  for (const [query, id, least, most] of first) {
    test(`${query} → ${id}`, () => {
      const [match] = lookup.find(query);
      assert.equal(match?.pocket_id, id);
      assert.ok(match.confidence >= least && match.confidence <= most, `${match.confidence}`);
    });
  }

  // They share a word with a pocket and are other places.
  const elsewhere = [
    ...['Tanjong Pagar', 'tanjung pagar', 'TANJONG RHU', 'Johor Bahru', 'Kota Bharu', 'Kampong Bahru'],
    ...['Joo Koon', 'Joo Seng', 'Upper Serangoon', 'Upper Changi', 'is it calm in johor bahru?'],
    ...['丹戎巴葛', '新山'],
  ];
  for (const query of elsewhere) {
    test(`${query} is not a pocket`, () => {
      const named = lookup.find(query).filter(({ region }) => region !== 'Tanglin');
      for (const { pocket_id, confidence } of named)
        assert.ok(confidence < 0.25, `${pocket_id} ${confidence}`);
    });
  }

  test('returns the pocket with its registry data', () => {
    const siglap = pockets.find(({ id }) => id === 'siglap');
    assert.deepEqual(lookup.find('siglap')[0], {
      pocket_id: 'siglap',
      display_name: 'Siglap',
      lat: siglap?.lat,
      lng: siglap?.lng,
      region: 'East Coast',
      confidence: 1,
    });
  });

  test('a region returns its pockets, none with certainty', () => {
    const matches = lookup.find('east coast');
    assert.deepEqual(
      matches.map(({ pocket_id, confidence }) => [pocket_id, confidence]),
      [
        ['frankel', 0.6],
        ['joochiat', 0.6],
        ['siglap', 0.6],
      ],
    );
  });

  test('a shared alias returns every pocket that has it, in the order of ids', () => {
    const ids = lookup.find('botanic gardens').map(({ pocket_id, confidence }) => [pocket_id, confidence]);
    assert.deepEqual(ids, [
      ['cluny', 1],
      ['serene', 1],
    ]);
  });

  for (const query of [
    '',
    '   ',
    'zzzzqqq',
    '🙂',
    '\ud83d',
    '؟؟؟',
    'orchard road',
    'gardens by the bay',
    'what is the weather today',
    'village',
    'changi airport',
    '樟宜机场',
    'constructor',
    '__proto__',
  ]) {
    test(`${JSON.stringify(query)} finds nothing`, () => assert.deepEqual(lookup.find(query), []));
  }

  test('without pockets there are no matches', () => assert.deepEqual(buildLookup([]).find('holland'), []));

  test('a pocket is found among thousands', () => {
    const crowd = Array.from({ length: 3000 }, (_, n) =>
      place(`p${n}`, `Block ${n} Bahar`, { region: 'West' }),
    );
    const among = buildLookup([...crowd, place('tiong', 'Tiong Bahru', { aliases: ['tb'] })]);
    for (const query of ['tiong baru', 'is it calm in tiong bahru', 'west of tb', 'bahru tiong']) {
      assert.equal(among.find(query)[0]?.pocket_id, 'tiong', query);
    }
    assert.equal(among.find('block 2718 bahar')[0]?.pocket_id, 'p2718');
    assert.deepEqual(
      among.find('west').map(({ confidence }) => confidence),
      [0.6, 0.6, 0.6],
    );
  });
});

describe('suggest', () => {
  test('offers the most similar names first', () => {
    assert.deepEqual(lookup.suggest('Tanjong Pagar'), ['Tanjong Katong']);
    assert.deepEqual(lookup.suggest('tion bru'), ['Tiong Bahru']);
    assert.deepEqual(lookup.suggest('holand'), ['Holland Village']);
  });

  for (const query of ['Orchard', 'Orchard Road', 'bugis', 'changi', 'jurong', 'seletar', 'zzzzqqq', ''])
    test(`offers nothing for ${query || 'nothing'}, which is similar to no name`, () => {
      assert.deepEqual(lookup.suggest(query), []);
    });

  test('without pockets there is nothing to offer', () => {
    assert.deepEqual(buildLookup([]).suggest('holland'), []);
  });
});

describe('for any query', () => {
  const words = pockets.flatMap(({ name, region, aliases }) => [name, region, ...aliases]);
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 90 }),
    fc.string({ unit: 'grapheme', maxLength: 90 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 90 })
      .map((units) => String.fromCharCode(...units)),
    fc
      .array(fc.constantFrom(...words, 'is', 'in', 'the', 'calm', '?'), { maxLength: 8 })
      .map((all) => all.join(' ')),
    fc.constantFrom(...words).chain((word) => fc.nat(word.length).map((at) => word.slice(at))),
  );

  test('returns at most three valid matches, sorted, the same each time', () => {
    const again = buildLookup(pockets);
    fc.assert(
      fc.property(anyText, (query) => {
        const matches = lookup.find(query);
        assert.ok(matches.length <= 3);
        for (const { confidence } of matches) {
          assert.ok(confidence >= 0.2 && confidence <= 1);
          assert.equal(confidence, Number(confidence.toFixed(3)));
        }
        const sorted = matches.toSorted(
          (a, b) => b.confidence - a.confidence || (a.pocket_id < b.pocket_id ? -1 : 1),
        );
        assert.deepEqual(matches, sorted);
        assert.equal(new Set(matches.map(({ pocket_id }) => pocket_id)).size, matches.length);
        assert.deepEqual(again.find(query), matches);
        assert.ok(lookup.suggest(query).length >= Math.min(1, matches.length));
        assert.ok(lookup.suggest(query).length <= 3);
      }),
    );
  });

  test('an exact name has confidence 1 in any script, Unicode form and spacing', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => normalise(text) !== '' && text.normalize('NFD').length < 70);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20, selector: normalise }), (names) => {
        const city = names.map((text, n) => place(`pocket-number-${n}`, text));
        const own = buildLookup(city);
        for (const { id, name } of city) {
          const certain = own.find(` ${name.normalize('NFD')}  `).filter((match) => match.confidence === 1);
          assert.ok(certain.length === 3 || certain.some(({ pocket_id }) => pocket_id === id), name);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a name longer than six letters is found with any one letter missing', () => {
    for (const { id, name } of pockets.filter((pocket) => pocket.name.length > 6)) {
      for (let at = 0; at < name.length; at++) {
        const query = name.slice(0, at) + name.slice(at + 1);
        assert.equal(lookup.find(query)[0]?.pocket_id, id, query);
      }
    }
  });

  test('a name is found with two neighbouring letters swapped', () => {
    const swap = fc
      .constantFrom(...pockets.filter(({ name }) => name.length > 6))
      .chain((pocket) => fc.tuple(fc.constant(pocket), fc.nat(pocket.name.length - 2)));
    fc.assert(
      fc.property(swap, ([{ id, name }, at]) => {
        const query = name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
        assert.equal(lookup.find(query)[0]?.pocket_id, id, query);
      }),
    );
  });
});
