// The ways in which a feed fails, and how an answer is sent under each. Those that change the data are in view.ts.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { FeedAnswer } from './view.ts';

/** Each with what it does; `seconds` of a fault changes the stated number. */
export const faultKinds = {
  error_500: 'status 500',
  rate_limited: 'status 429 without Retry-After',
  rate_limited_retry_after: 'status 429 with Retry-After, 30 seconds',
  timeout: 'the request is read and never answered',
  slow: 'a byte every second',
  half_body: 'the connection ends in the middle of the body',
  truncated: 'half of the body, as if it were the whole',
  html: 'a page of HTML with status 200',
  gzip_bomb: 'a megabyte of gzip that expands to a gigabyte of blanks',
  huge_json: '50 MB of JSON before the true values',
  wrong_charset: 'UTF-16 that is declared as UTF-8',
  clock_ahead: 'times two hours ahead, with the values of now',
  clock_behind: 'times two hours behind, with the values of now',
  empty: 'lists without rows',
  duplicated_rows: 'each row twice',
  renamed_field: 'a field has another name',
  frozen: 'new times, with the values of when the fault began',
  old_values: 'values of six hours ago, with their times, in a fresh answer',
} as const;
export type FaultKind = keyof typeof faultKinds;

export const isFaultKind = (name: string): name is FaultKind => Object.hasOwn(faultKinds, name);

export interface FaultOptions {
  /** The Retry-After, the skew of the clock, the age of old values, or the pause between the bytes of a slow answer. */
  seconds?: number;
  /** The fault ends by itself after so many requests. */
  requests?: number;
}

export interface ActiveFault extends FaultOptions {
  kind: FaultKind;
  /** When it began, by the server's clock. */
  since: number;
}

/** Faults by the start of a path; of several that match, the longest counts. */
export class FaultSwitches {
  readonly active = new Map<string, ActiveFault>();

  set(path: string, fault: ActiveFault | null): void {
    if (fault) this.active.set(path, fault);
    else this.active.delete(path);
  }

  /** The fault for this request, which counts as one of those that a limited fault lasts for. */
  take(path: string): ActiveFault | null {
    const [found] = [...this.active]
      .filter(([start]) => isBelow(path, start))
      .sort(([a], [b]) => b.length - a.length);
    if (!found) return null;
    const [start, fault] = found;
    if (fault.requests !== undefined) {
      fault.requests -= 1;
      if (fault.requests <= 0) this.active.delete(start);
    }
    return fault;
  }
}

/** `/gbfs` covers `/gbfs/2/gbfs.json` and not `/gbfs-other`; `/` covers all. */
function isBelow(path: string, start: string): boolean {
  const folder = start.replace(/\/$/, '');
  return path === folder || path.startsWith(`${folder}/`);
}

const HTML = '<!doctype html><html><head><title>maintenance</title></head><body>back soon</body></html>';
const MEGABYTE = 1024 * 1024;
const HUGE_BYTES = 50 * MEGABYTE;

/** Sends the answer as the fault wants it. Returns when all was sent, or when the client is gone. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: FeedAnswer,
  fault: ActiveFault | null,
): Promise<void> {
  const { status = 200, type } = answer;
  const body = Buffer.from(answer.body);
  const send = (code: number, content: string | Uint8Array, headers: Record<string, string> = {}) =>
    response
      .writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(content), ...headers })
      .end(content);
  switch (fault?.kind) {
    case 'error_500':
      return void send(500, 'internal error', { 'content-type': 'text/plain' });
    case 'rate_limited':
      return void send(429, 'too many requests', { 'content-type': 'text/plain' });
    case 'rate_limited_retry_after':
      return void send(429, 'too many requests', {
        'content-type': 'text/plain',
        'retry-after': String(fault.seconds ?? 30),
      });
    case 'timeout':
      return;
    case 'slow':
      response.writeHead(status, { 'content-type': type, 'content-length': body.length });
      return byteByByte(response, body, (fault.seconds ?? 1) * 1000);
    case 'half_body':
      response.writeHead(status, { 'content-type': type, 'content-length': body.length });
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
      return;
    case 'truncated':
      return void send(status, body.subarray(0, body.length / 2));
    case 'html':
      return void send(200, HTML, { 'content-type': 'text/html; charset=utf-8' });
    case 'gzip_bomb':
      return void send(200, gzipBomb(), { 'content-encoding': 'gzip' });
    case 'huge_json':
      response.writeHead(200, { 'content-type': type });
      return ignoringGoneClient(pipeline(Readable.from(hugeJson(body)), response));
    case 'wrong_charset':
      return void send(status, Buffer.from(`\ufeff${body.toString()}`, 'utf16le'));
    case 'renamed_field':
      return void send(status, answer.renameField());
    default:
      return sendWhole(request, response, { ...answer, body });
  }
}

/** With an ETag and compression, as publishers do. */
function sendWhole(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, type, body }: FeedAnswer,
): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (status === 200 && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const sent = isCompressed ? gzipSync(body) : Buffer.from(body);
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': sent.length,
      ...(status === 200 && { etag }),
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    })
    .end(sent);
}

function byteByByte(response: ServerResponse, body: Uint8Array, pause: number): void {
  let sent = 0;
  const next = () => {
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  };
  const timer = setInterval(next, pause);
  response.on('close', () => clearInterval(timer));
  next();
}

let bomb: Buffer | undefined;

/** Members of gzip may follow each other, so that one of ten megabytes is enough. */
function gzipBomb(): Buffer {
  if (!bomb) {
    const member = gzipSync(Buffer.alloc(10 * MEGABYTE, ' '));
    bomb = Buffer.concat(Array.from({ length: 100 }, () => member));
  }
  return bomb;
}

/** Valid JSON whose true values come last: only a limit on size refuses it. Lists and other formats get blanks. */
function* hugeJson(body: Buffer): Generator<Buffer> {
  const isObject = body[0] === '{'.charCodeAt(0) && body.length > 2;
  const row = Buffer.from(isObject ? '{"id":"padding","value":12345},\n' : ' '.repeat(32));
  const block = Buffer.concat(Array.from({ length: 2048 }, () => row));
  if (isObject) yield Buffer.from('{"padding":[');
  for (let sent = 0; sent < HUGE_BYTES; sent += block.length) yield block;
  yield isObject ? Buffer.concat([Buffer.from('0],'), body.subarray(1)]) : body;
}

/** A client that has had enough closes the connection. */
const ignoringGoneClient = (sending: Promise<void>): Promise<void> => sending.catch(() => {});
