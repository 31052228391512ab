// One request of a feed and its whole answer, within limits of time and size. The built-in fetch cannot be told which
// address to connect to, so node:http and node:https make the request: their `lookup` checks the resolved addresses and
// the connection goes to those, so that a name that resolves differently a moment later (DNS rebinding) gains nothing.
import { isUtf8 } from 'node:buffer';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { checkedLookup, checkLiteral, type Resolve, systemResolve } from './checked-lookup.ts';
import { type SentKey, withKey } from './feed-keys.ts';
import { FetchError } from './fetch-error.ts';

export interface Validators {
  etag?: string;
  last_modified?: string;
}

export interface BodyRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent with each request, those after a redirect too, or nothing is sent. */
  key?: SentKey | null;
  /** JSON that is sent with POST; without it the request is a GET. */
  body?: string | undefined;
  /** Addresses inside private networks may be asked. */
  allow_private: boolean;
  /** Of the answer that is known already: the publisher may say that nothing has changed. */
  validators?: Validators | undefined;
  /** Called before each request that is sent, those after a redirect too; throws where the budget is used up. */
  admit?: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

export interface Body {
  /** As they were sent, after decompression. */
  raw: Uint8Array;
  /** What parsers read: JSON that declares Latin-1 is converted to UTF-8. */
  bytes: Uint8Array;
  validators: Validators;
}

export interface FetchLimits {
  /** For the whole answer, redirects included. */
  timeout_ms: number;
  /** Of the body, before and after decompression. */
  max_bytes: number;
  /** Addresses of a name; tests replace it. */
  resolve: Resolve;
}

export const fetchLimits: FetchLimits = {
  timeout_ms: 30_000,
  max_bytes: 32 * 1024 * 1024,
  resolve: systemResolve,
};

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Those after which a POST stays one: the others ask for a GET, which would be another question. */
const KEEP_METHOD = new Set([307, 308]);
/** A publisher that asks for more is asked again after this time all the same; less than a second is a second. */
const MAX_WAIT_MS = 60 * 60_000;

/** Null where the publisher says that nothing has changed. */
export async function fetchBody(asked: BodyRequest, limits: FetchLimits = fetchLimits): Promise<Body | null> {
  const timeout = AbortSignal.timeout(limits.timeout_ms);
  const signal = asked.signal ? AbortSignal.any([asked.signal, timeout]) : timeout;
  let url = checkUrl(asked.url, asked.allow_private);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      // Not into `url`, from which messages and redirects are made.
      const sent = withKey(url, asked.headers, asked.key ?? null);
      await asked.admit?.();
      const answer = await send(sent, asked, limits, signal);
      const { statusCode: status = 0, headers } = answer;
      if (REDIRECTS.has(status) && headers.location !== undefined) {
        answer.destroy();
        if (asked.body !== undefined && !KEEP_METHOD.has(status))
          throw new FetchError('forbidden', `${url.host} redirects a POST with status ${status}`);
        url = redirectTarget(url, headers.location, asked.allow_private);
        continue;
      }
      if (status === 304 && asked.validators) {
        answer.destroy();
        return null;
      }
      if (status !== 200) {
        answer.destroy();
        throw statusError(status, headers, url.host);
      }
      const raw = await readBody(answer, limits.max_bytes, signal);
      return {
        raw,
        bytes: decodeText(raw, headers['content-type'] ?? ''),
        validators: readValidators(headers),
      };
    }
    throw new FetchError('forbidden', `${url.host} redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    throw asFetchError(error, url.host, timeout.aborted, limits.timeout_ms);
  }
}

function checkUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new FetchError('forbidden', 'the address of the feed is not an http or https address');
  if (url.username || url.password)
    throw new FetchError('forbidden', 'the address of the feed holds a password: give the key by `key`');
  checkLiteral(url.hostname, allowPrivate);
  return url;
}

/** The same host and port, or from http to https of the same name. */
function redirectTarget(from: URL, location: string, allowPrivate: boolean): URL {
  const to = URL.parse(location, from.href);
  const upgraded =
    from.protocol === 'http:' &&
    to?.protocol === 'https:' &&
    !from.port &&
    !to.port &&
    to.hostname === from.hostname;
  if (!to || (to.origin !== from.origin && !upgraded))
    throw new FetchError('forbidden', `${from.host} redirects to another host`);
  return checkUrl(to.href, allowPrivate);
}

function send(
  { url, headers }: ReturnType<typeof withKey>,
  { body, validators, allow_private }: BodyRequest,
  { resolve }: FetchLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const conditional = {
    ...(validators?.etag !== undefined && { 'if-none-match': validators.etag }),
    ...(validators?.last_modified !== undefined && { 'if-modified-since': validators.last_modified }),
  };
  const sent = body === undefined ? {} : { 'content-type': 'application/json' };
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'accept-encoding': 'gzip, deflate, br', ...sent, ...headers, ...conditional },
    lookup: checkedLookup(resolve, allow_private),
    // A connection of its own: one that is kept might have been opened by a feed that may ask private addresses.
    agent: false as const,
    signal,
    maxHeaderSize: 32 * 1024,
  };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((done, failed) => {
    request(url, options).on('response', done).on('error', failed).end(body);
  });
}

const decompressors: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads and decompresses, and stops at the limit: what is announced or compressed may be far smaller than what comes. */
async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const tooLarge = () => new FetchError('too_large', `the answer is larger than ${maxBytes} bytes`);
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) {
    answer.destroy();
    throw tooLarge();
  }
  const limitBytes = async function* (source: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  };
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of limitBytes(source)) chunks.push(chunk);
  };
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') await pipeline(answer, collect, { signal });
  else {
    const decompress = Object.hasOwn(decompressors, encoding) ? decompressors[encoding]?.() : undefined;
    if (!decompress) throw new FetchError('bad_body', 'the answer has an unknown content-encoding');
    // Before too: empty parts without end never make the unpacked body any longer.
    await pipeline(answer, limitBytes, decompress, collect, { signal });
  }
  return Buffer.concat(chunks);
}

/** Text that a parser may read as UTF-8. The encoding of CSV is said by its feed's settings, so it is left as it is. */
function decodeText(raw: Uint8Array, contentType: string): Uint8Array {
  const opening = Buffer.from(raw.subarray(0, 200))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (
    /^<(!doctype\s+html|html)\b/i.test(opening) ||
    (/^text\/html\b/i.test(contentType) && opening.startsWith('<'))
  )
    throw new FetchError('bad_body', 'the answer is a page of HTML');
  if (!/^[\w.+-]+\/([\w.-]+\+)?json\b/i.test(contentType)) return raw;
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  if (/^(iso-?8859-1|latin-?1|windows-1252)$/.test(charset))
    return Buffer.from(new TextDecoder('latin1').decode(raw));
  if (!/^(utf-?8|us-ascii)$/.test(charset))
    throw new FetchError('bad_body', `the answer is in ${charset}, not in utf-8`);
  if (!isUtf8(raw)) throw new FetchError('bad_body', 'the answer says that it is utf-8, but it is not');
  return raw;
}

/** Longer than any real one: they are stored, so what a publisher sends is bounded. */
const MAX_VALIDATOR = 200;

function readValidators(headers: IncomingHttpHeaders): Validators {
  const short = (value: string | undefined) =>
    value !== undefined && value.length <= MAX_VALIDATOR ? value : undefined;
  const etag = short(headers.etag);
  const last_modified = short(headers['last-modified']);
  return { ...(etag !== undefined && { etag }), ...(last_modified !== undefined && { last_modified }) };
}

function statusError(status: number, headers: IncomingHttpHeaders, host: string): FetchError {
  const wait = retryAfter(headers['retry-after'], Date.parse(headers.date ?? '') || Date.now());
  const message = `${host} answers with status ${status}`;
  if (status === 429 || (status === 503 && wait !== undefined)) return new FetchError('busy', message, wait);
  return new FetchError(status >= 500 || status === 408 ? 'server' : 'refused', message);
}

/** Seconds, or a date, which is measured by the publisher's own clock. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : Number.NaN;
  // Date.parse takes nearly anything that has a number in it.
  const date = /^\s*[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN;
  const wait = Number.isNaN(seconds) ? date - now : seconds * 1000;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 1000), MAX_WAIT_MS) : undefined;
}

/** Messages of the system may hold addresses and paths; only its error code is passed on. */
function asFetchError(error: unknown, host: string, timedOut: boolean, timeoutMs: number): FetchError {
  if (error instanceof FetchError) return error;
  if (timedOut) return new FetchError('timeout', `${host} did not answer within ${timeoutMs / 1000} s`);
  const { code = 'no code', cause } = error as NodeJS.ErrnoException;
  if (cause instanceof FetchError) return cause;
  if (/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code) || code === 'ERR_PADDING_2')
    return new FetchError('bad_body', `the answer of ${host} cannot be decompressed`);
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new FetchError('network', `${host} closed the connection before the end of its answer`);
  return new FetchError('network', `${host} cannot be reached (${code})`);
}
