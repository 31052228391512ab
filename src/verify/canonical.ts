import { canonicalJson } from '../ledger/canonical-json.ts';

/** The nesting depth that the log allows. */
const MAX_DEPTH = 64;

/**
 * Whether `text`, which parses to `value`, is canonical JSON (RFC 8785). JSON.stringify writes numbers and escapes as
 * the RFC requires, so if it reproduces the text only the key order is left to check. That holds for most texts and takes
 * three quarters of the time of serialising canonically. JavaScript moves integer-like keys to the front, so objects
 * with such keys take the slow path.
 */
export function isCanonical(value: unknown, text: string): boolean {
  try {
    // JSON.stringify also reproduces an unpaired surrogate, as an escape, which canonical JSON does not allow.
    if (JSON.stringify(value) === text) return isOrdered(value, text.includes('\\ud'), 0);
    return canonicalJson(value) === text;
  } catch {
    // Nested too deep, or a value that cannot be sealed.
    return false;
  }
}

function isOrdered(value: unknown, wary: boolean, depth: number): boolean {
  if (typeof value === 'string') return !wary || value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isOrdered(item, wary, depth + 1));
  let before: string | undefined;
  for (const key of Object.keys(value)) {
    if (before !== undefined && before >= key) return false;
    if (wary && !key.isWellFormed()) return false;
    if (!isOrdered((value as Record<string, unknown>)[key], wary, depth + 1)) return false;
    before = key;
  }
  return true;
}
