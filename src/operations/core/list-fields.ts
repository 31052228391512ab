// `fields`, with which REST lets a caller choose the columns of a list: of the rows of an answer, or of a CSV table.
import Type, { type TObject, type TSchema, type TUnion } from 'typebox';

const namesParameter = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description });

export const fieldsParameter = namesParameter(
  'names, separated by commas: rows of the list, or columns of the table, have only these; the answer repeats them as fields',
);

/** Where the answer has no list of rows, but a table behind it. */
export const columnsParameter = namesParameter(
  'with format=csv: names of columns, separated by commas; the table has only these',
);

/** The names in `fields`, each once, or what is wrong with them. */
export function chosenFields(fields: string, known: readonly string[]): string[] | { fault: string } {
  const names = [...new Set(fields.split(',').map((name) => name.trim()))];
  return names.every((name) => known.includes(name))
    ? names
    : { fault: `fields must be names of ${known.join(', ')}, separated by commas` };
}

/** The names of the fields that a row of the list may have, also where rows are of several types. */
export function rowFields(output: TSchema, list: string): string[] {
  const names = unionMembers(output).flatMap((member) => {
    const rows = (member as TObject).properties[list] as { items?: TSchema } | undefined;
    return rows?.items
      ? unionMembers(rows.items).flatMap((row) => Object.keys((row as TObject).properties))
      : [];
  });
  return [...new Set(names)];
}

const unionMembers = (schema: TSchema): TSchema[] =>
  'anyOf' in schema ? (schema as TUnion).anyOf : [schema];

/**
 * The answer with rows that have the chosen fields alone. It is a document of its own, told by its field `fields`: the
 * schema of the whole answer can so require every field.
 */
export function withFields<Answer>(answer: Answer, list: string, names: readonly string[]): Answer {
  const rows = (answer as Record<string, unknown>)[list];
  if (!Array.isArray(rows)) return answer;
  return { ...answer, [list]: rows.map((row) => pick(row, names)), fields: names } as Answer;
}

/** A row of another type may lack a field: it is then left out. */
const pick = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));
