import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { flat, type Headers } from '../core/headers.ts';
import type { DataVersion } from './data-version.ts';
import { bodyBytes, type Latin1Body } from './latin1-body.ts';
import { createVersionedCache, type VersionedCache } from './versioned-cache.ts';

/** A reply that is the same for everybody who asks for its address. */
export interface CachedReply {
  etag: string;
  /** The etag among them. */
  headers: Headers;
  body: Latin1Body;
  /** The same, where it is so long that the socket would rather have it apart from its headers. */
  bytes?: Buffer;
}

/** Replies by their address, the query included: the same words are answered without being read again. */
export interface ReplyCache extends VersionedCache<CachedReply> {
  /** How long others may keep a reply. */
  cacheControl(): string;
}

const MOST_BYTES = 16 * 1024 * 1024;

export function createReplyCache(dataVersion: DataVersion, now: () => number, most = MOST_BYTES): ReplyCache {
  const sizeOf = ({ body, bytes }: CachedReply) => body.length + (bytes?.length ?? 0);
  return {
    ...createVersionedCache(dataVersion, now, sizeOf, most),
    cacheControl: () => `public, max-age=${dataVersion.maxAge(now())}`,
  };
}

/** Node copies a string of up to 16 KiB straight to the socket, and a longer one into a buffer first. */
const LONG = 8 * 1024;

export function toCachedReply(
  type: string,
  body: Latin1Body,
  headers: Record<string, string> = {},
): CachedReply {
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  const bytes = body.length > LONG && { bytes: bodyBytes(body) };
  return { etag, headers: flat({ 'content-type': type, etag, ...headers }), body, ...bytes };
}

/** Whether the caller holds the reply already. */
export function etagMatches(held: string | undefined, { etag }: CachedReply): boolean {
  if (!held) return false;
  return held
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
}

/** Sends it through the framework: the first time, and where it cannot be kept. */
export function sendCachedReply(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  kept: CachedReply,
  cacheControl: string,
) {
  for (let at = 0; at < kept.headers.length; at += 2)
    reply.header(kept.headers[at] as string, kept.headers[at + 1]);
  reply.header('cache-control', cacheControl);
  if (etagMatches(headers['if-none-match'], kept)) return reply.removeHeader('content-type').code(304).send();
  return reply.send(bodyBytes(kept.body));
}
