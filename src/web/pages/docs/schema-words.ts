// JSON Schemas in words: the fields of a body as rows, and types with their bounds.
import { type ApiDocument, resolve, type Schema } from './api-document.ts';

export interface FieldRow {
  /** From the top of the body, such as `entries[].id`. */
  path: string;
  type: string;
  description: string;
  required: boolean;
}

/** Every field of a body. A field that several shapes of the body have is one row. */
export function fieldsOf(schema: Schema, document: Pick<ApiDocument, 'components'>): FieldRow[] {
  const rows = new Map<string, { types: Set<string>; descriptions: Set<string>; required: boolean }>();
  const add = (path: string, field: Schema, required: boolean) => {
    const row = rows.get(path) ?? { types: new Set(), descriptions: new Set(), required };
    const { description } = field.description ? field : resolve(field, document);
    row.types.add(typeWords(resolve(field, document)));
    if (description) row.descriptions.add(description);
    row.required &&= required;
    rows.set(path, row);
  };
  const visit = (given: Schema, path: string) => {
    const {
      properties = {},
      patternProperties = {},
      items,
      anyOf = [],
      required = [],
    } = resolve(given, document);
    for (const [name, field] of Object.entries(properties)) {
      const own = path ? `${path}.${name}` : name;
      add(own, field, required.includes(name));
      visit(field, own);
    }
    for (const field of Object.values(patternProperties)) visit(field, `${path}.*`);
    if (items) visit(items, `${path}[]`);
    for (const member of anyOf) visit(member, path);
  };
  visit(schema, '');
  // `_meta` is the same in every answer, and comes last.
  const ordered = [...rows].sort(([a], [b]) => Number(a.startsWith('_meta')) - Number(b.startsWith('_meta')));
  return ordered.map(([path, { types, descriptions, required }]) => ({
    path,
    required,
    type: unionWords([...types].flatMap((type) => type.split(' or '))),
    description: [...descriptions].join('; or: '),
  }));
}

/** Some sets of values are long; the rest of them is in the document. */
const MAX_CHOICES = 12;

/** The type of a value and its bounds, such as `integer, 1 to 500`. */
export function typeWords(schema: Schema): string {
  const { type, anyOf, items } = schema;
  const choices = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (choices) {
    const rest = choices.length - MAX_CHOICES;
    const shown = choices.slice(0, MAX_CHOICES).join(', ');
    return choices.length === 1 ? shown : `one of ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
  }
  if (anyOf) return unionWords(anyOf.map(typeWords));
  if (type === 'array')
    return [`list of ${items ? plural(typeWords(items)) : 'values'}`, itemBounds(schema)].join('');
  return `${formats[schema.format ?? ''] ?? names[type ?? ''] ?? type ?? 'any value'}${bounds(schema)}`;
}

const unionWords = (types: readonly string[]): string => {
  const different = [...new Set(types)];
  return different.toSorted((a, b) => Number(a === 'null') - Number(b === 'null')).join(' or ');
};

const names: Record<string, string> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

const formats: Record<string, string> = {
  'date-time': 'time, ISO 8601',
  date: 'date, YYYY-MM-DD',
  uri: 'address',
  uuid: 'UUID',
};

const plural = (words: string): string =>
  ({ text: 'texts', object: 'objects', number: 'numbers', integer: 'integers' })[words] ?? words;

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  const numbers = range(minimum, maximum);
  const lengths = range(minLength, maxLength);
  return `${numbers && `, ${numbers}`}${lengths && `, ${lengths} characters`}`;
}

function itemBounds({ minItems, maxItems }: Schema): string {
  const items = range(minItems, maxItems);
  return items && `, ${items} items`;
}

function range(low: number | undefined, high: number | undefined): string {
  if (low === undefined) return high === undefined ? '' : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}
