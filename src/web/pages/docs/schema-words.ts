// JSON Schemas in words: the fields of a body as rows, and types with their bounds.
import { type Components, MAX_REFERENCES, resolve, type Schema } from './schema-references.ts';

export interface FieldRow {
  /** From the top of the body, such as `entries[].id`. */
  path: string;
  type: string;
  description: string;
  required: boolean;
}

/** Every field of a body. A field that several shapes of the body have is one row. */
export function listFields(schema: Schema, document: Components): FieldRow[] {
  const rows = new Map<string, { types: Set<string>; descriptions: Set<string>; required: boolean }>();
  const add = (path: string, field: Schema, required: boolean) => {
    const row = rows.get(path) ?? { types: new Set(), descriptions: new Set(), required };
    const { description } = resolve(field, document);
    row.types.add(typeWords(field, document));
    if (description) row.descriptions.add(description);
    row.required &&= required;
    rows.set(path, row);
  };
  const visit = (given: Schema, path: string, followed: readonly string[]) => {
    const { $ref } = given;
    // A schema within itself has the same fields again.
    if ($ref !== undefined && (followed.includes($ref) || followed.length >= MAX_REFERENCES)) return;
    const open = $ref === undefined ? followed : [...followed, $ref];
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
      visit(field, own, open);
    }
    for (const field of Object.values(patternProperties)) visit(field, `${path}.*`, open);
    if (items) visit(items, `${path}[]`, open);
    for (const member of anyOf) visit(member, path, open);
  };
  visit(schema, '', []);
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

const noComponents: Components = { components: { schemas: {} } };

/** The type of a value and its bounds, such as `integer, 1 to 500`. */
export function typeWords(given: Schema, document = noComponents, depth = 0): string {
  // A union or list may name itself.
  if (depth > MAX_REFERENCES) return 'any value';
  const schema = resolve(given, document);
  const words = (inner: Schema) => typeWords(inner, document, depth + 1);
  const { type, anyOf, items } = schema;
  const choices = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (choices) {
    const rest = choices.length - MAX_CHOICES;
    const shown = choices.slice(0, MAX_CHOICES).join(', ');
    return choices.length === 1 ? shown : `one of ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
  }
  if (anyOf) return unionWords(anyOf.map(words));
  if (type === 'array')
    return [`list of ${items ? plural(words(items)) : 'values'}`, itemBounds(schema)].join('');
  return `${formats[schema.format ?? ''] ?? names[type ?? ''] ?? type ?? 'any value'}${bounds(schema)}`;
}

/** The type of an argument, whether it is required, and its default. */
export const argumentWords = (schema: Schema, required: boolean): string =>
  [
    typeWords(schema),
    ...(required ? ['required'] : []),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ].join(', ');

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
