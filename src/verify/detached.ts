import { hash } from 'node:crypto';
import type { RowNote } from './bundle.ts';
import { isCanonical } from './canonical.ts';
import { LedgerFault } from './fault.ts';
import type { FetchBytes } from './source.ts';
import { parseSeconds } from './times.ts';

const MAX_DETACHED = 4_000_000;

/** How long after the end of its window a submission's items may be published, in seconds: a slot. */
const PUBLISHED_AFTER = 15 * 60;

/**
 * A payload that is too large for an entry, or not public yet, is sealed as `detached: {hash, bytes}` and served under
 * its hash once it is published. Until then only the form of the seal can be checked. `now` is the newest time in the log,
 * in seconds: a submission whose window was closed by then must be there.
 */
export async function checkDetached(
  fetch: FetchBytes,
  { leaf, id, payload }: RowNote,
  now: number,
): Promise<'withheld' | 'checked'> {
  return (await readDetached(fetch, { leaf, id, payload }, now)) === undefined ? 'withheld' : 'checked';
}

/** What is detached, checked against its hash; undefined while it is withheld. */
export async function readDetached(
  fetch: FetchBytes,
  { leaf, id, payload }: RowNote,
  now: number,
): Promise<unknown> {
  const bad = (message: string): LedgerFault => new LedgerFault('bad_detached', message, { leaf, id });
  const { hash: digest, bytes: length } = (payload.detached ?? {}) as Record<string, unknown>;
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw bad('no hash of what is detached');
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0 || length > MAX_DETACHED) {
    throw bad('no length of what is detached');
  }
  const bytes = await fetch(`detached/${digest.slice('sha256:'.length)}`, length);
  if (bytes === undefined) {
    if (now > parseSeconds(payload.prediction_window_end) + PUBLISHED_AFTER)
      throw new LedgerFault('missing_submission', 'its window has closed and its items are not published', {
        leaf,
        id,
      });
    return undefined;
  }
  if (bytes.length !== length || `sha256:${hash('sha256', bytes, 'hex')}` !== digest) {
    throw bad('what is detached does not hash to what was sealed');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (isCanonical(value, text)) return value;
  } catch {}
  throw bad('what is detached is not canonical JSON');
}
