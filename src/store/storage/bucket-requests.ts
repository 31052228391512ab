// Signed requests to a bucket of S3 or of a service that is compatible with it. A request that failed is repeated a few
// times: conditions make a repeated write harmless.
import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { StorageError } from './ledger-storage.ts';

export interface BucketSettings {
  bucket: string;
  /** Without slashes at its ends; may be empty. */
  prefix: string;
  /** Unset: that of AWS in the region. */
  endpoint: string | undefined;
  region: string;
  pathStyle: boolean;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string };
}

export interface RequestLimits {
  timeout_ms: number;
  retries: number;
  /** The first pause; later ones grow, each with random jitter. */
  pause_ms: number;
}

export const requestLimits: RequestLimits = { timeout_ms: 30_000, retries: 4, pause_ms: 250 };

export interface BucketReply {
  status: number;
  etag: string | null;
  bytes: Buffer;
}

export type BucketRequest = (
  method: 'GET' | 'PUT',
  path: string,
  headers?: Record<string, string>,
  body?: Buffer,
) => Promise<BucketReply>;

/** What the caller distinguishes; anything else is a failure. */
const EXPECTED = new Set([200, 201, 204, 404, 412]);
/** Too early, too many, a write at the same time, or a fault of the server. */
const REPEATED = (status: number): boolean => status >= 500 || [408, 409, 425, 429].includes(status);

/** Failed, and worth another attempt at once. */
class Repeatable extends StorageError {}

export function bucketRequests(
  settings: BucketSettings,
  signal: AbortSignal,
  limits: RequestLimits = requestLimits,
): BucketRequest {
  const { region, credentials } = settings;
  const { sessionToken, ...keys } = credentials;
  const root = bucketAddress(settings);
  const policy = retry(
    handleWhen((error) => error instanceof Repeatable),
    {
      maxAttempts: limits.retries,
      backoff: new ExponentialBackoff({ initialDelay: limits.pause_ms, maxDelay: 20 * limits.pause_ms }),
    },
  );
  const once: BucketRequest = async (method, path, headers = {}, body) => {
    // Signed anew for each attempt, since a signature is good for a quarter of an hour.
    const signer = new AwsV4Signer({
      method,
      url: `${root}/${path}`,
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '', 'hex') },
      service: 's3',
      region,
      ...keys,
      ...(sessionToken && { sessionToken }),
    });
    const signed = await signer.sign();
    const reply = await answer(signed.url, {
      method,
      headers: signed.headers,
      ...(body && { body: new Uint8Array(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeout_ms)]),
    }).catch((error) => {
      throw new Repeatable('unavailable', `${method} ${path}: ${reasonOf(error)}`);
    });
    if (EXPECTED.has(reply.status)) return reply;
    const message = `${method} ${path}: status ${reply.status}${errorCode(reply.bytes)}`;
    if (reply.status === 501) throw new StorageError('unsupported', message);
    throw REPEATED(reply.status)
      ? new Repeatable('unavailable', message)
      : new StorageError('unavailable', message);
  };
  return (...request) => policy.execute(() => once(...request), signal);
}

async function answer(url: URL, init: RequestInit): Promise<BucketReply> {
  const response = await fetch(url, init);
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

function bucketAddress({ bucket, prefix, endpoint, region, pathStyle }: BucketSettings): string {
  const at = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) at.hostname = `${bucket}.${at.hostname}`;
  const base = at.href.replace(/\/+$/, '');
  return [base, ...(pathStyle ? [bucket] : []), ...(prefix ? [prefix] : [])].join('/');
}

/** What fetch says of a failed connection is in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? cause.message : message;
}

/** The code alone: the rest of an error may quote what was signed. */
function errorCode(body: Buffer): string {
  const [, code] = /<Code>(\w{1,60})<\/Code>/.exec(body.toString('latin1', 0, 2000)) ?? [];
  return code === undefined ? '' : ` (${code})`;
}
