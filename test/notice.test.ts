// NOTICE names every licence that the files of cities and the docs of feeds name.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allAdapters } from '../src/sources/live/all.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = (...patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted());
/** Without line breaks, since a long text goes over several lines. */
const notice = read('NOTICE').replaceAll(/\s+/g, ' ');

/** What stands in place of a licence where only the publisher can name it. */
const unnamed = [
  ...["the operator's", "the city's", "the counter's owner", 'differs by station'],
  ...['stated with the dataset', 'stated by each operator', 'stated by each operator in system_information'],
  'named in sources.json',
];

const cityFiles = files('cities/*/*.json').filter((path) => !path.startsWith('cities/schema/'));

/** The texts under a key, at any depth; those inside of an object under it too. */
function textsUnder(key: string, node: unknown, isUnder = false): string[] {
  if (typeof node === 'string') return isUnder ? [node] : [];
  return Object.entries(node ?? {}).flatMap(([name, child]) =>
    textsUnder(key, child, isUnder || name === key),
  );
}

const stated = (key: string): { from: string; text: string }[] => [
  ...cityFiles.flatMap((from) => textsUnder(key, JSON.parse(read(from))).map((text) => ({ from, text }))),
  ...files('docs/sources.md', 'docs/sources/*.md').flatMap((from) =>
    [...read(from).matchAll(new RegExp(`"${key}": "(.+)"`, 'g'))].map(([, text = '']) => ({ from, text })),
  ),
  ...allAdapters.map(({ name, about }) => ({ from: name, text: about[key as 'licence'] })),
];

test('every licence is in NOTICE, with its address where a city has one', () => {
  const licences = stated('licence');
  for (const { from, text } of licences)
    assert.ok(unnamed.includes(text) || notice.includes(text), `${from}: ${text}`);
  for (const text of [
    ...unnamed,
    'ODbL 1.0',
    'dl-de/by-2-0',
    'https://data.gov.sg/open-data-licence',
    'WAQI terms',
  ])
    assert.ok(
      licences.some((licence) => licence.text === text),
      `the test finds ${text}`,
    );
});

test('every attribution of a shipped city is in NOTICE as the publisher words it', () => {
  const own = stated('attribution').filter(({ from }) => !from.startsWith('docs/'));
  assert.ok(own.some(({ text }) => text === '© OpenStreetMap contributors'));
  for (const { from, text } of own) assert.ok(notice.includes(text), `${from}: ${text}`);
});

test('every file of copied data is in NOTICE, and every live city', () => {
  const copied = files('cities/*/outline.json', 'cities/*/places.json');
  const live = files('cities/*/sources.json').map((path) => path.replace('/sources.json', ''));
  for (const path of [...copied, ...live]) assert.ok(notice.includes(path), path);
});
