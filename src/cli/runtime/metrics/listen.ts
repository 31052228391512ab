// The listener of METRICS_PORT: GET /metrics and nothing else, apart from the service and its limits.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../../../domain/text/operator-error.ts';
import { CONTENT_TYPE } from '../../../metrics/text.ts';

/** A scraper or two, and a person: more have no use. */
const MAX_CONNECTIONS = 8;
const timeouts = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 20_000 };
const SOCKET_IDLE_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 8 * 1024;

export interface MetricsListener {
  url: string;
  close(): Promise<void>;
}

export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  scrape: () => Promise<string>,
): Promise<MetricsListener> {
  const server = createServer(
    { ...timeouts, maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 1_000 },
    async ({ method, url = '' }, response) => {
      const refuse = (status: number, text: string, headers = {}) =>
        response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${text}\n`);
      if (!/^\/metrics(\?|$)/.test(url)) return refuse(404, 'only /metrics is here');
      if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'use GET', { allow: 'GET, HEAD' });
      try {
        const body = Buffer.from(await scrape());
        const headers = { 'content-type': CONTENT_TYPE, 'content-length': body.length };
        response.writeHead(200, headers).end(body);
      } catch {
        refuse(500, 'the metrics could not be read');
      }
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(SOCKET_IDLE_TIMEOUT_MS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(operatorError(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What the operator can mend. */
function operatorError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const options = { cause: error };
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `METRICS_PORT ${port} is in use: end what listens there, or set METRICS_PORT to another port`,
        options,
      );
    case 'EACCES':
      return new OperatorError(`METRICS_PORT ${port} may not be used: set it to one from 1024 on`, options);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(`METRICS_HOST ${host} is no address of this machine`, options);
    default:
      return error;
  }
}
