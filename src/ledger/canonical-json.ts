import { LedgerError } from './error.ts';
import { shapeMemory } from './json-shape.ts';

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
  return written(value, 0);
}

function written(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      // RFC 8785 uses ECMAScript's number-to-string conversion; -0 gives 0.
      if (Number.isFinite(value)) return `${value}`;
      throw new LedgerError('not_json', `${value} is not a JSON number`);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth === MAX_DEPTH) throw new LedgerError('too_deep', `nested deeper than ${MAX_DEPTH}`);
      return Array.isArray(value) ? listed(value, depth + 1) : membered(value, depth + 1);
    default:
      throw new LedgerError('not_json', `${typeof value} is not JSON`);
  }
}

function listed(items: readonly unknown[], depth: number): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + written(items[i], depth);
  return `${text}]`;
}

function membered(object: object, depth: number): string {
  // A Date, a Map or a class instance would lose its content.
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new LedgerError('not_json', 'only plain objects are JSON');
  }
  const { order, labels } = shapeOf(Object.keys(object));
  if (order.length === 0) return '{}';
  // Object.values is faster than reading the members one by one by name.
  const values: unknown[] = Object.values(object);
  let text = '';
  for (let i = 0; i < order.length; i++) text += labels[i] + written(values[order[i] as number], depth);
  return `${text}}`;
}

function quoted(text: string): string {
  if (!NEEDS_CARE.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new LedgerError('not_json', 'a string holds half a surrogate pair');
  return JSON.stringify(text);
}

const shapeOf = shapeMemory(quoted);
