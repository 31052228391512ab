// The stores that released versions have made, one folder each; scripts/save-store.ts adds one.
import { join } from 'node:path';
import { privateKeyFromSeed } from '../../../src/ledger/key.ts';

export const savedStores = join(import.meta.dirname, '../../stores');

/** The keys of their ledgers, in PEM: the second replaces the first. */
export const keyPem = (which: 'first' | 'second'): string =>
  privateKeyFromSeed(Buffer.alloc(32, which)).export({ format: 'pem', type: 'pkcs8' }).toString();
