// The OpenAPI document against the service, whatever state that is in: no answer of any address is outside of it, with
// and without `fields`, for questions that are answered and for those that are refused.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR } from '../../../src/domain/time/slot.ts';
import { rowFields } from '../../../src/operations/core/list-fields.ts';
import { allEndpoints, type Endpoint, readOpenApi } from '../../support/answers/openapi-document.ts';
import { argumentsFor, type SampleIds, sampleIds } from '../../support/answers/operation-answers.ts';
import { replyChecker } from '../../support/answers/published-replies.ts';
import { sampleAddress } from '../../support/answers/sample-addresses.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { type Condition, conditions, type Started } from '../../support/services/conditions.ts';
import { ask, post, type Reply } from '../../support/services/http-client.ts';
import { NOON, startService } from '../../support/services/service.ts';

type Start = Condition['start'];

const ORDINARY = 'an ordinary day';
const EVERY = process.env.FAULTS === 'all' ? 1 : 6;
const twoPockets = smallCity(['dempsey', 'tiongbahru']);

const states: [title: string, start: Start][] = [
  // Ten thousand pockets have answers of the same shapes, and take long to ask for.
  ...conditions.filter(({ isLarge }) => !isLarge).map(({ title, start }): [string, Start] => [title, start]),
  ['a night', (t) => startService(t, { now: NOON - 9 * HOUR, days: 1 / 2, registry: twoPockets })],
  ['an hour of history', (t) => startService(t, { days: 1 / 24, registry: twoPockets })],
  [
    'a week without anything new',
    async (t) => {
      const started = await startService(t);
      started.clock.now = NOON + 7 * DAY;
      return started;
    },
  ],
  ['no datastore', (t) => startService(t, { place: 'none' })],
  [
    'used-up limits',
    (t) => startService(t, { readLimit: 1, mcpLimit: 1, legitimacyLimit: 1, submitLimit: 1 }),
  ],
];

/** Arguments are checked before anything is read, so states that differ in what is stored refuse the same ones. */
const differInRows =
  /^(?:a pipeline that has stopped|a first start|a city of one pocket|a night|an hour of history|a week without)/;

/** Where nothing can be read or written. Asking for them is a 404, which is in the document too. */
const noIds: SampleIds = {
  ...{ package: 'none', silence: 'none', pause: 'quiet_hours:none', prediction: 'none', submission: 'none' },
};

/**
 * Addresses of one endpoint, first of something that does not exist and with the fewest parameters: answered, with each
 * choice and flag, with `fields`, and refused, `withWrong` by each parameter.
 */
function sampleAddresses(
  endpoint: Endpoint,
  { service }: Started,
  ids: SampleIds,
  withWrong: boolean,
): string[] {
  const { operationId, parameters = [] } = endpoint;
  const about = { pocket_id: service.registry.pockets[0]?.id };
  const least = sampleAddress(endpoint, service, ids, about);
  const add = (query: string) => `${least}${least.includes('?') ? '&' : '?'}${query}`;
  const named = parameters.flatMap(({ name, in: place, example, schema }) => {
    if (place !== 'query') return [];
    const { enum: choices = schema.type === 'boolean' ? [true, false] : [] } = schema as { enum?: unknown[] };
    const wrong = withWrong ? ['atlantis', '0', ''] : [];
    const values = [...choices, ...(example === undefined ? [] : [example]), ...wrong];
    return values.map((value) => add(new URLSearchParams([[name, String(value)]]).toString()));
  });
  const operation = service.operations.find(({ name }) => name === operationId);
  const fields = operation?.list === undefined ? [] : rowFields(operation.output(), operation.list);
  const chosen = [fields[0], fields.at(-1), fields.join()].filter(Boolean);
  return [
    endpoint.path.replaceAll(/{(\w+)}/g, 'none'),
    least,
    ...named,
    ...chosen.map((names) => add(`fields=${names}`)),
    add('utm_source=x'),
  ];
}

async function collectReplies(
  endpoint: Endpoint,
  started: Started,
  addresses: readonly string[],
): Promise<[address: string, Reply][]> {
  const { url, service } = started;
  const { path, method, operationId } = endpoint;
  if (method === 'post') {
    const operation = service.operations.find(({ name }) => name === operationId);
    const known = operation ? argumentsFor(operation, service) : { jsonrpc: '2.0', id: 1, method: 'ping' };
    const bodies = [known, { ...known, pocket_id: 'atlantis' }, {}, '{'];
    return Promise.all(
      bodies.map(
        async (body): Promise<[string, Reply]> => [JSON.stringify(body), await post(url + path, body)],
      ),
    );
  }
  const replies: [string, Reply][] = [];
  const problem = { accept: 'application/problem+json' };
  for (const address of addresses) {
    // The live stream does not end.
    if (operationId === 'live_stream' && !address.includes('atlantis')) continue;
    replies.push([address, await ask(url + address)]);
  }
  const [first = ''] = addresses;
  if (operationId !== 'live_stream') replies.push([first, await ask(url + first, { headers: problem })]);
  const etag = replies[1]?.[1].headers.etag;
  if (etag !== undefined)
    replies.push([first, await ask(url + replies[1]?.[0], { headers: { 'if-none-match': String(etag) } })]);
  return replies;
}

for (const [nth, [title, start]] of states.entries()) {
  describe(`no answer is outside of the document: ${title}`, () => {
    test('every address', async (t) => {
      const started = await start(t);
      const { components } = await readOpenApi(started.url);
      const ids = await sampleIds(started.url).catch(() => noIds);
      const findFaults = replyChecker(components.schemas);
      const faults: string[] = [];
      const seen = new Set<number>();
      const withWrong = !differInRows.test(title);
      for (const endpoint of await allEndpoints(started.url)) {
        if (!endpoint.path.startsWith('/api/')) continue;
        const addresses = sampleAddresses(endpoint, started, ids, withWrong).filter(
          (_, n) => n < 2 || title === ORDINARY || (n + nth) % EVERY === 0,
        );
        for (const [address, reply] of await collectReplies(endpoint, started, addresses)) {
          seen.add(reply.status);
          faults.push(...findFaults(endpoint, reply).map((fault) => `${address} → ${fault}`));
        }
      }
      assert.deepEqual(faults.slice(0, 50), []);
      // Past its limit nobody is told what is wrong with a question.
      for (const status of title === 'used-up limits' ? [429, 404] : [400, 404])
        assert.ok(seen.has(status), [...seen].join());
      if (/store/.test(title)) assert.ok(seen.has(503));
    });
  });
}
