// The request that a page of /docs shows, about something that exists, and what the service answers to it now.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Example } from '../../web/pages/docs/address-page.ts';
import type { DocumentedAddress, DocumentedEndpoint } from '../../web/pages/docs/api-document.ts';
import { addressFor } from '../../web/pages/docs/commands.ts';
import type { DocsSite } from '../../web/pages/docs/docs-site.ts';
import type { FirstCall } from '../../web/pages/docs/first-calls.ts';
import type { Sample } from '../../web/pages/docs/real-answer.ts';
import type { AppContext } from '../answers/app-context.ts';
import { MCP_PATH } from '../mcp/endpoint.ts';
import { findExampleIds } from '../openapi/example-ids.ts';
import { type ExampleOf, exampleFinder, examplePocket } from '../openapi/examples.ts';

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
    values[name] = (typeof own === 'string' && own) || exampleOf(operationId, name, schema);
  }
  const isKnown = Object.values(values).every((value) => value !== undefined);
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema && exampleOf(operationId, 'body', schema);
  const writes = docs.operationNamed(operationId)?.effect === 'append';
  if (writes || !isKnown || !sendsText(endpoint)) return { values, body, sample: null };
  if (method === 'GET') return { values, body, sample: await ask('GET', addressFor(path, values)) };
  // MCP requests are answered before they reach a route.
  return { values, body, sample: path === MCP_PATH ? null : await ask('POST', path, body) };
}

/** One of the first calls. A parameter of the path that it does not give is an id that exists. */
export async function exampleForCall(
  { operationId, values: given, body }: FirstCall,
  docs: DocsSite,
  { exampleOf, ask }: Omit<Request, 'given'>,
): Promise<Example> {
  const address = docs.findAddress(operationId);
  const endpoint = address?.endpoints.find((candidate) => candidate.operationId === operationId);
  if (!address || !endpoint) return { values: given, body, sample: null };
  const values: Record<string, unknown> = { ...given };
  for (const parameter of endpoint.parameters ?? [])
    if (parameter.in === 'path')
      values[parameter.name] ??= exampleOf(operationId, parameter.name, parameter.schema);
  const path = addressFor(address.path, values);
  const sample = endpoint.method === 'POST' ? await ask('POST', path, body) : await ask('GET', path);
  return { values, body, sample };
}

/** A stream of events does not end. */
const sendsText = ({ responses }: DocumentedEndpoint): boolean => {
  const types = Object.keys(responses[200]?.content ?? {});
  return types.length > 0 && !types.includes('text/event-stream');
};

/** Examples about what exists now; of all endpoints, or of the ones that are named. */
export async function findExamples(
  { registry, zone, now }: AppContext,
  ask: AskRoute,
  of?: readonly string[],
): Promise<ExampleOf> {
  const askList = async (address: string) => {
    const { status, text } = await ask('GET', address);
    return status === 200 && text ? JSON.parse(text) : undefined;
  };
  const ids = await findExampleIds(askList, examplePocket(registry), now(), of);
  return exampleFinder({ registry, zone, now: now(), ids });
}

/** Requests within the process take the same route, cache and limits as those of the visitor, and count as theirs. */
export const askRoute =
  (app: FastifyInstance, { ip }: Pick<FastifyRequest, 'ip'>): AskRoute =>
  async (method, url, body) => {
    const reply = await app.inject({
      method,
      url,
      remoteAddress: ip,
      ...(body !== undefined && {
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const [type = ''] = String(reply.headers['content-type'] ?? '').split(';');
    const isText = /^text\/|json$|xml$/.test(type);
    return {
      status: reply.statusCode,
      type,
      bytes: reply.rawPayload.length,
      text: isText ? reply.payload : null,
    };
  };
