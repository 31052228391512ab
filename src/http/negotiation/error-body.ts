// The body of an error: `{error}` with its details, or problem details (RFC 9457) for clients that ask for those.
import { STATUS_CODES } from 'node:http';
import type { HttpError } from '../core/errors.ts';
import { namedQuality } from './accept.ts';

const PROBLEM = 'application/problem+json';

/** A client names both types to get problems beside JSON answers, so naming JSON as well does not speak against them. */
export function wantsProblem(accept: string | undefined): boolean {
  // Read only where it can be meant: errors may come in floods.
  if (!accept?.toLowerCase().includes(PROBLEM)) return false;
  const others = ['application/json', 'text/html'].map((type) => namedQuality(accept, type));
  return namedQuality(accept, PROBLEM) > 0 && namedQuality(accept, PROBLEM) >= Math.max(...others);
}

export interface ErrorBody {
  type: string;
  text: string;
}

/**
 * The type is `about:blank`: a problem has no meaning here beyond its status, and `detail` says what to do. `instance`
 * names the request by its id, as the log does.
 */
export function errorBody(
  { status, message, details }: HttpError,
  accept: string | undefined,
  requestId: string,
): ErrorBody {
  if (!wantsProblem(accept))
    return {
      type: 'application/json; charset=utf-8',
      text: JSON.stringify({ error: message, ...details }),
    };
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    instance: `urn:uuid:${requestId}`,
  };
  return { type: PROBLEM, text: JSON.stringify({ ...details, ...problem }) };
}
