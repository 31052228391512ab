/**
 * Parts of the schemas of a city's files. An operator writes the files, and their words reach pages and answers, so
 * that every text is bounded and free of characters that hide or reorder the text around them.
 * Each field's `description` completes the sentence "<field> must be …" in the loader's errors.
 */
import Type, { type TProperties, type TSchema } from 'typebox';

export const closedObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false, description: 'an object' });

/** Visible characters and single plain spaces, with a letter or digit among them. */
const CLEAN = '(?=.*[\\p{L}\\p{N}])(?! )(?!.*  )(?:[^\\p{C}\\p{Z}\\p{DI}\\u2800]| )+(?<! )';

export const text = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${CLEAN}$`,
    description: `plain text of 1-${maxLength} characters, with no control, invisible or direction-changing characters and no stray spaces`,
  });

export const voicedText = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^(?!.*[\\p{Lu}!])${CLEAN}$`,
    description: `plain lowercase text of 1-${maxLength} characters without exclamation marks`,
  });

export const number = (minimum: number, maximum: number) =>
  Type.Number({ minimum, maximum, description: `a number, ${minimum} to ${maximum}` });

export const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `a whole number, ${minimum} to ${maximum}` });

export const lat = number(-90, 90);
export const lng = number(-180, 180);
export const share = number(0, 1);
export const leaning = number(-1, 1);

export const slug = Type.String({
  pattern: '^[a-z0-9-]+$',
  maxLength: 64,
  description: '1-64 of lowercase letters, digits and hyphens',
});

export const uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  description: 'a UUID in lowercase',
});

export const clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM' });
export const flag = Type.Boolean({ description: 'true or false' });
export const url = Type.String({
  pattern: '^https?://[^\\s"\'<>]+$',
  maxLength: 500,
  description: 'an http or https address',
});

/** One of a few words. */
export const oneOf = <const T extends string>(...words: T[]) =>
  Type.Enum(words, { description: `one of ${words.join(', ')}` });

/** One property for each name, all of the same schema. */
export const each = <K extends string, S extends TSchema>(names: readonly K[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>;
