// What every endpoint of the document has alike: its tag, descriptions of its parameters and fields, the reply to a
// request whose Host header is refused, and examples, which change with the clock and the store.
import type { TSchema } from 'typebox';
import { withFieldDescriptions } from '../../operations/descriptions/describe-fields.ts';
import type { ExampleOf } from './examples.ts';
import { httpFields } from './field-descriptions.ts';
import { type Reply, refusedHost } from './replies.ts';
import { operationTag } from './tags.ts';

interface Parameter {
  name: string;
  required?: boolean;
  schema: { description?: string };
  example?: unknown;
}

interface Endpoint {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: TSchema }> };
  responses: Record<number, Reply>;
}

export function completeEndpoint(given: object) {
  const { operationId, parameters, requestBody, responses, ...about } = given as Endpoint;
  return {
    operationId,
    tags: [operationTag(operationId)],
    ...about,
    ...(parameters && {
      parameters: parameters.map((parameter) => ({
        ...parameter,
        ...(parameter.schema.description && { description: parameter.schema.description }),
      })),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, ({ schema }) => ({
          schema: describeBody(operationId, schema),
        })),
      },
    }),
    responses: mapValues({ ...refusedHost, ...responses }, (reply) => describeReply(operationId, reply)),
  };
}

/** The endpoint with an example of every parameter and body, as far as there is something to name. */
export function withExamples<E extends Pick<Endpoint, 'operationId' | 'parameters' | 'requestBody'>>(
  endpoint: E,
  exampleOf: ExampleOf,
): E {
  const { operationId, parameters, requestBody } = endpoint;
  return {
    ...endpoint,
    ...(parameters && {
      parameters: parameters.map((parameter) => ({
        ...parameter,
        ...withExample(parameter.example ?? exampleOf(operationId, parameter.name, parameter.schema)),
      })),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, (body) => ({
          ...body,
          ...withExample(exampleOf(operationId, 'body', body.schema)),
        })),
      },
    }),
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
