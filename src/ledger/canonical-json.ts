import { LedgerError } from './error.ts';

/** A submitter controls how deep a body nests; without a limit it could overflow the call stack. */
const MAX_DEPTH = 64;

/** Characters that need escaping. Surrogates are included so that only strings with one are checked for pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON must escape
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * RFC 8785. Two values that are equal as JSON give the same text. A value that JSON cannot represent is refused rather
 * than silently altered: what is dropped before hashing could be changed after it.
 */
export function canonicalJson(value: unknown): string {
  return serialize(value, 0);
}

function serialize(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      // RFC 8785 uses ECMAScript's number-to-string conversion; -0 gives 0.
      if (Number.isFinite(value)) return `${value}`;
      throw new LedgerError('not_json', `${value} is not a JSON number`);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth === MAX_DEPTH) throw new LedgerError('too_deep', `nested deeper than ${MAX_DEPTH}`);
      return Array.isArray(value) ? serializeArray(value, depth + 1) : serializeObject(value, depth + 1);
    default:
      throw new LedgerError('not_json', `${typeof value} is not JSON`);
  }
}

// Texts grow piece by piece: lists of members that are joined take twice as long, and every row of the ledger is serialized.
function serializeArray(items: readonly unknown[], depth: number): string {
  let text = '';
  // Not `forEach`, which skips the holes of a sparse array.
  for (const item of items) text += `${text && ','}${serialize(item, depth)}`;
  return `[${text}]`;
}

function serializeObject(object: object, depth: number): string {
  // A Date, a Map or a class instance would lose its content.
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new LedgerError('not_json', 'only plain objects are JSON');
  }
  let text = '';
  // A plain sort compares UTF-16 code units, as RFC 8785 requires.
  for (const key of Object.keys(object).sort())
    text += `${text && ','}${quote(key)}:${serialize((object as Record<string, unknown>)[key], depth)}`;
  return `{${text}}`;
}

function quote(text: string): string {
  if (!NEEDS_CARE.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new LedgerError('not_json', 'a string holds half a surrogate pair');
  return JSON.stringify(text);
}
