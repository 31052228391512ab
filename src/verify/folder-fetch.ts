// Reads a ledger that was published as files, from the folder itself.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LedgerFault } from './fault.ts';
import type { FetchBytes } from './source.ts';

/** Whoever wrote the folder chose the size of its files: no more than `limit` bytes are read. */
export const folderFetch =
  (folder: string): FetchBytes =>
  async (path, limit) => {
    try {
      const file = await open(join(folder, path));
      try {
        const { size } = await file.stat();
        if (size > limit) throw new Error(`more than ${limit} bytes`);
        return await file.readFile();
      } finally {
        await file.close();
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw new LedgerFault('unavailable', `${join(folder, path)}: ${message}`);
    }
  };
