// What an error of PostgreSQL or of the way to it means for callers.
import { StoreError } from '../store.ts';

const DISK_FULL = '53100';

export function toStoreError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  // The message names the file that could not grow, and so the disk.
  if (code === DISK_FULL)
    return new StoreError('full', {
      cause: new Error(`the disk of the PostgreSQL server is full: make room there (${message})`, {
        cause: error,
      }),
    });
  return isUnavailable(error) ? new StoreError('unavailable', { cause: error }) : error;
}

/**
 * SQLSTATE classes and codes of a server that cannot serve, where the statement is not at fault: connection (08),
 * deadlock (40), resources such as memory and connections (53), shutdown and statement timeout (57), system and input/output (58),
 * corrupted data (XX), a lock that was not granted in time (55P03), a server that has become read-only (25006), a
 * transaction that was ended because it paused for too long (25P03).
 */
const UNAVAILABLE = /^(08|40|53|57|58|XX|55P03|25006|25P03)/;

function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (!code) return /timeout|terminated|not queryable|Connection ended/i.test(message ?? '');
  return UNAVAILABLE.test(code) || /^E[A-Z]+$/.test(code) || CERTIFICATE.test(code);
}

/** Codes of Node and OpenSSL for a certificate that is not the server's, or that nobody vouches for. */
const CERTIFICATE = /^ERR_(TLS|SSL)_|CERT|UNABLE_TO_/;
