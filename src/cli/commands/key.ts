import { readFileSync } from 'node:fs';
import { type Config, readConfig } from '../../config.ts';
import { createSigner, type Signer } from '../../ledger/key.ts';
import type { Store } from '../../store/engine/store.ts';
import { currentKey, type StoredKey } from '../../store/ledger/ledger-keys.ts';
import { rotateKey } from '../../store/ledger/rotate-key.ts';
import { readHistory } from '../../store/runtime/history.ts';
import { flag, print, text, UsageError } from '../runtime/command.ts';
import {
  availableKey,
  checkOrigin,
  installKey,
  newPrivateKey,
  parsePrivateKey,
  writeKeyDraft,
} from '../runtime/ledger/ledger-key.ts';
import { openUpgradedStore } from '../runtime/open.ts';
import { commandWithActions, readAction, report } from '../runtime/operator.ts';

const usage = `pocketwatch key show [--json]
pocketwatch key rotate [--key FILE] [--lost] [--json]

The key that signs the ledger's checkpoints. "show" prints the ledger's origin, the id of its key, and the public key as
"pocketwatch verify --key" takes it. "rotate" changes the key: the change is an entry of the ledger, signed by the old
key, and the new key signs every checkpoint from then on. The new key replaces ledger.key in DATA_DIR; the old one is
kept beside it. With LEDGER_KEY set, put the new key there. Restart every process of the service afterwards: until then
they answer, but accept no submissions and run no jobs.

  --key FILE   the new key, Ed25519 in PEM; default: one is made
  --lost       the old key is lost and cannot sign the change; verifiers will say so
  --json       print the key, or what was done, as JSON`;

export const keyCommand = commandWithActions('key', usage, { show, rotate });

async function withStoredKey(
  work: (config: Config, store: Store, stored: StoredKey) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env);
  const store = await openUpgradedStore(config);
  try {
    const stored = await currentKey(store);
    if (!stored) throw new UsageError('the ledger has no key yet: the first start of the service makes one');
    await work(config, store, stored);
  } finally {
    await store.close();
  }
}

async function show(args: string[]): Promise<void> {
  const { values } = readAction(args, { json: flag });
  await withStoredKey(async (_config, _store, { origin, key_id, verifier_key }) =>
    print(
      values.json
        ? JSON.stringify({ origin, key_id, verifier_key })
        : `origin        ${origin}\nkey id        ${key_id}\nverifier key  ${verifier_key}`,
    ),
  );
}

async function rotate(args: string[]): Promise<void> {
  const { values } = readAction(args, { key: text, lost: flag, json: flag });
  await withStoredKey(async (config, store, stored) => {
    checkOrigin(config, stored);
    // Every entry up to the last one of the history is marked as history, and this one must not be.
    if (!(await readHistory(store)).finished)
      throw new UsageError('the simulated history is not complete yet: change the key when it is');
    const old = oldSigner(config, stored, values.lost);
    const key = values.key === undefined ? newPrivateKey() : parsePrivateKey(readKey(values.key), values.key);
    const next = createSigner(stored.origin, key);
    if (next.keyId === stored.key_id) throw new UsageError(`the ledger's key is already ${next.keyId}`);

    const draft = writeKeyDraft(config, key, next.keyId);
    const entry = await store.transaction((tx) => rotateKey(tx, { stored, old, next }));
    if (!entry) throw new UsageError('another command has just changed the key: nothing was written');
    const isSetting = config.LEDGER_KEY !== undefined;
    const file = isSetting ? draft : installKey(config, draft, old?.keyId ?? 'replaced');
    const { keyId: key_id, verifierKey: verifier_key } = next;
    report(
      values.json,
      {
        action: 'rotate',
        id: entry.id,
        leaf: entry.leaf,
        key_id,
        verifier_key,
        old_key_id: stored.key_id,
        file,
      },
      `the ledger's key is ${key_id} now (entry ${entry.id}); ${
        isSetting ? `set LEDGER_KEY to the contents of ${file}` : `it is in ${file}`
      }; restart every process of the service`,
    );
  });
}

/** Undefined if the old key is lost; that must be said, since outsiders cannot tell such a change from a forged one. */
function oldSigner(config: Config, stored: StoredKey, lost = false): Signer | undefined {
  const signer = availableSigner(config, stored, lost);
  if (signer?.verifierKey !== stored.verifier_key) {
    if (lost) return undefined;
    throw new UsageError(
      `the old key ${stored.key_id} is not available to sign the change: restore it, or add --lost if it is lost`,
    );
  }
  if (lost) throw new UsageError(`the old key ${stored.key_id} is available and can sign: leave out --lost`);
  return signer;
}

function availableSigner(config: Config, { origin }: StoredKey, lost: boolean): Signer | undefined {
  try {
    const key = availableKey(config);
    return key && createSigner(origin, key);
  } catch (error) {
    // A damaged key file is a lost key.
    if (lost) return undefined;
    throw error;
  }
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--key ${file}: ${(error as Error).message}`);
  }
}
