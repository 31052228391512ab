// Checks replies against what the OpenAPI document says of them, more strictly than a client would: no field that the
// document does not name.
import type { Reply } from '../services/http-client.ts';
import { closeSchema, type Schema, schemaChecker } from './json-schema.ts';
import { documentedReply, type Endpoint } from './openapi-document.ts';

/** The faults of a reply, one a line; empty where the document allows it. `components` are the document's schemas. */
export function replyChecker(components: Record<string, Schema>) {
  const checkers = new Map<Schema, ReturnType<typeof schemaChecker>>();
  const checkerOf = (schema: Schema) => {
    const known = checkers.get(schema) ?? schemaChecker(closeSchema(schema, components));
    checkers.set(schema, known);
    return known;
  };
  return (endpoint: Endpoint, { status, headers, text }: Reply): string[] => {
    const { operationId } = endpoint;
    const published = documentedReply(endpoint, status);
    if (!published) return [`${operationId}: ${status} is not in the document: ${text.slice(0, 200)}`];
    if (!published.content && !text) return [];
    const type = String(headers['content-type'] ?? '').replace(/;.*/, '');
    const body = published.content?.[type];
    if (!body) return [`${operationId}: ${status} ${type} is not in the document: ${text.slice(0, 200)}`];
    if (!type.endsWith('json')) return [];
    return checkerOf(body.schema)(JSON.parse(text)).map((fault) => `${operationId}: ${fault}`);
  };
}
