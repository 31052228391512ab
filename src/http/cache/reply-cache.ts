// HTTP replies to GET requests by URL, with ETag and headers: what fast-path.ts sends without asking the framework.
// Answers without a URL of their own (tool results) are cached by the operation runner instead.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Question } from '../../operations/core/define.ts';
import { flattenHeaders, type Headers } from '../core/headers.ts';
import type { DataVersion } from './data-version.ts';
import { bodyBytes, type Latin1Body } from './latin1-body.ts';
import { createCachePair, type VersionedCache } from './versioned-cache.ts';

/** A successful reply that is the same for every client. */
export interface CachedReply {
  etag: string;
  /** Includes the ETag; `cache-control` is added when the reply is sent, since it depends on the time. */
  headers: Headers;
  body: Latin1Body;
  /** The body as bytes, if it is long. */
  bytes?: Buffer;
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

export function createReplyCache(
  dataVersion: DataVersion,
  now: () => number,
  maxBytes = MAX_BYTES,
): ReplyCache {
  const sizeOf = ({ body, bytes }: CachedReply) => body.length + (bytes?.length ?? 0);
  const {
    of,
    both: [data, log],
  } = createCachePair(dataVersion, now, sizeOf, maxBytes);
  return {
    of,
    get: (url) => data.get(url) ?? log.get(url),
    cacheControl: () => `public, max-age=${dataVersion.maxAge(now())}`,
  };
}

/** Node copies a string of up to 16 KiB straight to the socket, and a longer one into a buffer first. */
const LONG_BODY_BYTES = 8 * 1024;

export function toCachedReply(
  type: string,
  body: Latin1Body,
  headers: Record<string, string> = {},
): CachedReply {
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  const bytes = body.length > LONG_BODY_BYTES && { bytes: bodyBytes(body) };
  return { etag, headers: flattenHeaders({ 'content-type': type, etag, ...headers }), body, ...bytes };
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
  return reply.send(bodyBytes(cached.body));
}
