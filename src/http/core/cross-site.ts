// Requests that a page of another site makes through its reader's browser. It may read and not write. On a loopback
// address the Host header must be known: a page can make its own host name resolve to 127.0.0.1 (DNS rebinding), and
// the browser then takes the service for that page's own site.
import type { IncomingMessage } from 'node:http';
import { quote } from '../../domain/text/printable.ts';
import { HttpError } from './errors.ts';

export interface AllowedSites {
  /** Origins, beside the service's own, whose pages may write. */
  origins: readonly string[];
  /** Host names, beside the service's own, under which a loopback address is served. */
  hosts: readonly string[];
}

const isLoopbackAddress = (address = ''): boolean => /^(::ffff:)?127\.|^::1$/i.test(address);

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);

/** The name in a Host header: without port, in lower case, without the dot of a fully qualified name. */
function hostName(host: string): string | undefined {
  const [, name] = /^(\[[\da-f:.]+\]|[^\s:[\]]+)(?::\d*)?$/i.exec(host.trim()) ?? [];
  return name?.toLowerCase().replace(/\.$/, '');
}

/** Why a request is refused for its Host header, or undefined. Called for every request. */
export type CheckHost = (request: IncomingMessage) => HttpError | undefined;

export function hostChecker(baseUrl: string, { hosts }: AllowedSites): CheckHost {
  const own = new Set([new URL(baseUrl).hostname, ...hosts]);
  return ({ rawHeaders, socket, httpVersion }) => {
    let host: string | undefined;
    // Node keeps the first of two Host headers in `headers`; a proxy may have gone by the other.
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? '';
      if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
      if (host !== undefined) return new HttpError(400, 'more than one host header');
      host = rawHeaders[at + 1] ?? '';
    }
    // Only HTTP/1.0 may leave it out, which no browser speaks.
    if (host === undefined && httpVersion === '1.1') return new HttpError(400, 'no host header');
    if (host === undefined || !isLoopbackAddress(socket.localAddress)) return undefined;
    const name = hostName(host);
    if (name !== undefined && (own.has(name) || isLoopbackName(name))) return undefined;
    const message = `host not allowed on a loopback address: ${quote(host)}. set BASE_URL or ALLOWED_HOSTS to serve it`;
    return new HttpError(403, message);
  };
}

/** Throws if a write comes in a form that a page of another site could send. */
export type CheckWrite = (request: IncomingMessage) => void;

export function writeChecker(baseUrl: string, { origins }: AllowedSites): CheckWrite {
  const allowed = new Set([new URL(baseUrl).origin, ...origins]);
  return ({ headers, socket }) => {
    // A page can send other types without asking first (a preflight request).
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json')
      throw new HttpError(415, 'content-type must be application/json');
    const { origin } = headers;
    // Browsers send it with every POST; other clients usually leave it out.
    if (origin === undefined || allowed.has(origin)) return;
    if (isLoopbackAddress(socket.localAddress) && isLoopbackOrigin(origin, socket.localPort)) return;
    throw new HttpError(
      403,
      `origin not allowed to write: ${quote(origin)}. set ALLOWED_ORIGINS to allow it`,
    );
  };
}

/** An origin on this machine, of the port that the service listens on. */
function isLoopbackOrigin(origin: string, port: number | undefined): boolean {
  const [, secure, host = '', given] = /^http(s)?:\/\/(.+?)(?::(\d+))?$/.exec(origin) ?? [];
  return isLoopbackName(host) && Number(given ?? (secure ? 443 : 80)) === port;
}
