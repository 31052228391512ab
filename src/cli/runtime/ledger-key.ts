import { type KeyObject, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { type Config, ConfigError } from '../../config.ts';
import { privateKeyFromPem, privateKeyFromSeed, privateKeyPem } from '../../ledger/key.ts';

/** The ledger's key: from the setting, else from the data folder, where the first start creates one. */
export function ledgerKey({ LEDGER_KEY, DATA_DIR }: Config): KeyObject {
  try {
    return privateKeyFromPem(LEDGER_KEY ?? keyFile(join(DATA_DIR, 'ledger.key')));
  } catch (error) {
    if ((error as { code?: string }).code !== 'bad_key') throw error;
    throw new ConfigError(
      `${LEDGER_KEY ? 'LEDGER_KEY' : `${DATA_DIR}/ledger.key`}: ${(error as Error).message}`,
    );
  }
}

function keyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(join(path, '..'), { recursive: true });
  // Written whole under another name, then linked: of two processes that start together one creates the key, and the
  // other finds either no file or a complete one.
  const draft = `${path}.${process.pid}-${threadId}`;
  writeFileSync(draft, privateKeyPem(privateKeyFromSeed(randomBytes(32))), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, 'utf8');
}
