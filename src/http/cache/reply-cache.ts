// HTTP replies to GET requests by URL, with ETag and headers: what fast-path.ts sends without asking the framework.
// Answers without a URL of their own (tool results) are cached by the operation runner instead.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Question } from '../../operations/core/define.ts';
import { flattenHeaders, type Headers } from '../core/headers.ts';
import type { DataVersion } from './data-version.ts';
import { type Body, bodyBytes, bytesOf, etagOf, type Latin1Body } from './latin1-body.ts';
import { createCachePair, type VersionedCache } from './versioned-cache.ts';

/** A successful reply that is the same for every client. */
export interface CachedReply {
  etag: string;
  /** Includes the ETag; `cache-control` is added when the reply is sent, since it depends on the time. */
  headers: Headers;
  /** As bytes, if it is long. */
  body: Latin1Body | Buffer;
  /** The same address is also served as CSV, to clients that prefer it. */
  csv: boolean;
}

/** The key is the URL with its query, exactly as requested. */
export interface ReplyCache {
  get(url: string): CachedReply | undefined;
  /** Where the replies to a question are cached. */
  of(question: Pick<Question, 'readsLog'>): Pick<VersionedCache<CachedReply>, 'version' | 'set'>;
  /** How long clients and proxies may cache a reply: until the next reading is due. */
  cacheControl(): string;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** A longer reply is not held here, so that a few do not evict all others: the operation runner has its answer. */
const MAX_REPLY_BYTES = 128 * 1024;

export function createReplyCache(
  dataVersion: DataVersion,
  now: () => number,
  maxBytes = MAX_BYTES,
): ReplyCache {
  const {
    of,
    both: [data, log],
  } = createCachePair<CachedReply>(dataVersion, now, ({ body }) => body.length, maxBytes);
  return {
    of: (question) => {
      const { version, set } = of(question);
      return {
        version,
        set: (url, computedFrom, reply) => {
          if (reply.body.length <= MAX_REPLY_BYTES) set(url, computedFrom, reply);
        },
      };
    },
    get: (url) => data.get(url) ?? log.get(url),
    cacheControl: () => `public, max-age=${dataVersion.maxAge(now())}`,
  };
}

/** Node copies a string of up to 16 KiB straight to the socket, and a longer one into a buffer first. */
const LONG_BODY_BYTES = 8 * 1024;

export function toCachedReply(
  type: string,
  answer: Body,
  headers: Record<string, string> = {},
  csv = false,
): CachedReply {
  const bytes = bytesOf(answer);
  const etag = typeof answer === 'string' ? etagOf(bytes) : answer.etag;
  const body = typeof answer === 'string' && answer.length <= LONG_BODY_BYTES ? answer : bytes;
  const vary = csv ? { vary: 'accept' } : {};
  return { etag, headers: flattenHeaders({ 'content-type': type, etag, ...vary, ...headers }), body, csv };
}

/** Whether `If-None-Match` says that the client already has this reply. */
export function etagMatches(ifNoneMatch: string | undefined, { etag }: CachedReply): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
}

/** Sends a reply through the framework: the first time, and where it may not be cached here. */
export function sendCachedReply(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  cached: CachedReply,
  cacheControl: string,
) {
  for (let at = 0; at < cached.headers.length; at += 2)
    reply.header(cached.headers[at] as string, cached.headers[at + 1]);
  reply.header('cache-control', cacheControl);
  if (etagMatches(headers['if-none-match'], cached))
    return reply.removeHeader('content-type').code(304).send();
  return reply.send(typeof cached.body === 'string' ? bodyBytes(cached.body) : cached.body);
}
