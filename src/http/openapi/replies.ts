// Replies that many routes share, from which the paths of the document are built.
import Type, { type TSchema } from 'typebox';
import { ref } from './schemas.ts';

export interface Reply {
  description: string;
  content?: Record<string, { schema: TSchema }>;
}

export const json = (description: string, schema: TSchema): Reply => ({
  description,
  content: { 'application/json': { schema } },
});

/** A body that is not JSON. */
export const media = (description: string, type: string): Reply => ({
  description,
  content: { [type]: { schema: Type.String() } },
});

/** With its body as problem details too, for clients that ask for those. */
const withProblem = ({ description, content }: Reply): Reply => ({
  description,
  content: { ...content, 'application/problem+json': { schema: ref('Problem') } },
});

const failure = (description: string): Reply => withProblem(json(description, ref('Error')));

export const notModified = { 304: { description: 'the ETag that was sent is still current' } };
export const badRequest = { 400: failure('a parameter is missing or out of range') };
export const notFound = { 404: failure('no such pocket, outlet or id') };
export const archived = { 410: failure('it has left the service: `archived` says where it is') };
export const notAcceptable = { 406: failure('the accept header does not allow text/event-stream') };
export const methodNotAllowed = { 405: failure('an event stream was asked for, and there is none') };
/** Of every address: on a loopback address the Host header must be known. */
export const refusedHost = { 403: failure('the Host header names another site') };
export const forbidden = {
  403: failure('sent by a page of a site that may not write, or the Host header names another site'),
};
export const badBody = {
  413: failure('the body is larger than 1 MiB'),
  415: failure('the content type is not application/json'),
};
export const tooManyRequests = { 429: withProblem(json('rate limit exceeded', ref('RateLimitError'))) };
export const internalError = { 500: failure('an internal fault; the message gives no detail') };
export const unavailable = {
  503: failure(
    'the datastore is not configured, cannot be reached or has no room for a submission, or too many heavy requests, streams or unread answers are under way',
  ),
};

/** What the published document has in place of single errors of these shapes, which are the same at nearly all addresses. */
export const errorRanges: Record<string, Reply> = {
  Refused: withProblem(
    json(
      '400: a parameter or the body is missing, ill-formed or out of range; 403: a site or Host header that is not let in; 404: no such pocket, outlet, id or address; 410: it is archived; 405, 406, 413, 415: the method, Accept header, length or type of the body; 429: a rate limit is exceeded',
      Type.Union([ref('Error'), ref('RateLimitError')]),
    ),
  ),
  Failed: withProblem(
    json(
      '500: an internal fault; 503: the datastore cannot be reached, or too much is under way',
      ref('Error'),
    ),
  ),
};

/** The range of a status: 4XX, 5XX. */
export const statusRange = (status: string): string => `${status[0]}XX`;

/** Whether the body is that of an ordinary error. */
export const isOrdinaryError = ({ content = {} }: Reply): boolean => 'application/problem+json' in content;

export const get = (
  operationId: string,
  summary: string,
  responses: Record<number, Reply>,
  parameters?: readonly object[],
) => ({
  get: { operationId, summary, ...(parameters?.length && { parameters }), responses },
});
