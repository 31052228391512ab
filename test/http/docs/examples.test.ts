// Every example of the OpenAPI document, asked as it stands there, at four hours of the city's day.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SLOT } from '../../../src/domain/time/slot.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import { type Endpoint, listEndpoints, readOpenApi } from '../../support/answers/openapi-document.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { ask, post } from '../../support/services/http-client.ts';
import { NOON, serviceFor } from '../../support/services/service.ts';

/** The address with its required parameters, and once more with each of the others. */
function exampleAddresses({ path, parameters = [] }: Endpoint): string[] {
  const exampleOf = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
  const filled = path.replaceAll(/{(\w+)}/g, (_, name: string) => exampleOf[name] ?? '');
  const inQuery = parameters.filter((own) => own.in === 'query' && own.example !== undefined);
  const required = inQuery.filter((own) => own.required);
  const withThese = (own: typeof inQuery) =>
    `${filled}${own.some(({ description }) => description.startsWith('with format=csv')) ? '?format=csv&' : '?'}${new URLSearchParams(own.map(({ name }): [string, string] => [name, exampleOf[name] ?? '']))}`;
  const others = inQuery.filter((own) => !own.required);
  return [required, ...others.map((own) => [...required, own])].map(withThese);
}

/** Without one, nothing that could be named exists yet. */
const hasExamples = ({ parameters = [] }: Endpoint) =>
  parameters.every(({ required, example }) => !required || example !== undefined);

/** One service for all hours: each goes on with the history of the one before. */
const service = serviceFor(async () => ({
  // Those that the examples name.
  registry: smallCity(['dempsey', 'holland', 'tiongbahru']),
}));

async function writeHistoryUntil(now: number): Promise<void> {
  const { clock, pipeline, service: context } = service();
  clock.now = now;
  await backfill(pipeline, { from: NOON - DAY + SLOT, now });
  await context.dataVersion.refresh();
}

for (const [clock, sinceNoon] of [
  ['15:00', 3 * HOUR],
  ['23:50', 12 * HOUR - 10 * MINUTE],
  ['03:00', 15 * HOUR],
  ['09:00', 21 * HOUR],
] as const) {
  describe(`at ${clock} every documented example is answered with 200`, () => {
    before(() => writeHistoryUntil(NOON + sinceNoon));

    test('of the document', async () => {
      const { url } = service();
      const faults: string[] = [];
      for (const endpoint of listEndpoints(await readOpenApi(url))) {
        const { method, path, requestBody } = endpoint;
        if (!hasExamples(endpoint)) continue;
        if (method === 'post') {
          const { status, text } = await post(
            url + path,
            Object.values(requestBody?.content ?? {})[0]?.example,
          );
          if (status !== 200) faults.push(`${status} ${path} ${text.slice(0, 200)}`);
          continue;
        }
        for (const address of exampleAddresses(endpoint)) {
          // The live stream does not end.
          const isLive = path === '/api/stream/live';
          const { status, text } = await ask(url + address, isLive ? { method: 'HEAD' } : {});
          if (status !== 200) faults.push(`${status} ${address} ${text.slice(0, 200)}`);
        }
      }
      assert.deepEqual(faults, []);
    });

    test('of the pages of /docs', async () => {
      const { url } = service();
      const faults: string[] = [];
      const paths = [...new Set(listEndpoints(await readOpenApi(url)).map(({ path }) => path))];
      for (const path of paths.filter((own) => own.startsWith('/api/'))) {
        const address = `/docs${path.replaceAll(/[{}]/g, '')}`;
        const { text } = await ask(url + address, { headers: { accept: 'text/html' } });
        for (const [, status] of text.matchAll(/answered <strong>(\d+)</g))
          if (status !== '200') faults.push(`${status} ${address}`);
      }
      assert.deepEqual(faults, []);
    });
  });
}
