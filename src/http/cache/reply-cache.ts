// HTTP replies to GET requests by URL, with ETag and headers: what fast-path.ts sends without asking the framework.
// Answers without a URL of their own (tool results) are cached by the operation runner instead.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Question } from '../../operations/core/define.ts';
import { flattenHeaders, type Headers } from '../core/headers.ts';
import { chooseEncoding, type Encoding, isWorthCompressing } from '../negotiation/content-encoding.ts';
import { type CompressBody, createBodyCompressor } from './compressed-bodies.ts';
import type { DataVersion } from './data-version.ts';
import { type Body, bodyBytes, computeEtag, type Latin1Body, rawBytes } from './latin1-body.ts';
import { type CacheCounts, createCachePair } from './versioned-cache.ts';

/** A successful reply that is the same for every client. */
export interface CachedReply {
  /** Of the body as it is; `etagFor` gives that of a compressed one. */
  etag: string;
  /** Without the ETag, and without `cache-control`, which depends on the time. */
  headers: Headers;
  /** The same with the ETag: those of the body as it is, which is what most programs ask for. */
  plainHeaders: Headers;
  /** The part of the headers that a 304 has too. */
  vary: Headers;
  /** As bytes, if it is long. */
  body: Latin1Body | Buffer;
  /** The same address is also served as CSV, to clients that prefer it. */
  csv: boolean;
  compressible: boolean;
}

/** A request with its URL and the pattern of its address. */
interface Addressed {
  url: string;
  routeOptions: { url?: string | undefined };
}

/** A reply with the pattern of its address. */
export interface KeptReply {
  reply: CachedReply;
  route: string | undefined;
}

/** The key is the URL with its query, exactly as requested. */
export interface ReplyCache {
  get(url: string): KeptReply | undefined;
  /** Where the replies to a question are cached. */
  of(question: Pick<Question, 'readsLog'>): {
    version(): string;
    /** Keeps the reply to a request, unless the data has changed since `version` was read. */
    set(request: Addressed, version: string, reply: CachedReply): void;
  };
  /** Replies that `get` found, and those that were computed to be kept. */
  readonly counts: Readonly<CacheCounts>;
  /** How long clients and proxies may cache a reply: until the next reading is due. */
  cacheControl(): string;
  /** The body of a reply in an encoding; at once if it was asked for before. */
  compress: CompressBody;
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
  } = createCachePair<KeptReply>(dataVersion, now, ({ reply }) => reply.body.length, maxBytes);
  const counts: CacheCounts = { hits: 0, misses: 0 };
  return {
    of: (question) => {
      const { version, set } = of(question);
      return {
        version,
        set: ({ url, routeOptions }, computedFrom, reply) => {
          counts.misses += 1;
          if (reply.body.length <= MAX_REPLY_BYTES)
            set(url, computedFrom, { reply, route: routeOptions.url });
        },
      };
    },
    get: (url) => {
      const kept = data.get(url) ?? log.get(url);
      if (kept) counts.hits += 1;
      return kept;
    },
    counts,
    cacheControl: () => `public, max-age=${dataVersion.maxAge(now())}`,
    compress: createBodyCompressor(),
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
  const bytes = rawBytes(answer);
  const etag = typeof answer === 'string' ? computeEtag(bytes) : answer.etag;
  const body = typeof answer === 'string' && answer.length <= LONG_BODY_BYTES ? answer : bytes;
  const compressible = isWorthCompressing(type, bytes.length);
  const varying = [...(csv ? ['accept'] : []), ...(compressible ? ['accept-encoding'] : [])];
  const vary = varying.length ? ['vary', varying.join(', ')] : [];
  const own = [...flattenHeaders({ 'content-type': type, ...headers }), ...vary];
  return {
    etag,
    headers: own,
    plainHeaders: [...own, 'etag', etag],
    vary,
    body,
    csv,
    compressible,
  };
}

/** Each encoding has a strong ETag of its own, as its bytes are others. */
export const etagFor = ({ etag }: CachedReply, encoding: Encoding | undefined): string =>
  encoding ? `${etag.slice(0, -1)}-${encoding}"` : etag;

/** Whether `If-None-Match` says that the client already has the reply with this ETag. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
}

/** Sends a reply through the framework: the first time, and where it may not be cached here. */
export async function sendCachedReply(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  cached: CachedReply,
  { compress }: Pick<ReplyCache, 'compress'>,
  cacheControl: string,
) {
  const encoding = cached.compressible ? chooseEncoding(headers['accept-encoding']) : undefined;
  const etag = etagFor(cached, encoding);
  reply.headers({ etag, 'cache-control': cacheControl });
  const isKnown = etagMatches(headers['if-none-match'], etag);
  const sent = isKnown ? cached.vary : cached.headers;
  for (let at = 0; at < sent.length; at += 2) reply.header(sent[at] as string, sent[at + 1]);
  if (isKnown) return reply.code(304).send();
  if (encoding) return reply.header('content-encoding', encoding).send(await compress(cached, encoding));
  return reply.send(typeof cached.body === 'string' ? bodyBytes(cached.body) : cached.body);
}

/** Computes the reply to a question, keeps it for further requests of its address, and sends it. */
export async function sendComputedReply(
  request: FastifyRequest,
  reply: FastifyReply,
  replies: ReplyCache,
  question: Pick<Question, 'readsLog' | 'cache'>,
  compute: () => CachedReply | Promise<CachedReply>,
) {
  const cache = replies.of(question);
  // Taken before the reply is computed: if the data change meanwhile, it is not kept.
  const version = cache.version();
  const computed = await compute();
  if (question.cache === false) return sendCachedReply(request, reply, computed, replies, 'no-cache');
  cache.set(request, version, computed);
  return sendCachedReply(request, reply, computed, replies, replies.cacheControl());
}
