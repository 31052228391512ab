// Opens the place of LEDGER_STORAGE.
import type { Config } from '../../../config.ts';
import type { BucketSettings } from '../../../store/storage/bucket-requests.ts';
import { bucketStorage } from '../../../store/storage/bucket-storage.ts';
import { folderStorage } from '../../../store/storage/folder-storage.ts';
import type { LedgerStorage } from '../../../store/storage/ledger-storage.ts';

/** Undefined where the database alone has the ledger. Requests under way end when `signal` aborts. */
export function openLedgerStorage(config: Config, signal: AbortSignal): LedgerStorage | undefined {
  const place = config.LEDGER_STORAGE;
  if (place.kind === 'database') return undefined;
  if (place.kind === 'folder') return folderStorage(place.path);
  const endpoint = config.AWS_ENDPOINT_URL_S3;
  const style = config.LEDGER_STORAGE_PATH_STYLE;
  const settings: BucketSettings = {
    ...{ bucket: place.bucket, prefix: place.prefix, endpoint, region: config.AWS_REGION },
    pathStyle: style === 'auto' ? endpoint !== undefined : style === 'on',
    credentials: {
      accessKeyId: config.AWS_ACCESS_KEY_ID,
      secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
      sessionToken: config.AWS_SESSION_TOKEN,
    },
  };
  return bucketStorage(settings, signal);
}
