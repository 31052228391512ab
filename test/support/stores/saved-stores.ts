// The stores that released versions have made, one folder each; scripts/save-store.ts adds one.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { privateKeyFromSeed } from '../../../src/ledger/key.ts';
import type { Engine } from './store-places.ts';

export const savedStores = join(import.meta.dirname, '../../stores');
export const savedVersions = readdirSync(savedStores).sort();

/** Few, since the stores stay in the repository for good. */
export const savedPockets = ['holland', 'serene'];

export const savedFile = (version: string, engine: Engine): string =>
  join(savedStores, version, engine === 'sqlite' ? 'sqlite.zst' : 'postgres.dump');

/** Writes the backup, as that version made it, into `folder`; returns its file. */
export function unpackSaved(version: string, engine: Engine, folder: string): string {
  const file = join(folder, 'saved');
  const packed = readFileSync(savedFile(version, engine));
  writeFileSync(file, engine === 'sqlite' ? zstdDecompressSync(packed) : packed);
  copyFileSync(join(savedStores, version, `${engine}.checkpoint`), `${file}.checkpoint`);
  return file;
}

/** The keys of their ledgers, in PEM: the second replaces the first. */
export const keyPem = (which: 'first' | 'second'): string =>
  privateKeyFromSeed(Buffer.alloc(32, which)).export({ format: 'pem', type: 'pkcs8' }).toString();
