// Schemas that many bodies refer to, and the schema of a REST body, made from an operation's output schema.
import Type, { type TObject, type TSchema, type TUnion } from 'typebox';
import { substrates } from '../../domain/signals/signal.ts';
import { archive, count, countField, timestamp } from '../../operations/core/answer-fields.ts';
import { mcpRequest } from './mcp-request.ts';

/** By the name that references use. */
export const components = {
  Error: Type.Object({
    error: Type.String({ description: 'what the caller can fix' }),
    unknown_pocket: Type.Optional(
      Type.Literal(true, { description: 'no pocket has the id that was asked for' }),
    ),
    unknown_outlet: Type.Optional(
      Type.Literal(true, { description: 'no active outlet has the id that was asked for' }),
    ),
    unknown_generator: Type.Optional(
      Type.Literal(true, { description: 'no forecast has the generator that was asked for' }),
    ),
    did_you_mean: Type.Optional(
      Type.Array(Type.String(), { description: 'existing names that may have been meant' }),
    ),
    archived: Type.Optional(archive),
    leaf_index: Type.Optional(countField('with status 410: which entry, if known')),
    hint: Type.Optional(Type.String({ description: 'with status 503: what makes the request smaller' })),
    retry_in_seconds: Type.Optional(
      Type.Integer({ minimum: 1, description: 'with status 503: the same as in Retry-After' }),
    ),
  }),
  Problem: Type.Object(
    {
      type: Type.Literal('about:blank'),
      title: Type.String({ description: 'the name of the status' }),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      detail: Type.String({ description: 'what the caller can fix' }),
      instance: Type.String({ description: 'the request, by its id: urn:uuid and the x-request-id header' }),
    },
    {
      additionalProperties: true,
      description:
        'problem details (RFC 9457), for Accept: application/problem+json, with the other fields of the error',
    },
  ),
  RateLimitError: Type.Object({
    error: Type.String(),
    limit: Type.Integer({
      minimum: 1,
      description: 'requests, units of reading, rows or bytes of each client address in a window',
    }),
    window_seconds: count,
    retry_in_seconds: Type.Integer({ minimum: 1, description: 'after which the request may be sent again' }),
    hint: Type.Optional(Type.String({ description: 'how units of reading are counted' })),
  }),
  Meta: Type.Object(
    {
      source: Type.String({ description: 'host that the answer is to be attributed to' }),
      source_url: Type.String(),
      license: Type.Literal('CC BY-NC-ND 4.0'),
      license_url: Type.String(),
      attribution_required: Type.Literal(true),
      tool: Type.String({ description: 'name of the operation that answered' }),
      computed_at: timestamp,
      substrate: Type.Enum([...substrates], { description: 'where the signals came from' }),
      attribution: Type.Optional(
        Type.Array(Type.String(), {
          description: 'texts that the publishers of the feeds ask for; absent where no feed is read',
        }),
      ),
      ignored: Type.Optional(
        Type.Array(Type.String(), {
          description: 'names in the query that this address does not read; absent where it reads all',
        }),
      ),
    },
    { description: 'attribution, in every answer' },
  ),
  McpRequest: mcpRequest,
  AnswerWithFields: Type.Object(
    {
      fields: Type.Array(Type.String(), { description: 'the names that were asked for, in their order' }),
      _meta: Type.Ref('#/components/schemas/Meta'),
    },
    {
      additionalProperties: true,
      description:
        'the answer to a request with `fields`: the other answer of this address, but each row of its list has only the chosen fields',
    },
  ),
};

export const ref = (name: keyof typeof components) => Type.Ref(`#/components/schemas/${name}`);

/** The schema of a REST body: the fields of the answer, or those that `fields` names, what REST adds, and `_meta`. */
export function answerBody(
  output: TSchema,
  fields?: readonly string[],
  added: Record<string, TSchema> = {},
): TSchema {
  const { description } = output as { description?: string };
  const about = description === undefined ? {} : { description };
  if (isUnion(output)) {
    const members = output.anyOf.map((member) => answerBody(member, fields, added));
    return Type.Union(members, about);
  }
  const own = Object.entries(withoutUnknownIds(schemaProperties(output))).filter(
    ([name]) => fields?.includes(name) ?? true,
  );
  return Type.Object({ ...Object.fromEntries(own), ...added, _meta: ref('Meta') }, about);
}

/** Over REST an unknown pocket or outlet is a 404, so that no answer is marked with it. */
function withoutUnknownIds({
  unknown_pocket: _pocket,
  unknown_outlet: _outlet,
  did_you_mean,
  ...own
}: Record<string, TSchema>): Record<string, TSchema> {
  const mayBeUnknown = Object.keys(own).some((name) => name.startsWith('unknown_'));
  return { ...own, ...(did_you_mean && mayBeUnknown && { did_you_mean }) };
}

/** The schema of one field of an operation's answer, for other bodies with the same field. */
export const fieldSchema = (output: TSchema, name: string): TSchema =>
  schemaProperties(output)[name] ?? Type.Unknown();

const isUnion = (schema: TSchema): schema is TUnion => 'anyOf' in schema;
const schemaProperties = (schema: TSchema): Record<string, TSchema> => (schema as TObject).properties ?? {};
