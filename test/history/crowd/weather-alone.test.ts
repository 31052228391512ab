// A city that measures nothing but the weather: nobody knows how full its streets are, so no surface says that one is
// calm, names a state or gives a window.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { primaryStates, withUnderscores } from '../../../src/domain/atmosphere/primary-state.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { callableTools } from '../../../src/operations/core/define.ts';
import { stateWords } from '../../../src/web/parts/place-words.ts';
import { allEndpoints } from '../../support/answers/openapi-document.ts';
import {
  argumentsFor,
  collectAnswers,
  type SampleIds,
  sampleIds,
} from '../../support/answers/operation-answers.ts';
import { sampleAddress } from '../../support/answers/sample-addresses.ts';
import { learnedCity, type Measured, sourceFrom } from '../../support/pipeline/learned-city.ts';
import { ask } from '../../support/services/http-client.ts';
import { browserHeaders } from '../../support/services/pages.ts';
import { callTool, serviceFor } from '../../support/services/service.ts';
import { type Figure, signs } from '../../support/surfaces/figures.ts';

const DAYS = 1;
const registry = learnedCity(
  ['tiongbahru', 'dempsey', 'holland'],
  ['rain_mm', 'temperature_c', 'humidity_pct'],
);

/** Warm by day and cold at night, with a shower now and then. */
function weatherAt(slot: number): Measured[] {
  const sun = Math.sin((Math.PI * (singapore.hourOfDay(slot) - 8)) / 12);
  return registry.pockets.flatMap(({ id: pocket_id }): Measured[] => [
    { kind: 'rain_mm', pocket_id, value: slot % (7 * SLOT) === 0 ? 0.4 : 0 },
    { kind: 'temperature_c', pocket_id, value: 15 + 5 * sun },
    { kind: 'humidity_pct', pocket_id, value: 60 - 15 * sun },
  ]);
}

/** Ids of decisions that there are none of, and that of a submission, which is sealed all the same. */
const askedIds = async (url: string): Promise<SampleIds> => ({
  ...{ package: 'none', silence: 'none', pause: 'quiet_hours:none', prediction: 'none' },
  submission: (await sampleIds(url)).submission,
});

/** They describe what answers may say: the docs, the schemas of tools and addresses, the glossary, what benchmarks take. */
const documentation = new Set([
  ...[
    'docs',
    'docs_address',
    'openapi',
    'manifest',
    'well_known_manifest',
    'llms_txt',
    'llms_full_txt',
    'mcp_changelog',
  ],
  ...['glossary', 'page_glossary', 'page_about', 'page_mcp', 'page_benchmark'],
]);
/** The calm that was asked for, which the text repeats. */
const ASKED_FOR = /with calm probability \d\.\d+ or more/g;

const shown: readonly Figure[] = [
  ...(['level', 'probability', 'minutes', 'end', 'windowEnd', 'clock', 'spokenEnd', 'chance'] as const),
];
const anyState = new RegExp(
  [...primaryStates, ...primaryStates.map(withUnderscores)].map((state) => `\\b${state}\\b`).join('|'),
);
/** In the words of pages; the legend of the map has those of rain. */
const anyStateInWords = new RegExp(
  Object.entries(stateWords)
    .filter(([state]) => state !== 'rain-subdued')
    .map(([, words]) => words)
    .join('|'),
  'i',
);

/** The figures of a reading, a moment or a forecast in a text. */
function faultsOfText(text: string): string[] {
  const said = text.replaceAll(ASKED_FOR, '');
  const patterns = [
    anyState,
    anyStateInWords,
    ...shown.map((figure) => new RegExp(signs[figure].source, 'i')),
  ];
  return patterns.flatMap((pattern) => pattern.exec(said)?.[0] ?? []);
}

const ofReading =
  /calm|stress|social_energy|productive|primary_state|expected_state|half_life|mqs|resonance|friction|fragility|legitimacy_score/;
/** Numbers that bear such a name and are counts or limits. */
const noReading = /^(?:calm_calls|min_calm_probability)$/;

/** The same in an answer: such a field with a number, a state anywhere, a window that is not null. */
function faultsOfJson(body: unknown, path = ''): string[] {
  if (typeof body === 'string') return anyState.test(body) ? [`${path}: ${body}`] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const own = `${path}.${name}`;
    if (typeof value === 'number' && ofReading.test(name) && !noReading.test(name))
      return [`${own}: ${value}`];
    // `window` alone is the period that was asked about.
    const isWindow = name !== 'window' && /window|expires_at|decay_at|best_at/.test(name) && value !== null;
    if (isWindow && (typeof value === 'object' ? Object.keys(value).length > 0 : /_at$/.test(name)))
      return [`${own}: ${JSON.stringify(value)}`];
    return faultsOfJson(value, own);
  });
}

const readable = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('a city of weather alone', () => {
  const started = serviceFor(async () => ({
    registry,
    source: sourceFrom(weatherAt),
    days: DAYS,
    usual: false,
  }));

  test('has measurements and no reading, decision or forecast', async () => {
    const { store } = started();
    const count = async (table: string) =>
      (await store.get<{ n: number }>(`select count(*) as n from ${table}`))?.n ?? 0;
    assert.equal(await count('env_snapshots'), (registry.pockets.length * DAYS * DAY) / SLOT);
    const gaps = await store.all<{ crowd_gap: string }>('select distinct crowd_gap from snapshots');
    assert.deepEqual(
      gaps.map(({ crowd_gap }) => crowd_gap),
      ['none'],
    );
    for (const table of [
      ...['atmosphere_readings', 'norms', 'moments', 'silences', 'pauses', 'packages', 'story_packs'],
      ...['predictions', 'reveals', 'scenario_outlooks', 'legitimacy_index', 'moment_briefs'],
      'ledger_entries',
      'ledger_bundles',
    ])
      assert.equal(await count(table), 0, table);
    const known = await store.all('select * from equilibrium_readings where composite is not null');
    assert.deepEqual(known, []);
  });

  test('no page, address, feed, badge or calendar shows a calm level, a state or a window', async () => {
    const { url, service } = started();
    const ids = await askedIds(url);
    const endpoints = (await allEndpoints(url)).filter(({ method }) => method === 'get');
    const faults: string[] = [];
    let checked = 0;
    for (const endpoint of endpoints) {
      const { operationId, path } = endpoint;
      if (documentation.has(operationId) || operationId.startsWith('asset_')) continue;
      const address = sampleAddress(endpoint, service, ids);
      const reply = await ask(url + address, path.startsWith('/api/') ? {} : { headers: browserHeaders });
      const type = String(reply.headers['content-type']);
      if (!/^(?:text|application|image\/svg)/.test(type)) continue;
      checked += 1;
      const found = type.startsWith('application/json')
        ? faultsOfJson(reply.json())
        : faultsOfText(/html|svg|xml/.test(type) ? readable(reply.text) : reply.text);
      faults.push(...found.map((fault) => `${address} ${fault}`));
    }
    assert.ok(checked > 80, `${checked}`);
    assert.deepEqual(faults, []);
  });

  test('no tool does, in its answer and in its text', async () => {
    const { url, service } = started();
    for (const tool of callableTools(service.operations).filter(({ effect }) => effect !== 'append')) {
      const { structuredContent, content } = await callTool(url, tool.name, argumentsFor(tool, service));
      assert.deepEqual(faultsOfJson(structuredContent), [], tool.name);
      for (const { text } of content) assert.deepEqual(faultsOfText(text), [], `${tool.name}: ${text}`);
    }
  });

  test('no operation does, whatever it is asked', async () => {
    const { url, service } = started();
    const ids = await askedIds(url);
    for (const operation of service.operations.filter(({ effect }) => effect !== 'append'))
      for (const { asked, structured } of await collectAnswers(operation, service, ids))
        assert.deepEqual(faultsOfJson(structured), [], `${operation.name} ${asked}`);
  });
});
