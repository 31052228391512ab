// Settings that fit the schema but not each other are refused before anything is fetched.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Adapter, FeedShapeError } from '../core/adapter.ts';
import { filesAdapter } from './files.ts';
import { genericCsv } from './generic-csv.ts';
import { genericJson } from './generic-json.ts';
import { mqttAdapter } from './mqtt.ts';
import { recipes } from './recipes.fixture.ts';

type Checked = Pick<Adapter<never>, 'name' | 'check'>;
const adapters: Checked[] = [genericJson, genericCsv, mqttAdapter, filesAdapter];
const check = (name: string, settings: object): void =>
  adapters.find((adapter) => adapter.name === name)?.check?.(settings as never);

for (const { id, adapter, settings } of recipes)
  test(`${id} of the docs holds together`, () => check(adapter, settings));

describe('settings are refused', () => {
  const url = 'https://city.example/';
  const base = { url, place: 'p', fields: { n: 'n' } };
  const cases: [adapter: string, settings: object, message: RegExp][] = [
    ['generic-json', { ...base, place: '{id}' }, /"\{id\}" is not a JSON pointer/],
    ['generic-json', { ...base, url: `${url}{id}` }, /`ids` is missing/],
    ['generic-json', { ...base, url: `${url}{where}` }, /unknown placeholder/],
    ['generic-json', { ...base, rows: 'results' }, /rows "results" is not a JSON pointer/],
    ['generic-json', { ...base, fields: { n: { at: 'n', unit: 'F', to: 'mm' } } }, /cannot be converted/],
    ['generic-json', { ...base, time: { at: 't', zone: 'Mars/Olympus' } }, /not a time zone/],
    ['generic-json', { ...base, time: { at: 't', format: 'HH:mm' } }, /has no year/],
    ['generic-json', { ...base, paging: { by: 'link', next: 'a b' } }, /"a b" is not a JSON pointer/],
    ['generic-json', { ...base, errors: [{ at: 'a b' }] }, /"a b" is not a JSON pointer/],
    ['generic-csv', { ...base, place: '{column}' }, /nothing gives a value for \{column\}/],
    ['generic-csv', { ...base, place: '{id}' }, /nothing gives a value for \{id\}/],
    ['generic-csv', { ...base, wide: { pattern: '(' } }, /not a regular expression/],
    [
      'generic-csv',
      { ...base, paging: { by: 'cursor', parameter: 'c', cursor: '/c' } },
      /only by offset or page/,
    ],
    [
      'mqtt',
      { url: 'mqtt://[b', topics: [{ topic: 'a/+place', fields: { n: 'n' } }] },
      /url is not an address/,
    ],
    ['mqtt', { url: 'mqtt://b', topics: [{ topic: 'a/+sensor', fields: { n: 'n' } }] }, /"\{place\}" is not/],
    ['mqtt', { url: 'mqtt://b', topics: [{ topic: '#/+place', fields: { n: 'n' } }] }, /# before its end/],
    ['files', { folder: 'f', json: { place: '{id}', fields: { n: 'n' } } }, /"\{id\}" is not/],
    ['files', { folder: 'f', json: { place: 'p', fields: {} }, csv: { place: 'p', fields: {} } }, /not both/],
  ];
  for (const [adapter, settings, message] of cases)
    test(`${adapter}: ${message.source}`, () => {
      assert.throws(
        () => check(adapter, settings),
        (error) => error instanceof FeedShapeError && message.test(error.message),
      );
    });
});
