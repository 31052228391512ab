// The steps that tampers are made of.
import { hash } from 'node:crypto';
import { signCheckpoint } from '../../src/ledger/checkpoint.ts';
import type { EntryType } from '../../src/ledger/entry.ts';
import type { Signer } from '../../src/ledger/key.ts';
import { computeSeal } from '../../src/ledger/seal.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { readCheckpoint, readKey } from '../../src/verify/checkpoint.ts';
import type { FetchBytes } from '../../src/verify/source.ts';
import { editBundle, editPayload, storedEntries } from '../support/stores/stored-entries.ts';
import { change, type EditedEntry, rewriteLog } from '../support/stores/tamper-ledger.ts';
import { testSigner } from '../support/stores/test-key.ts';

export type Apply = (store: Store) => Promise<void>;

/** Rows before this leaf are left alone, so that a tamper is not at the very beginning. */
const FROM = 300;

export const sql =
  (...statements: string[]): Apply =>
  async (store) => {
    for (const statement of statements) await change(store, statement);
  };

/** Edits the text of a stored entry of a type, whose hash is computed when it is read; the tree stays as it is. */
export const editStored =
  (type: EntryType, edit: (payload: string) => string): Apply =>
  async (store) => {
    const entry = (await storedEntries(store, type)).find(({ leaf }) => leaf >= FROM);
    if (!entry || edit(entry.payload) === entry.payload) throw new Error(`nothing to edit in a ${type}`);
    await editPayload(store, entry.leaf, edit(entry.payload));
  };

/** Edits the entries of the second bundle as they are stored, a line each. */
export const editLines =
  (edit: (lines: string[]) => string[]): Apply =>
  (store) =>
    editBundle(store, 1, edit);

export const textHash = (text: string): string => `sha256:${hash('sha256', text, 'hex')}`;

/** Alters one byte of stored hashes, or cuts them short. */
export const editHashes =
  (table: string, where: string, edit: (hashes: Buffer) => Buffer): Apply =>
  async (store) => {
    const row = await store.get<{ hashes: string | Uint8Array }>(
      `select hashes from ${table} where ${where}`,
    );
    if (!row) throw new Error(`no hashes where ${where}`);
    const isText = typeof row.hashes === 'string';
    const hashes = edit(isText ? Buffer.from(row.hashes as string, 'base64') : Buffer.from(row.hashes));
    await change(
      store,
      `update ${table} set hashes = ? where ${where}`,
      isText ? hashes.toString('base64') : hashes,
    );
  };

export const flip = (bytes: Buffer): Buffer => Buffer.from(bytes.with(40, (bytes[40] ?? 0) ^ 1));

/** Signs the newest checkpoint again, by another key or with another time. */
export const resign =
  (by: Signer, time: (written: number) => number = (written) => written): Apply =>
  async (store) => {
    const row = await store.get<{ note: string }>(
      'select note from ledger_checkpoints order by size desc limit 1',
    );
    const head = readCheckpoint(row?.note ?? '', readKey(testSigner.verifierKey));
    const root = Buffer.from(head.root, 'base64').toString('hex');
    const note = signCheckpoint(head.size, root, by, time(Date.parse(head.written_at ?? '')));
    await change(store, 'update ledger_checkpoints set note = ? where size = ?', note, head.size);
  };

export type Fields = Record<string, unknown>;
type Replace = (entry: EditedEntry, at: number, entries: readonly EditedEntry[]) => EditedEntry[];

/** Writes the log anew with other rows in place of the first one of a type that fits, and signs it. */
export const rewriteRow =
  (
    type: string,
    replace: Replace,
    fits: (entry: EditedEntry, at: number, entries: readonly EditedEntry[]) => boolean = () => true,
  ): Apply =>
  (store) =>
    rewriteLog(store, (entries) => {
      const at = entries.findIndex(
        (entry, leaf) => leaf >= FROM && entry.type === type && fits(entry, leaf, entries),
      );
      const entry = entries[at];
      if (!entry) throw new Error(`no such ${type}`);
      return entries.toSpliced(at, 1, ...replace(entry, at, entries));
    });

/** The same with other fields in that row. A field that is undefined is left out. */
export const rewriteFields = (
  type: string,
  edit: (payload: Fields, at: number, entries: readonly EditedEntry[]) => Fields,
  fits?: Parameters<typeof rewriteRow>[2],
): Apply =>
  rewriteRow(type, (entry, at, entries) => [withFields(entry, edit(entry.payload, at, entries))], fits);

export function withFields(entry: EditedEntry, fields: Fields): EditedEntry {
  const payload = Object.entries({ ...entry.payload, ...fields }).filter(([, value]) => value !== undefined);
  return { ...entry, payload: Object.fromEntries(payload) };
}

/** The same with another text as the payload of a forecast, and with its hash. */
export const rewriteText = (edit: (canonical: string) => string): Apply =>
  rewriteRow('prediction', (entry) => {
    const canonical = edit(computeSeal(entry.payload).canonical);
    return [{ ...entry, seal: { canonical, payload_hash: textHash(canonical) } }];
  });

/** Serves other bytes at the path that fits. */
export const serveOther =
  (path: RegExp, edit: (bytes: Buffer) => Uint8Array) =>
  (fetch: FetchBytes): FetchBytes =>
  async (at, limit) => {
    const bytes = await fetch(at, limit);
    return bytes !== undefined && path.test(at) ? edit(Buffer.from(bytes)) : bytes;
  };
