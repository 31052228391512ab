// An HTTP client for tests: sends exactly the given headers, and returns the reply unchanged.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, which must be JSON. */
  json<T = Record<string, unknown>>(): T;
}

interface RequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** The reply without its body, which is not awaited. */
  headOnly?: boolean;
}

/**
 * Test files share a process: while one computes for ten seconds between the connection and the request of another, the
 * server answers 408, to which RFC 9110 (15.5.9) lets a client repeat the request.
 */
export async function ask(url: string, options: RequestOptions = {}): Promise<Reply> {
  let reply = await askOnce(url, options);
  for (let tries = 0; reply.status === 408 && tries < MOST_TRIES; tries++)
    reply = await askOnce(url, options);
  return reply;
}

const MOST_TRIES = 20;

function askOnce(
  url: string,
  { method = 'GET', headers = {}, body, headOnly = false }: RequestOptions,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      // An event stream would never end.
      if (headOnly || response.headers['content-type']?.startsWith('text/event-stream')) {
        response.destroy();
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: '', json: () => JSON.parse('') });
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text, json: () => JSON.parse(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A POST with the content type of JSON; strings and bytes are sent as they are. */
export const post = (url: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
