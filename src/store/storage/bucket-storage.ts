// The published ledger in a bucket. `If-None-Match: *` makes a write fail where there is a file already, `If-Match`
// where it was replaced since. An answer may be lost after its write was done: the repeated write then fails, and the
// bytes that are found there decide.
import {
  type BucketRequest,
  type BucketSettings,
  bucketRequests,
  type RequestLimits,
} from './bucket-requests.ts';
import { type LedgerStorage, type ReplacedPath, StorageError, type StoredFile } from './ledger-storage.ts';

const ABSENT = { 'if-none-match': '*' };
const unchanged = ({ version }: StoredFile) => ({ 'if-match': version });

/** What a cache in between may keep, as the service says it too. */
const FOREVER = 'public, max-age=31536000, immutable';
const FIVE_SECONDS = 'public, max-age=5';

const OCTETS = 'application/octet-stream';
const fileHeaders = (path: string): Record<string, string> => ({
  'content-type': path.startsWith('detached/') ? 'application/json' : OCTETS,
  'cache-control': FOREVER,
});
const replacedHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': FIVE_SECONDS };

/** Tells whether the bucket honours conditions. */
const PROBE = 'conditions';
const PROBE_BYTES = Buffer.from(
  'Whether writes to this bucket may be conditional is tried with this file.\n',
);

export function bucketStorage(
  settings: BucketSettings,
  signal: AbortSignal,
  limits?: RequestLimits,
): LedgerStorage {
  const request = bucketRequests(settings, signal, limits);
  const get = (path: string) => getFile(request, path);
  const location = ['s3:/', settings.bucket, ...(settings.prefix ? [settings.prefix] : [])].join('/');
  return {
    location,
    get,
    prepare: async () => {
      const put = async (condition: Record<string, string>) =>
        (await request('PUT', PROBE, { ...replacedHeaders, ...condition }, PROBE_BYTES)).status;
      await put(ABSENT);
      const refused = [await put(ABSENT), await put({ 'if-match': `"${'0'.repeat(32)}"` })];
      if (refused.some((status) => status !== 412))
        throw new StorageError(
          'unsupported',
          `${location} ignores If-None-Match or If-Match, without which two writers could overwrite each other`,
        );
    },
    putOnce: async (path, bytes) => {
      const { status } = await request('PUT', path, { ...fileHeaders(path), ...ABSENT }, bytes);
      if (status < 300) return;
      const found = await get(path);
      if (!found)
        throw new StorageError('unavailable', `PUT ${path}: status ${status}, and nothing is there`);
      if (!found.bytes.equals(bytes))
        throw new StorageError('different', `${path} has other bytes than the database`);
    },
    replace: async (path: ReplacedPath, bytes, previous) => {
      const condition = previous ? unchanged(previous) : ABSENT;
      const { status } = await request('PUT', path, { ...replacedHeaders, ...condition }, bytes);
      if (status < 300) return;
      if (!(await get(path))?.bytes.equals(bytes))
        throw new StorageError('replaced', `${path} was replaced by another process`);
    },
  };
}

async function getFile(request: BucketRequest, path: string): Promise<StoredFile | undefined> {
  const { status, etag, bytes } = await request('GET', path);
  if (status === 404) return undefined;
  if (status !== 200 || etag === null)
    throw new StorageError('unavailable', `GET ${path}: status ${status}${etag === null ? ', no ETag' : ''}`);
  return { bytes, version: etag };
}
