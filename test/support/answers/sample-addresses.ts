// An address for every GET of the OpenAPI document, about things that exist.
import type { AppContext } from '../../../src/http/answers/app-context.ts';
import type { Endpoint } from './openapi-document.ts';
import { idsFor, knownArguments, type SampleIds } from './operation-answers.ts';

/** Path and query, with the parameters that are required; `about` replaces samples by their name. */
export function sampleAddress(
  { operationId, path, parameters = [] }: Endpoint,
  service: AppContext,
  ids: SampleIds,
  about: Record<string, unknown> = {},
): string {
  const samples: Record<string, unknown> = {
    ...knownArguments(service),
    ...{
      id: idsFor(operationId, ids)[0],
      path: { docs_address: 'api/atmosphere', ledger_rows: '000' }[operationId] ?? '0/000',
      from: 1,
      leaf: 0,
    },
    ...about,
  };
  const { rest } = service.operations.find(({ name }) => name === operationId) ?? {};
  for (const [argument, name] of Object.entries(rest?.names ?? {})) samples[name] = samples[argument];
  const query = parameters
    .filter(({ required, in: place }) => required && place === 'query')
    .map(({ name }): [string, string] => [name, String(samples[name])]);
  const filled = path.replaceAll(/{(\w+)}/g, (_, name: string) => String(samples[name]));
  return query.length ? `${filled}?${new URLSearchParams(query)}` : filled;
}
