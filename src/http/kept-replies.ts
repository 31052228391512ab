import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Freshness } from './freshness.ts';
import { type Wire, wireBytes } from './wire.ts';

/** A reply that is the same for everybody who asks for its address. */
export interface Kept {
  headers: Record<string, string>;
  body: Wire;
  /** The same, where it is so long that the socket would rather have it apart from its headers. */
  bytes?: Buffer;
}

export interface KeptReplies {
  /** Of the data as it is now: taken before an answer is made. */
  version(): string;
  find(address: string): Kept | undefined;
  /** From now on the address answers this, unless the data is no longer the one it was made from. */
  keep(address: string, version: string, reply: Kept): void;
  /** How long others may keep a reply. */
  cacheControl(): string;
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Replies by their address, the query included: the same words are answered without being read again. */
export function createKeptReplies(freshness: Freshness, now: () => number, most = MOST_BYTES): KeptReplies {
  const replies = new Map<string, Kept>();
  let current = '';
  let size = 0;
  const begin = (version: string) => {
    replies.clear();
    current = version;
    size = 0;
  };
  const version = () => {
    const latest = freshness.version(now());
    if (latest !== current) begin(latest);
    return latest;
  };
  return {
    version,
    cacheControl: () => `public, max-age=${freshness.maxAge(now())}`,
    find: (address) => {
      version();
      return replies.get(address);
    },
    keep: (address, madeFor, reply) => {
      if (madeFor !== version()) return;
      if (size > most) begin(madeFor);
      size += address.length + reply.body.length + (reply.bytes?.length ?? 0);
      replies.set(address, reply);
    },
  };
}

/** Node copies a string of up to 16 KiB straight to the socket, and a longer one into a buffer first. */
const LONG = 8 * 1024;

export const replyOf = (type: string, body: Wire, headers: Record<string, string> = {}): Kept => ({
  headers: { 'content-type': type, etag: `"${hash('sha1', body, 'base64url')}"`, ...headers },
  body,
  ...(body.length > LONG && { bytes: wireBytes(body) }),
});

/** Whether the caller holds the reply already. */
export function isHeld(held: string | undefined, { headers: { etag } }: Kept): boolean {
  if (!held) return false;
  return held
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
}

/** Sends it through the framework: the first time, and where it cannot be kept. */
export function send({ headers }: FastifyRequest, reply: FastifyReply, kept: Kept, cacheControl: string) {
  reply.headers({ ...kept.headers, 'cache-control': cacheControl });
  if (isHeld(headers['if-none-match'], kept)) return reply.removeHeader('content-type').code(304).send();
  return reply.send(wireBytes(kept.body));
}
