// The one place where an error becomes an HTTP status and a message.
import { NotFound, Refused } from '../../operations/core/define.ts';
import { StoreError } from '../../store/engine/store.ts';
import { ArchivedError } from '../../store/ledger/archived.ts';
import { limitKey } from './client-address.ts';
import { type Limiter, WINDOW_SECONDS } from './rate-limit.ts';

/**
 * A reply other than success. The message says what the caller can correct; `details` are further fields of the body.
 * `retryAfter` is a header, in seconds.
 */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  readonly details: object;
  readonly retryAfter: number | undefined;
  constructor(status: number, message: string, details: object = {}, retryAfter?: number) {
    super(message);
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** Whether an operator should know: not the refusals of a busy service, which the access log counts. */
export const isFault = ({ status, retryAfter }: HttpError): boolean =>
  status >= 500 && retryAfter === undefined;

export const tooManyRequests = (limit: number, retryInSeconds: number): HttpError =>
  new HttpError(429, `rate limit exceeded: at most ${limit} requests in ${WINDOW_SECONDS} seconds`, {
    limit,
    window_seconds: WINDOW_SECONDS,
    retry_in_seconds: retryInSeconds,
  });

/** Counts the request, and returns a 429 when its address has used up the limit. */
export function exceededLimit(
  limiter: Limiter,
  address: string,
  now: number,
  cost = 1,
): HttpError | undefined {
  const wait = limiter.take(limitKey(address), now, cost);
  return wait ? tooManyRequests(limiter.limit, wait) : undefined;
}

/** The same, and throws it. */
export function enforceRateLimit(limiter: Limiter, address: string, now: number): void {
  const refusal = exceededLimit(limiter, address, now);
  if (refusal) throw refusal;
}

/** Our wording for requests that Fastify or Node refuse by themselves, by error code. */
const byErrorCode: Record<string, HttpError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(415, 'content-type must be application/json'),
  FST_ERR_BAD_URL: new HttpError(400, 'address is not well-formed'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'request took too long to arrive'),
  HPE_HEADER_OVERFLOW: new HttpError(431, 'headers too large (max 16 KiB)'),
};

/** After this time a client may try again what a full disk has refused. */
const FULL_DISK_RETRY_SECONDS = 60;

/** An error that is not listed here gets a general message, so that no internal detail is published. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof NotFound) return new HttpError(404, error.message, error.details);
  if (error instanceof Refused) return new HttpError(400, error.message);
  if (error instanceof ArchivedError) return new HttpError(410, error.message, error.details);
  if (error instanceof StoreError) {
    // An operator is told once by whoever writes (src/cli/runtime/full-disk.ts), not by every request.
    const retryAfter = error.code === 'full' ? FULL_DISK_RETRY_SECONDS : undefined;
    return new HttpError(503, error.message, {}, retryAfter);
  }
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : byErrorCode[code];
  if (known) return known;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new HttpError(statusCode, 'bad request');
  return new HttpError(500, 'internal error');
}
