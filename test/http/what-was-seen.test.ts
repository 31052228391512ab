// What every tool's text says of the readings behind it: simulated or a replay, and when they were read.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import type { Substrate } from '../../src/domain/signals/signal.ts';
import { MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { operationContext } from '../../src/http/answers/render-answer.ts';
import { checkArguments } from '../../src/operations/core/arguments.ts';
import { callableTools, type Operation } from '../../src/operations/core/define.ts';
import { readingsBetween, writeReadings } from '../../src/store/observation/readings.ts';
import { sharedReplies } from '../../src/web/share/all.ts';
import { parseIcal } from '../../src/web/share/ical.fixture.ts';
import { argumentsFor } from '../support/answers/operation-answers.ts';
import { childElements, childText, parseXml } from '../support/answers/xml.ts';
import { writeReports } from '../support/rows/reports.ts';
import { ask } from '../support/services/http-client.ts';
import { getPage } from '../support/services/pages.ts';
import { callTool, type Settings, startService } from '../support/services/service.ts';

const afterAll = { after: after as TestContext['after'] };

/** Their texts name pockets that match, or what was submitted: nothing that was read. */
const withoutReadings = ['lookup_pocket_by_name', 'submit_benchmark_predictions'];
/** The interface words what they answer where there is no current moment. */
const notFound: Record<string, string> = {
  get_pocket_moment: 'no moment composable for tiongbahru — substrate may be thin.',
  get_pocket_moment_quality: 'no MQS data for tiongbahru yet — substrate may be thin.',
};
/** Answers about whole days of the past, whatever is read now. */
const ofPastDays: Record<string, string> = {
  get_weekly_report: '2 to 8 november 2026',
  get_state_of_pocket: '1 to 31 october 2026',
  get_state_of_restraint: '1 to 31 october 2026',
  get_legitimacy_index_today: '11 november 2026',
  explain_time: '11 november 2026',
  what_changed: '10 to 11 november 2026',
};

async function start(settings: Partial<Settings> = {}) {
  const started = await startService(afterAll, settings);
  const { url, service, clock } = started;
  if (settings.days !== 0) await writeReports(started.store);
  const given = (operation: Operation) => {
    const samples = argumentsFor(operation, service);
    const { required = [], properties } = operation.input;
    return Object.fromEntries(
      required.flatMap((name) => ('default' in (properties[name] ?? {}) ? [] : [[name, samples[name]]])),
    );
  };
  return {
    url,
    store: started.store,
    service,
    clock,
    tools: callableTools(service.operations),
    told: async (operation: Operation, more: object = {}) => {
      const { content, structuredContent } = await callTool(url, operation.name, {
        ...given(operation),
        ...more,
      });
      return { text: content[0]?.text ?? '', structured: structuredContent ?? {} };
    },
    /** What the operation itself says, before anything is added. */
    own: async (operation: Operation) => {
      const read = checkArguments(operation.input, given(operation));
      assert.ok(read.ok);
      const { text } = await operation.answer(read.input, operationContext(service));
      return text.replaceAll(/(?<=\s)\/api\//g, `${service.baseUrl}/api/`);
    },
  };
}

const origins: Record<Substrate, RegExp> = {
  simulated: /simulated/,
  replay: /replay of (?:\d+(?: [a-z]+)? to )?\d+ [a-z]+ 2026/,
  live: /^$/,
};

for (const substrate of ['simulated', 'replay', 'live'] as const)
  describe(`${substrate} readings`, async () => {
    const { tools, told, own } = await start({ substrate });
    for (const operation of tools) {
      const { name } = operation;
      test(`${name} says so`, async () => {
        const { text, structured } = await told(operation);
        if (withoutReadings.includes(name)) {
          assert.doesNotMatch(text, /simulated|replay|newest reading/);
          return;
        }
        // What the tool has to say stays first, and whole.
        const said = await own(operation);
        assert.ok(text.startsWith(said), text);
        const added = text.slice(said.length);
        assert.ok(added.length < 80 && added.split('\n').length <= 2, added);
        for (const [kind, words] of Object.entries(origins))
          if (kind !== 'live') assert.equal(words.test(added), kind === substrate, `${name}: ${text}`);
        const days = ofPastDays[name];
        if (days !== undefined) assert.ok(added.includes(days), text);
        else {
          assert.match(text, /12:00 SGT/, 'the time of the reading');
          assert.equal(added.includes('newest reading 12:00 SGT'), !said.includes('12:00 SGT'), text);
        }
        // Composed lines are for people who read nothing else: they carry none of it.
        assert.doesNotMatch(JSON.stringify(structured), /newest reading|replay of/);
      });
    }
  });

/** Addresses that are seen without the pages of the service, and what of each reply people see. */
const sharedPaths: Record<string, (body: string) => string[]> = {
  '/badge/pocket/:pocket_id.svg': (body) => [
    [...body.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words = '']) => words).join(' '),
  ],
  '/embed/pocket/:pocket_id': (body) => [body],
  '/share/:pocket_id': (body) => [body],
  '/pocket/:pocket_id/calm.ics': (body) => {
    const calendar = parseIcal(body);
    return [calendar.text('NAME'), ...calendar.components.map((event) => event.text('SUMMARY'))];
  },
  '/pocket/:pocket_id/stream.rss': rssTitles,
  '/pocket/:pocket_id/forecasts.rss': rssTitles,
  '/stream.rss': rssTitles,
  '/forecasts.rss': rssTitles,
  '/feed.json': (body) =>
    (JSON.parse(body) as { items: { title: string }[] }).items.map(({ title }) => title),
};

function rssTitles(body: string): string[] {
  const [channel] = parseXml(body).children;
  const items = channel ? childElements(channel, 'item') : [];
  return items.map((item) => childText(item, 'title'));
}

test('all that other sites show is looked at', () => {
  for (const { path } of sharedReplies) assert.ok(path in sharedPaths, path);
});

for (const substrate of ['simulated', 'replay', 'live'] as const)
  test(`badge, card, calendar and feeds of ${substrate} readings say so, each entry of them`, async () => {
    const { url } = await start({ substrate });
    for (const [path, seenOf] of Object.entries(sharedPaths)) {
      const { text, status } = await ask(url + path.replace(':pocket_id', 'frankel'));
      assert.equal(status, 200, path);
      const seen = seenOf(text);
      assert.ok(seen.length > 0, path);
      for (const words of seen) {
        assert.equal(/simulated/i.test(words), substrate === 'simulated', `${path}: ${words}`);
        assert.equal(/replay of 1[01] Nov 2026/i.test(words), substrate === 'replay', `${path}: ${words}`);
      }
      if (/badge|embed/.test(path)) for (const words of seen) assert.match(words, /12:00 SGT/, path);
    }
  });

describe('readings that have stopped', async () => {
  const { tools, told, clock } = await start();
  clock.now += 50 * MINUTE;
  for (const operation of tools) {
    const { name } = operation;
    test(`${name} says so first, unless it has nothing to tell`, async () => {
      const { text, structured } = await told(operation);
      const [first] = text.split('\n');
      const late = 'the newest reading is of 12:00 SGT, 50 minutes ago.';
      if (notFound[name] !== undefined)
        assert.equal(text, `${notFound[name]} nothing has been measured here since 12:15.`);
      else if (withoutReadings.includes(name) || structured.available === false)
        assert.doesNotMatch(text, /newest reading|simulated/);
      else if (ofPastDays[name] !== undefined) assert.notEqual(first, late);
      else assert.equal(first, late);
    });
  }
});

test('where one pocket is no longer read, its page and its tools say so first, and those of others do not', async () => {
  const { url, store, clock, tools, told, service } = await start();
  const [reading] = await readingsBetween(store, 'dempsey', clock.now - SLOT, clock.now);
  assert.ok(reading);
  await store.transaction((tx) =>
    writeReadings(
      tx,
      [1, 2, 3].map((slots) => ({ ...reading, slot: reading.slot + slots * SLOT })),
    ),
  );
  clock.now += 50 * MINUTE;
  await service.dataVersion.refresh();
  const atmosphere = tools.find(({ name }) => name === 'get_pocket_atmosphere') ?? assert.fail();
  const toldText = async (pocket_id: string) => (await told(atmosphere, { pocket_id })).text;
  assert.match(await toldText('tiongbahru'), /^the newest reading is of 12:00 SGT, 50 minutes ago\.\n/);
  assert.match(await toldText('dempsey'), /^dempsey at 12:45 SGT/);
  const page = async (pocket: string) => (await getPage(`${url}/pocket/${pocket}`)).text;
  // Right under the heading, as of the quarter hour that the page was made for.
  const words =
    /<h1>[^<]*<\/h1>\s*<p class="note old">The newest reading is 45 min old: <time[^>]*>11 Nov 2026, 12:00 SGT</;
  assert.match(await page('tiongbahru'), words);
  assert.doesNotMatch(await page('dempsey'), /class="note old"/);
});

test('before anything was read, and of a pocket that does not exist, nothing is said to be read', async () => {
  const [empty, full] = [await start({ days: 0 }), await start()];
  const words = /simulated, |simulated\.|newest reading/;
  for (const operation of empty.tools) assert.doesNotMatch((await empty.told(operation)).text, words);
  for (const operation of full.tools) {
    if (!('pocket_id' in operation.input.properties)) continue;
    const { text, structured } = await full.told(operation, { pocket_id: 'atlantis' });
    assert.equal(structured.unknown_pocket, true);
    assert.doesNotMatch(text, words, operation.name);
  }
});
