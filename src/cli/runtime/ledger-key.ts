import { type KeyObject, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  try {
    // `wx` fails if the file exists: two processes that start together must end with the same key.
    writeFileSync(path, privateKeyPem(privateKeyFromSeed(randomBytes(32))), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8');
}
