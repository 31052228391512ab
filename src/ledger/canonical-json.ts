import { LedgerError } from './error.ts';
import { shapeMemory } from './json-shape.ts';

/** Whoever submits a body controls how deep it nests; past this the call stack would be theirs too. */
const MAX_DEPTH = 64;

/** What a string cannot hold as it stands. The surrogates are here so that only strings with one are checked for pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON must escape
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * RFC 8785. Two values that are equal as JSON give the same text, and a value that JSON cannot hold is refused rather
 * than quietly altered: what is dropped before hashing could be changed after it.
 */
export function canonicalJson(value: unknown): string {
  return written(value, 0);
}

function written(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      // ECMAScript's own number to string is the one RFC 8785 asks for; -0 gives 0.
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
  // A Date, a Map or a class would lose what it holds.
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new LedgerError('not_json', 'only plain objects are JSON');
  }
  const { order, labels } = shapeOf(Object.keys(object));
  if (order.length === 0) return '{}';
  // All values at once are had sooner than one after the other by name.
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
