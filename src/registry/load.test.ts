import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { categories } from '../domain/city/city.ts';
import { check } from './check.ts';
import { loadRegistry } from './load.ts';
import { RegistryError } from './registry-error.ts';

type Entry = Record<string, unknown>;
type Files = Record<'city' | 'pockets' | 'outlets' | 'intents' | 'holidays' | 'sources', unknown>;

const root = mkdtempSync(join(tmpdir(), 'registry-'));
after(() => rmSync(root, { recursive: true }));

const pocket = (changes: Entry = {}): Entry => ({
  id: 'harbour',
  name: 'Harbour Steps',
  region: 'Old Town',
  lat: -36.84,
  lng: 174.76,
  aliases: ['the steps', 'Ngā Hīkoi'],
  character: {
    summary: 'steps down to the water',
    footfall_peak: 400,
    rhythm: { early: 0.1, morning: 0.5, lunch: 1, afternoon: 0.5, evening: 0.6, night: 0.2 },
    weekend: 1.2,
    office: 0.3,
    transit: 0.4,
    traffic: 0.5,
    shelter: 0.2,
    green: 0.6,
    carpark_lots: 80,
  },
  ...changes,
});

const OUTLET = 'b1f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b11';
const outlet = (changes: Entry = {}): Entry => ({
  id: OUTLET,
  name: 'Ferry Bell',
  pocket_id: 'harbour',
  unit: 'shed 2',
  opens_at: '17:00',
  closes_at: '01:00',
  category: 'bar',
  active: true,
  seats: 20,
  typical_spend: 18.5,
  margin: 0.6,
  ...changes,
});

const intent = (changes: Entry = {}): Entry => ({
  slug: 'quiet-now',
  title: 'Quiet now',
  description: 'a calm place at this moment.',
  public_page: true,
  atmosphere: { calm: 1, stress: -1, social_energy: 0, productive: 0 },
  rain: 0,
  hours: [[7, 22.5]],
  categories: { cafe: 1 },
  ...changes,
});

const city = {
  name: 'Tāmaki',
  time_zone: 'Pacific/Auckland',
  currency: 'NZD',
  locale: 'en-NZ',
  weekend: [5, 6],
  substrate: 'simulated',
  scales: 'fixed',
  seed: 'harbour-one',
};

const small = (changes: Partial<Files> = {}): Files => ({
  city,
  pockets: [pocket()],
  outlets: [outlet()],
  intents: [intent()],
  holidays: [{ date: '2026-02-06', name: 'Waitangi Day' }],
  sources: undefined,
  ...changes,
});

/**
 * Writes a city to a folder of its own: an array becomes the list of its file, a Buffer or string goes in as it is,
 * undefined leaves the file out.
 */
function write(files: Files): string {
  const dir = mkdtempSync(join(root, 'city-'));
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const isList = Array.isArray(content) && name !== 'city';
    const raw =
      Buffer.isBuffer(content) || typeof content === 'string'
        ? content
        : JSON.stringify(isList ? { $schema: 'x', [name]: content } : content);
    writeFileSync(join(dir, `${name}.json`), raw);
  }
  return dir;
}

test('another city loads', () => {
  const registry = loadRegistry(write(small()));
  assert.equal(registry.city.name, 'Tāmaki');
  assert.equal(registry.pockets[0]?.name, 'Harbour Steps');
  assert.deepEqual(registry.holidays, ['2026-02-06']);
  assert.deepEqual(registry.holidayNames, { '2026-02-06': 'Waitangi Day' });
});

test('pockets may share an alias', () => {
  const shared = [pocket(), pocket({ id: 'quay', name: 'The Quay' })];
  assert.equal(loadRegistry(write(small({ pockets: shared }))).pockets.length, 2);
});

const clean = (most: number) =>
  `plain text of 1-${most} characters, with no control, invisible or direction-changing characters and no stray spaces`;
const character = (changes: Entry) => ({ character: { ...(pocket().character as Entry), ...changes } });
const day = (date: string) => ({ date, name: 'Day' });

const makers = { pockets: pocket, outlets: outlet, intents: intent };
const prefixes = {
  pockets: 'pockets.json: entry 1 (harbour): ',
  outlets: `outlets.json: entry 1 (${OUTLET}): `,
  intents: 'intents.json: entry 1 (quiet-now): ',
};
type List = keyof typeof makers;

/** One entry with the given changes, and the problem that is reported. */
const badEntries: [what: string, list: List, changes: Entry, problem: string][] = [
  ['a missing field', 'pockets', { region: undefined }, 'region is missing'],
  ['an unknown field', 'pockets', { colour: 1 }, 'colour is not a known field'],
  ['a latitude off the globe', 'pockets', { lat: 91 }, 'lat must be a number, -90 to 90'],
  ['a longitude in words', 'pockets', { lng: '174' }, 'lng must be a number, -180 to 180'],
  ['an empty name', 'pockets', { name: '' }, `name must be ${clean(60)}`],
  ['a name too long', 'pockets', { name: 'a'.repeat(61) }, `name must be ${clean(60)}`],
  ['a name of marks only', 'pockets', { name: '—!—' }, `name must be ${clean(60)}`],
  ['a control character', 'pockets', { name: 'Har\u0007bour' }, `name must be ${clean(60)}`],
  ['a line break', 'pockets', { region: 'Old\nTown' }, `region must be ${clean(60)}`],
  ['a direction override', 'outlets', { name: 'Ferry \u202eBell' }, `name must be ${clean(80)}`],
  ['a zero-width space', 'pockets', { aliases: ['ok', 'st\u200beps'] }, `aliases.1 must be ${clean(60)}`],
  ['an invisible letter', 'outlets', { name: 'Ferry\u3164Bell' }, `name must be ${clean(80)}`],
  ['a space at the end', 'outlets', { unit: 'shed ' }, `unit must be ${clean(30)}`],
  [
    'a loud summary',
    'pockets',
    character({ summary: 'Come now!' }),
    'character.summary must be plain lowercase text of 1-120 characters without exclamation marks',
  ],
  ['a share above one', 'pockets', character({ green: 2 }), 'character.green must be a number, 0 to 1'],
  ['no rhythm', 'pockets', character({ rhythm: 3 }), 'character.rhythm must be an object'],
  [
    'half a car park lot',
    'pockets',
    character({ carpark_lots: 1.5 }),
    'character.carpark_lots must be a whole number, 0 to 20000',
  ],
  ['a clock without a colon', 'outlets', { opens_at: '1700' }, 'opens_at must be HH:MM'],
  ['an hour past midnight', 'outlets', { closes_at: '24:00' }, 'closes_at must be HH:MM'],
  ['hours of no length', 'outlets', { closes_at: '17:00' }, 'closes_at must differ from opens_at'],
  ['no such pocket', 'outlets', { pocket_id: 'nowhere' }, 'pocket_id nowhere is not in pockets.json'],
  ['no such category', 'outlets', { category: 'pub' }, `category must be one of ${categories.join(', ')}`],
  ['a yes for true', 'outlets', { active: 'yes' }, 'active must be true or false'],
  ['an unknown weight', 'intents', { categories: { pub: 1 } }, 'categories.pub is not a known field'],
  [
    'a need of nothing known',
    'intents',
    { needs: ['sun'] },
    'needs.0 must be one of calm, rain, shelter, outlets',
  ],
  [
    'a need twice',
    'intents',
    { needs: ['calm', 'calm'] },
    'needs must be a list of calm, rain, shelter, outlets, each at most once',
  ],
  ['hours run backwards', 'intents', { hours: [[22, 2]] }, 'hours must each begin before they end'],
  ['hours of three', 'intents', { hours: [[7, 9, 11]] }, 'hours.0 must be [from, to]'],
  ['hours of one', 'intents', { hours: [[7]] }, 'hours.0 must be [from, to]'],
  ['an hour past the day', 'intents', { hours: [[7, 25]] }, 'hours.0.1 must be a number, 0 to 24'],
  ['no hours', 'intents', { hours: [] }, 'hours must be a list of 1-12 [from, to] pairs'],
];

const unique = 'must be unique, but entry 1 has it too';
const badFiles: [what: string, files: Partial<Files>, message: string | RegExp][] = [
  ['a missing file', { intents: undefined }, /^intents\.json is missing from .+city-/],
  ['a comma too many', { pockets: '[{"id":"a",}]' }, /^pockets\.json is not JSON in UTF-8: .+ position 11/],
  ['an empty file', { city: '' }, /^city\.json is not JSON in UTF-8: /],
  [
    'bytes that are no text',
    { holidays: Buffer.from([91, 255, 93]) },
    /^holidays\.json is not JSON in UTF-8/,
  ],
  ['an object without its list', { outlets: {} }, 'outlets.json must be an object with the list "outlets"'],
  ['a list alone', { outlets: '[]' }, 'outlets.json must be an object with the list "outlets"'],
  ['null', { outlets: 'null' }, 'outlets.json must be an object with the list "outlets"'],
  [
    'a field beside the list',
    { outlets: { outlets: [], notes: 'x' } },
    'outlets.json: notes is not a known field',
  ],
  ['a list for the city', { city: [] }, 'city.json: it must be an object'],
  [
    'a simulated city without a seed',
    { city: { ...city, seed: undefined } },
    'city.json: seed is missing: substrate is simulated',
  ],
  ['no substrate', { city: { ...city, substrate: undefined } }, 'city.json: substrate is missing'],
  [
    'a zone that does not exist',
    { city: { ...city, time_zone: 'Pacific/Atlantis' } },
    'city.json: time_zone Pacific/Atlantis is not in the IANA database',
  ],
  [
    'a currency that does not exist',
    { city: { ...city, currency: 'XQQ' } },
    'city.json: currency XQQ is not a currency of ISO 4217',
  ],
  [
    'a locale that does not exist',
    { city: { ...city, locale: 'qq-QQ' } },
    'city.json: locale qq-QQ is not a language tag that this machine knows',
  ],
  [
    'a prior that is upside down',
    { city: { ...city, priors: { pm25: { low: 30, high: 5 } } } },
    'city.json: priors.pm25.low must be below priors.pm25.high',
  ],
  [
    'a base that is no city',
    { city: { ...city, extends: 'nowhere' } },
    /^city\.json: extends must be the folder of a city, but \/.+\/nowhere is not one$/,
  ],
  [
    'a __proto__',
    { city: JSON.stringify(city).replace('}', ',"__proto__":{}}') },
    'city.json: __proto__ is not a known field',
  ],
  ['no pockets', { pockets: [], outlets: [] }, 'pockets.json must hold at least one pocket'],
  ['an entry that is null', { pockets: [null] }, 'pockets.json: entry 1: it must be an object'],
  [
    'an id that may not be printed',
    { pockets: [pocket({ id: 'Harbour!' })] },
    'pockets.json: entry 1: id must be 1-64 of lowercase letters, digits and hyphens',
  ],
  [
    'an id that is no UUID',
    { outlets: [outlet(), outlet({ id: 'bell' })] },
    'outlets.json: entry 2 (bell): id must be a UUID in lowercase',
  ],
  [
    'an id twice',
    { pockets: [pocket(), pocket({ name: 'Quay' })] },
    `pockets.json: entry 2 (harbour): id ${unique}`,
  ],
  [
    'a name twice',
    { pockets: [pocket(), pocket({ id: 'quay', name: 'HARBOUR-STEPS' })] },
    `pockets.json: entry 2 (quay): name ${unique}`,
  ],
  ['a UUID twice', { outlets: [outlet(), outlet()] }, `outlets.json: entry 2 (${OUTLET}): id ${unique}`],
  ['a slug twice', { intents: [intent(), intent()] }, `intents.json: entry 2 (quiet-now): slug ${unique}`],
  [
    'a holiday twice',
    { holidays: [day('2026-02-06'), day('2026-02-06')] },
    `holidays.json: entry 2 (2026-02-06): date ${unique}`,
  ],
  [
    'a date that never comes',
    { holidays: [day('2026-02-30')] },
    'holidays.json: entry 1 (2026-02-30): date must be a day of the calendar',
  ],
  [
    'a date in another order',
    { holidays: [day('06/02/2026')] },
    'holidays.json: entry 1: date must be a date, YYYY-MM-DD',
  ],
  [
    'several mistakes',
    { outlets: [outlet({ seats: -1, colour: 1, unit: undefined })] },
    ['unit is missing', 'colour is not a known field', 'seats must be a whole number, 0 to 5000']
      .map((problem) => prefixes.outlets + problem)
      .join('\n'),
  ],
];

describe('a broken registry', () => {
  for (const [what, list, changes, problem] of badEntries) {
    test(`${list} with ${what}`, () => {
      const files = small({ [list]: [makers[list](changes)] });
      assert.throws(() => loadRegistry(write(files)), {
        name: 'RegistryError',
        message: prefixes[list] + problem,
      });
    });
  }

  for (const [what, files, message] of badFiles) {
    test(`with ${what}`, () => {
      assert.throws(() => loadRegistry(write(small(files))), { name: 'RegistryError', message });
    });
  }

  test('is told what is wrong, and nobody looks for that in an entry that is right', () => {
    const Errors = () => assert.fail('it was looked for');
    const isRight = (_entry: unknown): _entry is unknown => true;
    assert.deepEqual(check({ Check: isRight, Errors }, {}, {}), []);
  });

  test('names at most twenty problems', () => {
    const many = Array.from({ length: 30 }, () => outlet({ seats: 'many' }));
    try {
      loadRegistry(write(small({ outlets: many })));
      assert.fail('it loaded');
    } catch (error) {
      assert.ok(error instanceof RegistryError);
      assert.equal(error.problems.length, 21);
      assert.equal(error.problems.at(-1), 'and 10 more');
    }
  });

  test('never prints untrusted text unescaped', () => {
    const files = small({ pockets: [pocket({ 'colour\u202e\n\u001b[31m': 1 })] });
    assert.throws(() => loadRegistry(write(files)), {
      message: `${prefixes.pockets}colour\\u{202e}\\u{a}\\u{1b}[31m is not a known field`,
    });
  });

  test('is refused with a plain message, for any value of a field', () => {
    const anyField = fc
      .constantFrom<List>('pockets', 'outlets', 'intents')
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.constantFrom(...Object.keys(makers[list]())), fc.jsonValue()),
      );
    fc.assert(
      fc.property(anyField, ([list, field, value]) => {
        const dir = write(small({ [list]: [makers[list]({ [field]: value })] }));
        try {
          loadRegistry(dir);
        } catch (error) {
          assert.ok(error instanceof RegistryError);
          assert.match(error.message, /^\w+\.json: entry 1/);
          assert.doesNotMatch(error.message, /must be undefined|[^\P{C}\n]/u);
        } finally {
          rmSync(dir, { recursive: true });
        }
      }),
      { numRuns: 100 },
    );
  });
});
