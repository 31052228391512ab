// The docs name every setting and field of every adapter and no others, and their examples work.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { FeedRequest } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import { bodyBytes } from './adapter.fixture.ts';
import { allAdapters, feedProblems } from './all.ts';
import { gbfs } from './gbfs.ts';
import { asLine, examplesOn, recipe, recipePoll } from './recipes.fixture.ts';

const readPage = (page: string): string => readFileSync(join(import.meta.dirname, '../../..', page), 'utf8');
const sections = readPage('docs/sources/adapters.md').split(/^## /m);

/** The names in the first column of a table. */
const namesIn = (section: string, header: string): string[] => {
  const [, table = ''] = section.split(`| ${header} | meaning |\n|---|---|\n`);
  const rows = table.split('\n\n')[0]?.split('\n') ?? [];
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
};
const settingNames = ({ settings }: (typeof allAdapters)[number]): string[] =>
  Object.keys((settings as unknown as { properties: object }).properties);

for (const adapter of allAdapters) {
  const { name, about } = adapter;
  const { fields } = about;
  if (fields)
    test(`docs/sources/adapters.md has the settings and fields of ${name}`, () => {
      const section = sections.find((each) => each.startsWith(`\`${name}\`\n`));
      assert.ok(section, name);
      assert.deepEqual(namesIn(section, 'setting').sort(), settingNames(adapter).sort());
      assert.deepEqual(namesIn(section, 'field').sort(), Object.keys(fields).sort());
    });
  else
    test(`docs/sources.md has the settings of ${name}`, () => {
      const text = readPage('docs/sources.md');
      for (const setting of settingNames(adapter)) assert.ok(text.includes(`\`${setting}\``), setting);
    });
}

test('docs/sources.md says how far each adapter of the list is tried', () => {
  const header =
    '| adapter | tested on recorded bodies | limits known | licence stated | faults named | what is missing |';
  const [, table = ''] = readPage('docs/sources.md').split(`${header}\n|---|---|---|---|---|---|\n`);
  const rows = (table.split('\n\n')[0] ?? '').split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  assert.deepEqual(
    rows.map(([name]) => name),
    allAdapters.map(({ name }) => `\`${name}\``),
  );
  for (const [i, { name, about }] of allAdapters.entries()) {
    const [, tested, limits, licence, ...rest] = rows[i] ?? [];
    assert.ok(rest.length === 2 && rest.every(Boolean), name);
    assert.match(tested ?? '', /^(yes|no), /, name);
    assert.equal(licence, about.licence, name);
    const { limit, fields } = about;
    if (limit) assert.equal(limits, `${limit.requests} requests in ${limit.seconds} s`, name);
    else assert.ok(limits && (!fields || limits === 'none stated'), name);
  }
});

describe('an example of docs/sources/adapters.md', () => {
  for (const feed of examplesOn('docs/sources/adapters.md') as Feed[])
    test(`${feed.id} is an entry that its adapter accepts`, () => assert.deepEqual(feedProblems(feed), []));

  test('citi-bike reads stations whose files are listed at another host', () => {
    const feed = recipe<Parameters<typeof gbfs.parse>[1]['settings']>('citi-bike');
    const poll = recipePoll();
    const files = (host: string) => ({
      last_updated: 1781085600,
      ttl: 60,
      data: {
        en: {
          feeds: ['station_information', 'station_status', 'free_bike_status'].map((name) => ({
            name,
            url: `https://${host}/gbfs/2.3/bkn/en/${name}.json`,
          })),
        },
      },
    });
    const file = (stations: object[]) => ({ last_updated: 1781085600, ttl: 60, data: { stations } });
    const ask = (body: unknown, request: FeedRequest | undefined) => {
      assert.ok(request);
      return gbfs.parse(bodyBytes(body), feed, request, poll);
    };
    const [first] = gbfs.requests(feed, poll);
    const listed = ask(files('gbfs.lyft.com'), first);
    assert.deepEqual(
      listed.next.map(({ url }) => url),
      ['https://gbfs.lyft.com/gbfs/2.3/bkn/en/station_information.json'],
    );
    const placed = ask(file([{ station_id: 's1', lat: 51.96, lon: 7.63 }]), listed.next[0]);
    const status = {
      station_id: 's1',
      is_installed: 1,
      is_renting: 1,
      is_returning: 1,
      num_bikes_available: 5,
      num_bikes_disabled: 1,
      num_docks_available: 18,
      last_reported: 1781085500,
    };
    const read = ask(file([status]), placed.next[0]);
    assert.deepEqual(read.measurements.map(asLine), [
      's1 bikes_available 5 2026-06-10T09:58',
      's1 docks_available 18 2026-06-10T09:58',
      's1 docks_taken_share 0.25 2026-06-10T09:58',
    ]);
    assert.throws(() => ask(files('elsewhere.example'), first), /at a host that may be asked/);
  });
});
