// Plain HTTP for tests: exactly the headers that are given, and the reply as it came.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, which must be JSON. */
  json<T = Record<string, unknown>>(): T;
}

interface Question {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export function ask(url: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Reply> {
  return new Promise((done, refuse) => {
    const question = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', refuse);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers } = response;
        done({ status, headers, text, json: () => JSON.parse(text) });
      });
    });
    question.on('error', refuse);
    question.end(body);
  });
}

/** A POST of JSON, or of text that may be anything. */
export const post = (url: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
