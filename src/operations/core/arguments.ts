// Checks arguments against an operation's input schema, with the error messages that the interface fixes. Used for MCP,
// REST and pages alike. Names and values come from the caller, who may send anything.
import type { TObject, TProperties, TSchema } from 'typebox';
import { isBlank } from '../../domain/text/plain-text.ts';
import { plainLine, printable } from '../../domain/text/printable.ts';
import { isMonthName, isoWeek, isWeekName } from '../../domain/time/periods.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { MONTH_PATTERN, WEEK_PATTERN } from './fields.ts';

export type InputSchema = TObject<TProperties>;

export type CheckedArguments = { ok: true; input: Record<string, unknown> } | { ok: false; message: string };

/** The JSON Schema keywords that our operations use. */
interface Keywords {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Keywords[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  items?: Keywords;
  properties?: Record<string, Keywords>;
  required?: string[];
  additionalProperties?: unknown;
  default?: unknown;
}

/** More are counted, not told: the caller is to mend these first. */
const MAX_FAULTS = 5;

/**
 * Tells what is wrong in the order that the interface fixes, and begins with its words: missing arguments first, then
 * unknown ones, then values of a wrong type. Valid arguments are returned with their defaults filled in. `naming` gives
 * the name that the caller uses.
 */
export function checkArguments(
  input: InputSchema,
  given: Record<string, unknown>,
  naming = (name: string) => name,
): CheckedArguments {
  const properties = input.properties as Record<string, Keywords>;
  const read = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, parseJsonText(properties[name], value)]),
  );
  // A caller may send thousands: no more are looked for than are told.
  const faults = [...objectFaults(input as Keywords, read, naming).take(MAX_FAULTS + 1)];
  if (faults.length)
    return {
      ok: false,
      message: [...faults.slice(0, MAX_FAULTS), ...(faults.length > MAX_FAULTS ? ['and more'] : [])].join(
        '; ',
      ),
    };
  const complete: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const value = Object.hasOwn(read, name) ? read[name] : schema.default;
    if (value !== undefined) complete.push([name, value]);
  }
  return { ok: true, input: Object.fromEntries(complete) };
}

type Faults = Generator<string, void, undefined>;

/** `shortly` names an argument beside others of the same object. */
function* objectFaults(
  schema: Keywords,
  given: Record<string, unknown>,
  naming: (name: string) => string,
  shortly = naming,
): Faults {
  const properties = schema.properties ?? {};
  const missing = new Set<string>();
  for (const name of schema.required ?? []) {
    if ('default' in (properties[name] ?? {})) continue;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && value !== null && !isEmptyText(value)) continue;
    missing.add(name);
    yield `${naming(name)} is required`;
  }
  if (schema.additionalProperties === false) {
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
    const known = Object.keys(properties).map((name) => shortly(name));
    for (const [at, name] of unknown.entries())
      yield `unknown argument: ${naming(printable(name))}${at ? '' : knownText(known)}`;
  }
  for (const [name, property] of Object.entries(properties)) {
    if (missing.has(name) || !Object.hasOwn(given, name) || given[name] === undefined) continue;
    yield* valueFaults(property, given[name], naming(name));
  }
}

const knownText = (known: readonly string[]): string =>
  known.length ? ` (known: ${known.join(', ')})` : ' (it takes none)';

/** Whether nothing of a text would be seen: blanks, or characters that are not drawn. */
const isEmptyText = (value: unknown): boolean => typeof value === 'string' && isBlank(plainLine(value));

/** Some clients send an object or array argument as JSON text. */
function parseJsonText(schema: Keywords | undefined, value: unknown): unknown {
  if (typeof value !== 'string' || (schema?.type !== 'object' && schema?.type !== 'array')) return value;
  try {
    const inner = JSON.parse(value);
    return isTooDeep(inner) ? value : inner;
  } catch {
    return value;
  }
}

function* valueFaults(schema: Keywords, value: unknown, field: string): Faults {
  if (schema.type === 'array' && Array.isArray(value)) yield* arrayFaults(schema, value, field);
  else if (schema.type === 'object' && isObject(value))
    yield* objectFaults(
      schema,
      value,
      (name) => `${field}.${name}`,
      (name) => name,
    );
  else {
    const fault = plainFault(schema, value, field);
    if (fault) yield fault;
  }
}

function plainFault(schema: Keywords, value: unknown, field: string): string | undefined {
  const choices = schema.enum ?? schema.anyOf?.map((choice) => choice.const);
  if (choices) return choices.includes(value) ? undefined : `${field} must be one of ${choices.join(', ')}`;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? stringFault(schema, value, field) : `${field} must be a string`;
    case 'integer':
      return Number.isInteger(value)
        ? rangeFault(schema, value as number, field)
        : `${field} must be an integer`;
    case 'number':
      return Number.isFinite(value)
        ? rangeFault(schema, value as number, field)
        : `${field} must be a number`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${field} must be a boolean`;
    case 'array':
      return `${field} must be an array`;
    case 'object':
      return `${field} must be an object`;
    default:
      return undefined;
  }
}

function stringFault(schema: Keywords, value: string, field: string): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  // The text type of PostgreSQL cannot store it.
  if (value.includes('\0')) return `${field} must not hold a NUL character`;
  const length = [...value].length;
  if (length > maxLength) return `${field} too long (max ${maxLength} chars)`;
  if (length < minLength) return `${field} too short (min ${minLength} chars)`;
  if (schema.format === 'date-time' && !isTimestamp(value))
    return `${field} must be an ISO 8601 time with its zone, such as 2026-11-11T04:00:00Z`;
  return pattern === undefined ? undefined : patternFault(pattern, value, field);
}

interface PatternRule {
  /** What the pattern stands for, in words. */
  rule: string;
  /** Some names have its form and still do not exist, such as a month 13. */
  holds(value: string): boolean;
  /** The name of the present one. Names sort by time. */
  present(now: number, zone: Zone): string;
}

const patternRules = new Map<string, PatternRule>([
  [
    MONTH_PATTERN,
    {
      rule: 'a month such as 2026-03, from 01 to 12',
      holds: isMonthName,
      present: (now, zone) => zone.localMonth(now),
    },
  ],
  [
    WEEK_PATTERN,
    { rule: 'a week such as 2026-W07, from W01 to W52 or W53', holds: isWeekName, present: isoWeek },
  ],
]);

/** What is wrong with checked arguments that name a week or month still to come: nothing can be known of it. */
export function futureFault(
  { properties }: InputSchema,
  checked: Record<string, unknown>,
  { now, zone }: { now: number; zone: Zone },
  naming = (name: string) => name,
): string | undefined {
  for (const [name, { pattern }] of Object.entries(properties as Record<string, Keywords>)) {
    const present = patternRules.get(pattern ?? '')?.present(now, zone);
    const value = checked[name];
    if (present !== undefined && typeof value === 'string' && value > present)
      return `${naming(name)} must not be in the future: it is ${present} now`;
  }
  return undefined;
}

/** No message shows a regular expression: not every caller can read one. */
function patternFault(pattern: string, value: string, field: string): string | undefined {
  const known = patternRules.get(pattern);
  const holds = known ? known.holds(value) : new RegExp(pattern, 'u').test(value);
  return holds ? undefined : `${field} must be ${known?.rule ?? 'written as its description says'}`;
}

/** The zone is required: without it a time would depend on the server's own zone. */
const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
  Number.isFinite(Date.parse(text));

function rangeFault(schema: Keywords, value: number, field: string): string | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value >= minimum && value <= maximum) return undefined;
  return `${field} must be ${maximum === Number.POSITIVE_INFINITY ? `at least ${minimum}` : `${minimum}-${maximum}`}`;
}

function* arrayFaults(schema: Keywords, value: unknown[], field: string): Faults {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (value.length < minItems || value.length > maxItems)
    yield `${field} must have ${minItems}-${maxItems} items`;
  // Of a list that is too long, what is in it is not looked at.
  else if (items)
    for (const [index, item] of value.entries()) yield* valueFaults(items, item, `${field}[${index}]`);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deeper than any argument of ours. A caller controls the depth, and code behind this check is recursive. */
const MAX_DEPTH = 32;

export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** Converts the text of a query to the types of the schema. A value that cannot be converted is left for `checkArguments` to refuse. */
export function fromQuery(input: InputSchema, query: Record<string, unknown>): Record<string, unknown> {
  const typed: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(input.properties as Record<string, TSchema & Keywords>)) {
    const value = Object.hasOwn(query, name) ? query[name] : undefined;
    if (value !== undefined && value !== '') typed.push([name, fromText(schema.type, value)]);
  }
  return Object.fromEntries(typed);
}

function fromText(type: string | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // A list is written with commas, or by repeating the parameter, as the checkboxes of a form do.
  if (type === 'array') return value.startsWith('[') ? value : value.split(',').filter(Boolean);
  if (type === 'integer' || type === 'number')
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : value;
  if (type === 'boolean')
    return value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value;
  return value;
}
