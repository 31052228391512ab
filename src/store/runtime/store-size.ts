// How large the store is on disk, as far as that can be told without reading it.
import { stat, statfs } from 'node:fs/promises';
import { sqliteFile } from '../engine/open.ts';
import type { Store } from '../engine/store.ts';

export interface StoreSize {
  /** Bytes, by part: `main` and `wal` of the embedded store, `database` of PostgreSQL. */
  parts: Record<string, number>;
  /** Of the disk that the embedded store is on. */
  free?: number;
}

export async function storeSize(store: Store, dataDir: string): Promise<StoreSize> {
  if (store.engine === 'postgres') {
    const row = await store.get<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
    return { parts: row ? { database: row.bytes } : {} };
  }
  const [count, size, wal, disk] = await Promise.all([
    store.get<{ page_count: number }>('pragma page_count'),
    store.get<{ page_size: number }>('pragma page_size'),
    // It is there while a process has the store open.
    stat(`${sqliteFile(dataDir)}-wal`),
    statfs(dataDir),
  ]);
  const main = (count?.page_count ?? 0) * (size?.page_size ?? 0);
  return { parts: { main, wal: wal.size }, free: disk.bavail * disk.bsize };
}
