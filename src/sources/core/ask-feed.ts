// How a feed's requests are made: with its key, conditionally, through its retries and circuit breaker.
import { isBrokenCircuitError, isTaskCancelledError } from 'cockatiel';
import type { Adapter, FeedRequest, Poll } from './adapter.ts';
import type { Feed } from './feed.ts';
import type { FeedTerms } from './feed-terms.ts';
import { type Body, type FetchLimits, fetchBody, fetchLimits, type Validators } from './fetch-body.ts';
import { FetchError } from './fetch-error.ts';
import type { FetchPolicy } from './fetch-policy.ts';
import type { AnswerBody, Ask } from './read-feed.ts';

/** Of all bodies of one poll. */
const MAX_POLL_BYTES = 64 * 1024 * 1024;

export interface AskSettings {
  policy: FetchPolicy;
  /** Sent as User-Agent, so that publishers know whom to write to. */
  userAgent: string;
  key: string | undefined;
  signal: AbortSignal;
  limits?: FetchLimits | undefined;
  /** Called before each request that is sent. */
  admit?: (request: FeedRequest) => Promise<void>;
  validators?: (request: FeedRequest) => Validators | undefined;
  /** Takes a body as it came; what it returns is called with the rows that the body gave. */
  received?: (request: FeedRequest, body: Body) => Promise<AnswerBody['read']>;
}

/** The key of a feed from the environment; throws where it needs one and has none. */
export function feedKey(
  { key }: Pick<FeedTerms, 'key'>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const value = key ? environment[key.env]?.trim() || undefined : undefined;
  if (key?.required && value === undefined) throw new FetchError('refused', `its key ${key.env} is not set`);
  return value;
}

export function askFeed(
  feed: Feed,
  adapter: Adapter,
  terms: FeedTerms,
  poll: Poll,
  settings: AskSettings,
): Ask {
  const { policy, userAgent, key, signal, limits = fetchLimits, admit, validators, received } = settings;
  // Bodies may list further addresses: the key goes to none but the origins that the city file leads to.
  const origins = new Set(adapter.requests(feed, poll).map(({ url }) => URL.parse(url)?.origin));
  let size = 0;
  return async (request) => {
    const withKey = terms.key && key !== undefined && origins.has(URL.parse(request.url)?.origin);
    const headers = {
      'user-agent': userAgent,
      ...request.headers,
      ...(withKey && terms.key && { [terms.key.header]: key }),
    };
    const known = request.unconditional ? undefined : validators?.(request);
    const body = await policy
      .execute(
        () =>
          fetchBody(
            {
              url: request.url,
              headers,
              body: request.body,
              allow_private: feed.allow_private ?? false,
              validators: known,
              signal,
              ...(admit && { admit: () => admit(request) }),
            },
            limits,
          ),
        signal,
      )
      .catch((error) => {
        if (isBrokenCircuitError(error)) throw new FetchError('network', BREAKER_OPEN);
        throw isTaskCancelledError(error) || signal.aborted
          ? new FetchError('timeout', 'the poll took too long and was given up')
          : error;
      });
    if (!body) return null;
    size += body.raw.length;
    if (size > MAX_POLL_BYTES)
      throw new FetchError('too_large', `the answers of one poll are larger than ${MAX_POLL_BYTES} bytes`);
    const read = await received?.(request, body);
    return { bytes: body.bytes, ...(read && { read }) };
  };
}

/** The error of a poll that sent nothing because earlier ones failed. */
export const BREAKER_OPEN = 'it is not asked for a while, since it failed several times in a row';
