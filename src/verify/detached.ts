import { hash } from 'node:crypto';
import type { Notes } from './bundle.ts';
import { isCanonical } from './canonical.ts';
import { LedgerFault } from './fault.ts';
import type { FetchBytes } from './source.ts';

const MAX_DETACHED = 4_000_000;

/**
 * A payload that is too large for an entry, or not public yet, is sealed as `detached: {hash, bytes}` and served under
 * its hash once it is published. Until then only the form of the seal can be checked.
 */
export async function checkDetached(
  fetch: FetchBytes,
  { leaf, id, value }: Notes['detached'][number],
): Promise<'withheld' | 'checked'> {
  const bad = (message: string): LedgerFault => new LedgerFault('bad_detached', message, { leaf, id });
  const { hash: digest, bytes: length } = (value ?? {}) as Record<string, unknown>;
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw bad('no hash of what is detached');
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0 || length > MAX_DETACHED) {
    throw bad('no length of what is detached');
  }
  const bytes = await fetch(`detached/${digest.slice('sha256:'.length)}`, length);
  if (bytes === undefined) return 'withheld';
  if (bytes.length !== length || `sha256:${hash('sha256', bytes, 'hex')}` !== digest) {
    throw bad('what is detached does not hash to what was sealed');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (isCanonical(JSON.parse(text), text)) return 'checked';
  } catch {}
  throw bad('what is detached is not canonical JSON');
}
