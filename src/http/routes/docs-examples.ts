// The request that a page of /docs shows, about something that exists, and what the service answers to it now.
import type { Example } from '../../web/pages/docs/address-page.ts';
import type { DocumentedAddress, DocumentedEndpoint } from '../../web/pages/docs/api-document.ts';
import { addressFor } from '../../web/pages/docs/commands.ts';
import type { DocsSite } from '../../web/pages/docs/docs-site.ts';
import type { Sample } from '../../web/pages/docs/real-answer.ts';
import { MCP_PATH } from '../core/fast-path.ts';
import type { ExampleOf } from '../openapi/examples.ts';

export type AskRoute = (method: 'GET' | 'POST', url: string, body?: unknown) => Promise<Sample>;

interface Request {
  /** Parameters of the path, as the visitor gave them in the page's query. */
  given: Readonly<Record<string, unknown>>;
  exampleOf: ExampleOf;
  ask: AskRoute;
}

export async function exampleFor(
  { path }: DocumentedAddress,
  endpoint: DocumentedEndpoint,
  docs: DocsSite,
  { given, exampleOf, ask }: Request,
): Promise<Example> {
  const { operationId, method, parameters = [], requestBody } = endpoint;
  const values: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const { name, required, schema } = parameter;
    if (!required || parameter.in === 'header') continue;
    const own = parameter.in === 'path' && given[name];
    values[name] =
      (typeof own === 'string' && own) ||
      (await existingId(operationId, exampleOf, ask)) ||
      exampleOf(operationId, name, schema);
  }
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema && exampleOf(operationId, 'body', schema);
  const writes = docs.operationNamed(operationId)?.effect === 'append';
  if (writes || !sendsText(endpoint)) return { values, body, sample: null };
  if (method === 'GET') return { values, body, sample: await ask('GET', addressFor(path, values)) };
  // MCP requests are answered before they reach a route.
  return { values, body, sample: path === MCP_PATH ? null : await ask('POST', path, body) };
}

/** A stream of events does not end. */
const sendsText = ({ responses }: DocumentedEndpoint): boolean => {
  const types = Object.keys(responses[200]?.content ?? {});
  return types.length > 0 && !types.includes('text/event-stream');
};

interface IdSource {
  /** The address of a list that has such an id. */
  list: string;
  pick(body: never): string | undefined;
}

/** Ids that only the store knows. */
const idSources: Record<string, IdSource> = {
  get_explanation: {
    list: '/api/explanations?limit=1',
    pick: ({ items }: { items: { id: string }[] }) => items[0]?.id,
  },
  get_ledger_entry: {
    list: '/api/ledger/entries?limit=1',
    pick: ({ entries }: { entries: { id: string }[] }) => entries[0]?.id,
  },
  ledger_proof: {
    list: '/api/ledger/entries?limit=1',
    pick: ({ entries }: { entries: { id: string }[] }) => entries[0]?.id,
  },
  ledger_detached: {
    list: '/api/ledger/entries?type=submission&limit=50',
    pick: ({ entries }: { entries: { payload: { detached: { hash: string } } }[] }) =>
      entries.at(-1)?.payload.detached.hash.replace('sha256:', ''),
  },
  get_benchmark_scores: {
    list: '/api/benchmark/scores?limit=1',
    pick: ({ leaderboard }: { leaderboard: { submission_id: string }[] }) => leaderboard[0]?.submission_id,
  },
  feed_body: {
    list: '/api/provenance?pocket={pocket}',
    pick: ({
      signals,
    }: {
      signals: { measurements: { body: { hash: string; url: string | null } | null }[] }[];
    }) => signals.flatMap(({ measurements }) => measurements).find(({ body }) => body?.url)?.body?.hash,
  },
};

/** Undefined where the store has none, or cannot be read. */
async function existingId(
  operationId: string,
  exampleOf: ExampleOf,
  ask: AskRoute,
): Promise<string | undefined> {
  const source = idSources[operationId];
  if (!source) return undefined;
  const pocket = String(exampleOf(operationId, 'pocket', { type: 'string' }));
  const { status, text } = await ask('GET', source.list.replace('{pocket}', encodeURIComponent(pocket)));
  return status === 200 && text ? source.pick(JSON.parse(text) as never) : undefined;
}
