// Stands in for a bucket of S3: honours If-None-Match and If-Match, checks signatures, and fails as it is told.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { BucketSettings } from '../../../src/store/storage/bucket-requests.ts';
import { signatureFault } from './signature.ts';

export const BUCKET = 'public-ledger';
export const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/EXAMPLE',
  sessionToken: '',
};

/**
 * What happens to a request: `lost` is done, but its answer does not arrive; `cut` is not even done; `repeated` is done
 * twice, as by a proxy that tried again; `hang` is never answered; a number is a status without anything done; a
 * function is called before the request is done, as another client might come in between.
 */
export type Fault = 'lost' | 'cut' | 'repeated' | 'hang' | number | (() => void | Promise<void>);

export interface Asked {
  method: string;
  path: string;
}

export async function startBucket(options: { honoursConditions?: boolean } = {}) {
  const { honoursConditions = true } = options;
  const files = new Map<string, Buffer>();
  const asked: Asked[] = [];
  const state = {
    /** Decides for each request. */
    fault: (_request: Asked): Fault | undefined => undefined,
    /** How long every answer takes. */
    slowMs: 0,
  };
  const etag = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

  const put = (key: string, bytes: Buffer, { headers }: IncomingMessage): number => {
    const found = files.get(key);
    if (honoursConditions) {
      if (headers['if-none-match'] === '*' && found) return 412;
      if (headers['if-match'] !== undefined) {
        if (!found) return 404;
        if (headers['if-match'] !== etag(found)) return 412;
      }
    }
    files.set(key, bytes);
    return 200;
  };
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer, key: string) => {
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(
          `<Error><Code>${code}</Code><StringToSign>${request.headers.authorization}</StringToSign></Error>`,
        );
    if (request.method === 'PUT') {
      const status = put(key, body, request);
      if (status !== 200) return refuse(status, 'PreconditionFailed');
      return response.writeHead(200, { etag: etag(body) }).end();
    }
    const found = files.get(key);
    if (!found) return refuse(404, 'NoSuchKey');
    return response.writeHead(200, { etag: etag(found) }).end(found);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = new URL(request.url ?? '', 'http://bucket').pathname;
    const key = path.slice(`/${BUCKET}/`.length);
    const one = { method: request.method ?? '', path: key };
    asked.push(one);
    await delay(state.slowMs);
    const fault = state.fault(one);
    const refused = signatureFault(request, body, credentials.secretAccessKey);
    if (!path.startsWith(`/${BUCKET}/`) || refused !== undefined)
      return response.writeHead(403).end(`<Error><Code>${refused}</Code></Error>`);
    if (fault === 'hang') return;
    if (fault === 'cut') return request.socket.destroy();
    if (typeof fault === 'number') return response.writeHead(fault).end('<Error><Code>Told</Code></Error>');
    if (typeof fault === 'function') await fault();
    if (fault === 'lost' || fault === 'repeated') {
      if (one.method === 'PUT') put(key, body, request);
      if (fault === 'lost') return request.socket.destroy();
    }
    answer(request, response, body, key);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    endpoint,
    files,
    asked,
    state,
    /** Nothing listens until `comeBack`. */
    goAway: close,
    comeBack: () => listen(port),
    close,
    settings: (prefix = ''): BucketSettings => ({
      ...{ bucket: BUCKET, prefix, endpoint, region: 'eu-west-2', pathStyle: true, credentials },
    }),
    /** The environment of a service that publishes here. */
    environment: {
      LEDGER_STORAGE: `s3://${BUCKET}`,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  };
}

export type TestBucket = Awaited<ReturnType<typeof startBucket>>;
