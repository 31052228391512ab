// The private key of the ledger: from LEDGER_KEY, else from the key file in DATA_DIR. The store says which key and origin
// the ledger has; a process that has others refuses to start.
import { type KeyObject, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { type Config, ConfigError } from '../../../config.ts';
import {
  createSigner,
  privateKeyFromPem,
  privateKeyFromSeed,
  privateKeyPem,
  type Signer,
} from '../../../ledger/key.ts';
import { makeFolder } from '../../../store/engine/make-folder.ts';
import type { Reader, Store } from '../../../store/engine/store.ts';
import {
  currentKey,
  findKeyChange,
  insertKey,
  lockLog,
  type StoredKey,
} from '../../../store/ledger/ledger-keys.ts';

export type KeySettings = Pick<Config, 'LEDGER_KEY' | 'LEDGER_ORIGIN' | 'DATA_DIR'>;

export const keyFilePath = ({ DATA_DIR }: KeySettings): string => join(DATA_DIR, 'ledger.key');

/** Where the settings have the key, as an operator knows it. */
const keyPlace = (settings: KeySettings): string =>
  settings.LEDGER_KEY === undefined ? keyFilePath(settings) : 'LEDGER_KEY';

export const newPrivateKey = (): KeyObject => privateKeyFromSeed(randomBytes(32));

/** The signer of the store's ledger; the first process on a store decides its key and origin. */
export async function ledgerSigner(settings: KeySettings, store: Store): Promise<Signer> {
  const stored = await currentKey(store);
  if (stored) return loadSigner(settings, store, stored);
  return store.transaction(async (tx) => {
    // Under the lock, so that of two processes with different data folders only one makes a key.
    await lockLog(tx);
    const claimed = await currentKey(tx);
    if (claimed) return loadSigner(settings, tx, claimed);
    const signer = createSigner(settings.LEDGER_ORIGIN, availableKey(settings) ?? createKeyFile(settings));
    await insertKey(tx, signer, 1, null);
    return signer;
  });
}

async function loadSigner(settings: KeySettings, store: Reader, stored: StoredKey): Promise<Signer> {
  checkOrigin(settings, stored);
  const key = availableKey(settings);
  const place = keyPlace(settings);
  if (!key) {
    throw new ConfigError(
      `${place} is missing, but the ledger already has the key ${stored.key_id}: restore the file, set LEDGER_KEY, ` +
        `or, if the key is lost, run "pocketwatch key rotate --lost"`,
    );
  }
  const signer = createSigner(stored.origin, key);
  if (signer.verifierKey === stored.verifier_key) return signer;
  const has = `${place} has the key ${signer.keyId}`;
  const replaced = await findKeyChange(store, signer.verifierKey);
  throw new ConfigError(
    replaced === undefined
      ? `${has}, but the ledger's key is ${stored.key_id}: set LEDGER_KEY to that key, or change the ledger's key ` +
          `with "pocketwatch key rotate"`
      : `${has}, which the entry ${replaced} replaced; the ledger's key is ${stored.key_id} now: give this process ` +
          `that key, as LEDGER_KEY or as ${keyFilePath(settings)}`,
  );
}

/** The origin is part of every checkpoint, so it never changes. */
export function checkOrigin({ LEDGER_ORIGIN }: KeySettings, { origin }: StoredKey): void {
  if (LEDGER_ORIGIN === origin) return;
  throw new ConfigError(
    `LEDGER_ORIGIN is '${LEDGER_ORIGIN}', but this ledger is '${origin}': set LEDGER_ORIGIN=${origin}`,
  );
}

/** The private key of the settings; undefined if LEDGER_KEY is unset and there is no key file. */
export function availableKey(settings: KeySettings): KeyObject | undefined {
  const pem = settings.LEDGER_KEY ?? readKeyFile(keyFilePath(settings));
  return pem === undefined ? undefined : parsePrivateKey(pem, keyPlace(settings));
}

/** `place` names the setting or file that the key comes from, in case it is none. */
export function parsePrivateKey(pem: string, place: string): KeyObject {
  try {
    return privateKeyFromPem(pem);
  } catch (error) {
    if ((error as { code?: string }).code !== 'bad_key') throw error;
    throw new ConfigError(`${place}: ${(error as Error).message}`);
  }
}

function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/**
 * Writes a key beside the key file, under a name with its id. It is on the disk before it is committed as the ledger's
 * key, and stays if the commit fails, since whether it failed may not be known.
 */
export function writeKeyDraft(settings: KeySettings, key: KeyObject, keyId: string): string {
  const draft = `${keyFilePath(settings)}.${keyId}`;
  makeFolder(dirname(draft));
  writeFileSync(draft, privateKeyPem(key), { mode: 0o600, flush: true });
  return draft;
}

/** Makes a draft the key file; the file that it replaces is kept beside it, with another ending. */
export function installKey(settings: KeySettings, draft: string, ending: string): string {
  const path = keyFilePath(settings);
  if (readKeyFile(path) !== undefined) renameSync(path, `${path}.${ending}`);
  renameSync(draft, path);
  return path;
}

/** Creates the key file; if another process has just created it, that key is taken. */
export function createKeyFile(settings: KeySettings): KeyObject {
  const path = keyFilePath(settings);
  makeFolder(dirname(path));
  // Written whole under another name, then linked: of two processes that start together one creates the key, and the
  // other finds either no file or a complete one.
  const draft = `${path}.${process.pid}-${threadId}`;
  writeFileSync(draft, privateKeyPem(newPrivateKey()), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return parsePrivateKey(readFileSync(path, 'utf8'), path);
}
