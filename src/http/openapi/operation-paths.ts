// Paths of the operations: arguments become parameters or a request body, the output schema becomes the reply.
import Type, { type TSchema } from 'typebox';
import { type InputSchema, type Operation, publishedSchema } from '../../operations/core/define.ts';
import { rowFields } from '../../operations/core/list-fields.ts';
import { nextCursorField } from '../../operations/core/list-options.ts';
import { restInputSchema } from '../../operations/core/rest-input.ts';
import { tableFormats } from '../negotiation/accept.ts';
import {
  badBody,
  badRequest,
  forbidden,
  internalError,
  json,
  media,
  notFound,
  notModified,
  type Reply,
  tooManyRequests,
  unavailable,
} from './replies.ts';
import { answerBody, ref } from './schemas.ts';

/** A path with `:id` written as OpenAPI has it, `{id}`. */
export const pathTemplate = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

export const operationPaths = (operations: readonly Operation[]): Record<string, Record<string, object>> =>
  Object.fromEntries(
    operations.flatMap((operation) => {
      const { rest } = operation;
      if (!rest) return [];
      const { path, method = 'GET' } = rest;
      return [[pathTemplate(path), { [method.toLowerCase()]: describeEndpoint(operation) }]];
    }),
  );

function describeEndpoint(operation: Operation) {
  const { name, title, description, input, output, effect, rest, table, list, position } = operation;
  const added = position ? { next_cursor: nextCursorField } : {};
  const whole = answerBody(output(), rest?.fields, added);
  const hasRows = list !== undefined && rest?.method !== 'POST';
  const answer = json('answer', hasRows ? orWithFields(whole) : whole);
  const failures = {
    ...badRequest,
    ...(effect === 'append' && forbidden),
    ...notFound,
    ...(rest?.method === 'POST' && badBody),
    ...((rest?.limit || rest?.method !== 'POST') && tooManyRequests),
    ...internalError,
    ...unavailable,
  };
  const about = { operationId: name, summary: title, description };
  if (rest?.method === 'POST') {
    const content = { 'application/json': { schema: publishedSchema(input) } };
    const parameters = effect === 'append' && { parameters: [idempotencyKey] };
    const requestBody = { required: true, content };
    return { ...about, ...parameters, requestBody, responses: { 200: answer, ...failures } };
  }
  const parameters: object[] = describeParameters(
    restInputSchema(operation),
    rest?.path ?? '',
    rest?.names,
  ).map((parameter) =>
    parameter.name === 'fields' ? { ...parameter, example: aField(operation) } : parameter,
  );
  if (table && !('format' in input.properties)) parameters.push(formatParameter);
  const responses = { 200: table ? withCsv(answer) : answer, ...notModified, ...failures };
  return { ...about, parameters, responses };
}

/** An example for `fields`: every table has the column. */
const aField = ({ output, list }: Operation): string =>
  (list === undefined ? undefined : rowFields(output(), list)[0]) ?? 'substrate';

/** The answer, or the one to a request with `fields`. */
const orWithFields = (whole: TSchema): TSchema => {
  const { anyOf = [whole], ...about } = whole as { anyOf?: TSchema[]; description?: string };
  return Type.Union([...anyOf, ref('AnswerWithFields')], 'anyOf' in whole ? about : {});
};

/** Arguments as parameters: those that the path names are path parameters, the others query parameters. */
export function describeParameters(input: InputSchema, path: string, names: Record<string, string> = {}) {
  const { properties, required = [] } = publishedSchema(input);
  return Object.entries(properties).map(([argument, schema]) => {
    const inPath = path.split('/').includes(`:${argument}`);
    return {
      name: names[argument] ?? argument,
      in: inPath ? 'path' : 'query',
      required: inPath || (required as string[]).includes(argument),
      schema,
    };
  });
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description:
      'printable ASCII, such as a UUID: requests with the same key and contents within a day are one, from any address; with other contents from the same address a key is refused; default: the contents with the address of the client',
  },
};

const withCsv = ({ description, content }: Reply): Reply => ({
  description,
  content: { ...content, ...media('', 'text/csv').content },
});

/** Parameter of an address whose rows can be exported as CSV. */
const formatParameter = {
  name: 'format',
  in: 'query',
  required: false,
  schema: {
    type: 'string',
    enum: tableFormats,
    default: 'json',
    description:
      'csv: every row that the question selects, newest first, whatever the limit; the column substrate says where the signals came from (simulated, live or replay)',
  },
};
