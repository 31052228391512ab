// What every endpoint of the document has alike: its tag, descriptions and examples of its parameters and fields, and the
// reply to a request whose Host header is refused.
import type { TSchema } from 'typebox';
import { withFieldDescriptions } from '../../operations/descriptions/describe-fields.ts';
import type { ExampleOf } from './examples.ts';
import { httpFields } from './field-descriptions.ts';
import { type Reply, refusedHost } from './replies.ts';
import { tagOf } from './tags.ts';

interface Parameter {
  name: string;
  schema: { description?: string };
}

interface Endpoint {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: TSchema }> };
  responses: Record<number, Reply>;
}

export function completeEndpoint(path: string, given: object, exampleOf: ExampleOf) {
  const { operationId, parameters, requestBody, responses, ...about } = given as Endpoint;
  return {
    operationId,
    tags: [tagOf(operationId, path)],
    ...about,
    ...(parameters && {
      parameters: parameters.map((parameter) => ({
        ...parameter,
        ...(parameter.schema.description && { description: parameter.schema.description }),
        ...withExample(exampleOf(operationId, parameter.name, parameter.schema)),
      })),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, ({ schema }) => ({
          schema: describeBody(operationId, schema),
          ...withExample(exampleOf(operationId, 'body', schema)),
        })),
      },
    }),
    responses: mapValues({ ...refusedHost, ...responses }, (reply) => describeReply(operationId, reply)),
  };
}

const withExample = (example: unknown) => (example === undefined ? {} : { example });

const describeReply = (operationId: string, { description, content }: Reply): Reply => ({
  description,
  ...(content && {
    content: mapValues(content, ({ schema }) => ({ schema: describeBody(operationId, schema) })),
  }),
});

/** Fields of operations are described already. */
export const describeBody = (owner: string, schema: TSchema): TSchema =>
  withFieldDescriptions(owner, schema, httpFields);

const mapValues = <From, To>(object: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
