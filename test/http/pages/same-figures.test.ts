// For one stored moment every page, tool, REST address, feed, badge and card that shows its calm, window, outlets or reason
// shows the same one. A surface that shows such a figure and is not in the table (test/support/surfaces) fails.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import type { Outlet } from '../../../src/domain/city/city.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../../src/domain/time/slot.ts';
import { type AnswerOf, callableTools } from '../../../src/operations/core/define.ts';
import type { getDealProposal } from '../../../src/operations/merchant/get-deal-proposal.ts';
import type { getPocketMoment } from '../../../src/operations/pocket/get-pocket-moment.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { writeOutletAndCitizenSignals } from '../../../src/store/observation/snapshots.ts';
import { pocketCard } from '../../../src/web/share/all.ts';
import { allEndpoints } from '../../support/answers/openapi-document.ts';
import { argumentsFor, sampleIds } from '../../support/answers/operation-answers.ts';
import { sampleAddress } from '../../support/answers/sample-addresses.ts';
import { knowUsual } from '../../support/pipeline/known-usual.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { ask, post } from '../../support/services/http-client.ts';
import { browserHeaders } from '../../support/services/pages.ts';
import { callTool, NOON, startService } from '../../support/services/service.ts';
import type { Answer, Surface } from '../../support/surfaces/extract.ts';
import {
  type Figure,
  figureNames,
  type StoredMoment,
  signs,
  storedMoment,
} from '../../support/surfaces/figures.ts';
import { operationSurfaces } from '../../support/surfaces/operation-surfaces.ts';
import { pageSurfaces } from '../../support/surfaces/page-surfaces.ts';

/** The evening before, from which the service runs on with its usual known. */
const EVENING = NOON - 14 * HOUR;
/** Few pockets, with one that speaks often and one that is mostly silent. */
const CITY = ['chipbee', 'frankel', 'holland', 'dempsey', 'tiongbahru'];
const AFTERNOON = NOON + 3 * HOUR;
const { url, service, store, clock, pipeline } = await startService(
  { after: after as TestContext['after'] },
  { now: EVENING, days: 1, usual: false, registry: smallCity(CITY) },
);
const { registry } = service;
const table: Record<string, Surface> = { ...operationSurfaces, ...pageSurfaces };
const endpoints = (await allEndpoints(url)).filter(({ method }) => method === 'get');
const tools = callableTools(service.operations);

/** The service runs on until a line is said, so that the newest rows of all surfaces are those of its moment. */
let last = EVENING;
await knowUsual(store, registry);
// How full outlets usually are takes a week to know; the rest of that week is not asked about.
await store.transaction(async (tx) => {
  for (let slot = EVENING - 8 * DAY; slot <= EVENING - DAY; slot += SLOT)
    await writeOutletAndCitizenSignals(tx, slot, await pipeline.source.observe(slot));
});
const isSaidAt = (slot: number) => store.get('select 1 from packages where slot = ?', slot);
while ((last < AFTERNOON || !(await isSaidAt(last))) && last < NOON + 8 * HOUR) {
  last += SLOT;
  clock.now = last;
  await runDue(pipeline, last);
}
await service.dataVersion.refresh();
const ids = await sampleIds(url);

const latest = async (table: string, where = '') =>
  (await store.get<{ pocket_id: string; slot: number }>(
    `select pocket_id, slot from ${table} where slot <= ${last} ${where} order by slot desc, pocket_id limit 1`,
  )) ?? assert.fail(`no row of ${table}`);

/** The four hours of the day that the journeys are made at, a silence, and a line that was just said. */
const cases = {
  'ten to midnight': { pocket_id: 'tiongbahru', slot: NOON - 12 * HOUR - SLOT },
  'three in the morning': await latest('pauses', `and kind = 'quiet_hours' and slot = ${NOON - 9 * HOUR}`),
  'nine in the morning': { pocket_id: 'tiongbahru', slot: NOON - 3 * HOUR },
  'three in the afternoon': { pocket_id: 'tiongbahru', slot: AFTERNOON },
  silence: await latest('silences', "and pocket_id = 'tiongbahru'"),
  line: await latest('packages', `and slot = ${last}`),
};
/** When the surfaces are asked. */
const LATER = 5 * MINUTE;

const readable = (html: string): string => {
  const spoken = [...html.matchAll(/ (?:alt|content|title|aria-label)="([^"]*)"/g)].map(([, text]) => text);
  const text = `${html.replace(/<head>.*?<\/head>/s, '').replace(/<[^>]*>/g, ' ')} ${spoken.join(' ')}`;
  return text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replace(/\s+/g, ' ');
};

/** One of the pocket for which there is a proposal now; where there is none, any. */
async function findOutlet(pocket: string): Promise<Outlet | undefined> {
  const outlets = registry.outlets.filter(({ active, pocket_id }) => active && pocket_id === pocket);
  for (const outlet of outlets) {
    const reply = await ask(`${url}/api/deal-proposal?outlet=${outlet.id}`);
    if (reply.json<AnswerOf<typeof getDealProposal>>().proposal) return outlet;
  }
  return outlets[0];
}

/** Every GET address, asked about the pocket and the decision of the moment. */
async function* addresses(moment: StoredMoment): AsyncGenerator<[name: string, answer: Answer]> {
  const outlet = await findOutlet(moment.pocket);
  for (const endpoint of endpoints) {
    const { operationId: name, path } = endpoint;
    const about = {
      ...{ pocket_id: moment.pocket, pocket_id_a: moment.pocket, outlet_id: outlet?.id ?? 'none' },
      ...(name.endsWith('explanation') && { id: moment.explanation }),
    };
    const query = table[name]?.query?.(moment);
    const address = `${sampleAddress(endpoint, service, ids, about)}${query ? `?${query}` : ''}`;
    const reply = await ask(url + address, path.startsWith('/api/') ? {} : { headers: browserHeaders });
    const type = String(reply.headers['content-type']);
    if (reply.status !== 200 || type.startsWith('image/png')) continue;
    const json = type.startsWith('application/json') ? reply.json() : undefined;
    yield [name, { json, text: /html|svg/.test(type) ? readable(reply.text) : reply.text }];
  }
}

/** Every tool but the one that writes, as clients of both eras of MCP get it. */
async function* toolAnswers({ pocket }: StoredMoment): AsyncGenerator<[name: string, answer: Answer]> {
  for (const tool of tools.filter(({ effect }) => effect !== 'append')) {
    const {
      at: _time,
      day: _day,
      hour: _hour,
      near: _near,
      purpose: _purpose,
      ...given
    } = argumentsFor(tool, service);
    const args = {
      ...given,
      ...('pocket_id' in given && { pocket_id: pocket }),
      ...('pocket_id_a' in given && { pocket_id_a: pocket }),
      ...('top_n' in tool.input.properties && { top_n: 10 }),
      ...(tool.name === 'plan_visit' && { place: pocket }),
      ...(tool.name === 'explain_time' && { at: 'now' }),
    };
    const earlier = await callTool(url, tool.name, args);
    const stateless = await callStateless(tool.name, args);
    assert.deepEqual(
      [stateless.structuredContent, stateless.content],
      [earlier.structuredContent, earlier.content],
      tool.name,
    );
    yield [tool.name, { json: earlier.structuredContent, text: earlier.content[0]?.text ?? '' }];
  }
}

const VERSION = '2026-07-28';
async function callStateless(name: string, args: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const reply = await post(
    `${url}/api/mcp`,
    {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args, _meta: meta },
    },
    { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': name },
  );
  return reply.json<{ result: { structuredContent: unknown; content: unknown } }>().result;
}

describe('the figures of one moment', () => {
  const found = new Set<string>();
  for (const [title, { pocket_id: pocket, slot }] of Object.entries(cases))
    test(`are the same on every surface: ${title}`, async () => {
      clock.now = slot + LATER;
      const moment = await storedMoment(store, registry, { pocket, slot, now: clock.now });
      const faults: string[] = [];
      const check = (name: string, kind: string, answer: Answer) => {
        const { shows = {}, otherwise = {} } = table[name] ?? {};
        const whole = `${answer.text} ${JSON.stringify(answer.json)}`;
        for (const figure of figureNames) {
          const values = shows[figure]?.(answer, moment) ?? [];
          if (values.length) found.add(`${name} ${figure}`);
          // A page shows three decimals.
          for (const value of new Set(values))
            if (value !== moment.figures[figure] && Number(value) !== Number(moment.figures[figure]))
              faults.push(`${kind} ${name}: ${figure} is ${value}, not ${moment.figures[figure]}`);
          const sign = new RegExp(signs[figure].source, signs[figure].flags.replace('g', '')).exec(whole);
          if (sign && !(figure in shows) && !(figure in otherwise))
            faults.push(`${kind} ${name} shows ${figure} (“${sign[0]}”) and is not in the table`);
        }
      };
      for await (const [name, answer] of addresses(moment)) check(name, 'address', answer);
      for await (const [name, answer] of toolAnswers(moment)) check(name, 'tool', answer);
      assert.deepEqual(faults, []);
    });

  test('are found on every surface that the table names', () => {
    const named = Object.entries(table).flatMap(([name, { shows }]) =>
      (Object.keys(shows) as Figure[]).map((figure) => `${name} ${figure}`),
    );
    assert.deepEqual(
      named.filter((one) => !found.has(one)),
      [],
    );
  });

  test('are those of the picture that previews of links show', async () => {
    const { pocket_id: pocket, slot } = cases.silence;
    clock.now = slot + LATER;
    const { figures } = await storedMoment(store, registry, { pocket, slot, now: clock.now });
    const moment = (await ask(`${url}/api/moment?pocket=${pocket}`)).json<AnswerOf<typeof getPocketMoment>>();
    const site = { ...service, builtAt: '', notice: null };
    const card = pocketCard(site, { moment, asked: { pocket_id: pocket } });
    assert.match(card.calm?.label ?? '', new RegExp(`calm \\(${figures.chance}\\s?%\\)`, 'i'));
    assert.equal(/until (\d\d:\d\d)/.exec(card.calm?.label ?? '')?.[1] ?? null, figures.clock);
  });
});
