import { canonicalJson } from '../ledger/canonical-json.ts';

/** As deep as the log may nest. */
const MAX_DEPTH = 64;

/**
 * Whether `text`, which parses to `value`, is canonical JSON (RFC 8785). The platform writes numbers and escapes as
 * the RFC asks, so a text that comes back unchanged has only its key order left to check: most do, in three
 * quarters of the time it takes to write them anew. Keys that look like numbers do not keep their place and take the
 * long way.
 */
export function isCanonical(value: unknown, text: string): boolean {
  try {
    // Half a surrogate pair comes back too, as an escape.
    if (JSON.stringify(value) === text) return isOrdered(value, text.includes('\\ud'), 0);
    return canonicalJson(value) === text;
  } catch {
    // Nested deeper than the stack, or nothing that could be sealed.
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
