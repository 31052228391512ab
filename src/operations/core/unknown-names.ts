// Tells a name that does not exist from one about which nothing is known yet: which arguments name a pocket, an outlet,
// a generator or the period of a report, and what an answer says when one of them is unknown. Names come from the
// caller and are shown only as quotations.

import Type, { type TObject, type TProperties, type TSchema, type TUnion } from 'typebox';
import type { Registry } from '../../domain/city/city.ts';
import { findOutlet, findPocket, outletsNamed } from '../../domain/city/lists/find-entries.ts';
import type { Lookup } from '../../domain/city/lookup.ts';
import { normalise } from '../../domain/city/name-index.ts';
import { generatorNames } from '../../domain/prediction/generators/all.ts';
import { quote } from '../../domain/text/printable.ts';

/** What names are compared with; they are known without a store. */
interface Names {
  registry: Registry;
  lookup: Lookup;
}

/** What an operation declares about questions that name something unknown. */
export interface NotFoundRules<Input, Context> {
  /**
   * Where the interface words the not-found reply: which name is unknown comes after the operation's own text. Otherwise
   * that is the whole text.
   */
  notFoundText?: 'extended';
  /** The weeks or months that have a report or readings, newest first; read only for a question that names one. */
  reportedPeriods?(input: Input, context: Context): Promise<readonly string[]>;
}

interface Kind {
  /** The field that marks an answer about something unknown. */
  flag: string;
  /** What the flag means. */
  description: string;
  isKnown(name: string, names: Names): boolean;
  /** Existing names that may have been meant, the likeliest first. */
  similar(name: string, names: Names): string[];
  sentence(name: string, similar: readonly string[]): string;
}

const MAX_SIMILAR = 3;
/** From this confidence on, a match of the lookup is offered. */
const MIN_SIMILARITY = 0.5;

const pocket: Kind = {
  flag: 'unknown_pocket',
  description: 'no pocket has the id that was asked for',
  isKnown: (name, { registry }) => findPocket(registry, name) !== undefined,
  similar: (name, { lookup }) =>
    lookup.find(name).flatMap((match) => (match.confidence >= MIN_SIMILARITY ? [match.pocket_id] : [])),
  sentence: (name, similar) =>
    `no pocket has the id ${quote(name)}; ${similar.length ? `similar: ${similar.join(', ')}` : 'list_pockets names those that are observed'}.`,
};

const outlet: Kind = {
  flag: 'unknown_outlet',
  description: 'no active outlet has the id that was asked for',
  isKnown: (name, { registry }) => findOutlet(registry, name)?.active === true,
  // An id in capitals, or the outlet's name in place of its id.
  similar: (name, { registry }) =>
    outletsNamed(registry, name)
      .filter(({ active }) => active)
      .map(({ id }) => id),
  sentence: (name, similar) =>
    `no active outlet has the id ${quote(name)}${similar.length ? `; similar: ${similar.join(', ')}` : ''}.`,
};

/** Callers may write hyphens; names are stored with underscores. */
const storedName = (name: string): string => name.replaceAll('-', '_');

const generator: Kind = {
  flag: 'unknown_generator',
  description: 'no forecast has the generator that was asked for',
  isKnown: (name) => generatorNames.includes(storedName(name)),
  similar: (name) => {
    const words = normalise(name).split(' ');
    const countSharedWords = (known: string) => words.filter((word) => known.includes(word)).length;
    return generatorNames
      .filter((known) => countSharedWords(known))
      .sort((a, b) => countSharedWords(b) - countSharedWords(a));
  },
  sentence: (name, similar) =>
    `no generator is called ${quote(name)}; ${similar.length ? 'similar' : 'there are'}: ${(similar.length ? similar : generatorNames).join(', ')}.`,
};

/** What each argument names. */
const kinds: Record<string, Kind> = {
  pocket_id: pocket,
  pocket_id_a: pocket,
  pocket_id_b: pocket,
  outlet_id: outlet,
  generator,
};

/** Arguments that name the period of a report. Which periods have one is in the store: the operation reads them. */
const periodFlags: Record<string, [flag: string, unit: string]> = {
  month: ['unknown_month', 'month'],
  month_iso: ['unknown_month', 'month'],
  week_iso: ['unknown_week', 'week'],
};

interface UnknownName {
  /** Fields that are added to the answer, or to the body of a 404: a flag, and `did_you_mean`. */
  fields: Record<string, true | string[]>;
  sentence: string;
}

/** The arguments of a question that name something unknown, merged into one; undefined where all are known. */
export function findUnknownName(given: object, names: Names): UnknownName | undefined {
  const found = Object.entries(given).flatMap(([argument, name]) => {
    const kind = Object.hasOwn(kinds, argument) ? kinds[argument] : undefined;
    if (!kind || typeof name !== 'string' || kind.isKnown(name, names)) return [];
    return [{ kind, name, similar: kind.similar(name, names).slice(0, MAX_SIMILAR) }];
  });
  if (!found.length) return undefined;
  const sentences = found.map(({ kind, name, similar }) => kind.sentence(name, similar));
  return {
    fields: {
      ...Object.fromEntries(found.map(({ kind }) => [kind.flag, true as const])),
      did_you_mean: [...new Set(found.flatMap(({ similar }) => similar))],
    },
    sentence: [...new Set(sentences)].join(' '),
  };
}

/** The same for the period of a report. `reported` are the periods that have one, newest first. */
function findUnknownPeriod(given: object, reported: readonly string[]): UnknownName | undefined {
  for (const [argument, period] of Object.entries(given)) {
    const [flag, unit] = (Object.hasOwn(periodFlags, argument) && periodFlags[argument]) || [];
    if (flag === undefined || reported.includes(period)) continue;
    const latest = reported.slice(0, MAX_SIMILAR);
    return {
      fields: { [flag]: true, did_you_mean: latest },
      sentence: latest.length ? `the latest ${unit}s that have one: ${latest.join(', ')}.` : '',
    };
  }
  return undefined;
}

const namesPeriod = (given: object): boolean =>
  Object.keys(given).some((argument) => Object.hasOwn(periodFlags, argument));

/** The answer to a question; where the question names something unknown, the answer says so in both halves. */
export async function withUnknownNames<Input extends object, Context extends Names>(
  { notFoundText, reportedPeriods }: NotFoundRules<Input, Context>,
  given: Input,
  context: Context,
  answered: { structured: unknown; readonly text: string },
): Promise<{ structured: unknown; readonly text: string }> {
  const unknown = findUnknownName(given, context);
  if (unknown) {
    const { structured, text } = answered;
    return {
      structured: { ...(structured as object), ...unknown.fields },
      text: notFoundText ? `${text}\n${unknown.sentence}` : unknown.sentence,
    };
  }
  const missing =
    reportedPeriods && namesPeriod(given)
      ? findUnknownPeriod(given, await reportedPeriods(given, context))
      : undefined;
  if (!missing) return answered;
  const { structured, text } = answered;
  return {
    structured: { ...(structured as object), ...missing.fields },
    text: [text, missing.sentence].filter(Boolean).join(' '),
  };
}

const flagField = (description: string) => Type.Optional(Type.Literal(true, { description }));

/** The answer's schema with the fields that an unknown name adds, as far as the arguments can name one. */
export function withUnknownFields(output: TSchema, input: TProperties, hasPeriods: boolean): TSchema {
  const flags = Object.keys(input).flatMap((argument): [string, TSchema][] => {
    const kind = kinds[argument];
    if (kind) return [[kind.flag, flagField(kind.description)]];
    const [flag, unit] = (hasPeriods && periodFlags[argument]) || [];
    return flag === undefined
      ? []
      : [[flag, flagField(`there is nothing of the ${unit} that was asked for`)]];
  });
  if (!flags.length) return output;
  const did_you_mean = Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 2 * MAX_SIMILAR,
      description: 'existing names that may have been meant, the likeliest first',
    }),
  );
  return addProperties(output, { ...Object.fromEntries(flags), did_you_mean });
}

function addProperties(schema: TSchema, added: TProperties): TSchema {
  const { description } = schema as { description?: string };
  const about = description === undefined ? {} : { description };
  if ('anyOf' in schema)
    return Type.Union(
      (schema as TUnion).anyOf.map((member) => addProperties(member, added)),
      about,
    );
  return Type.Object({ ...(schema as TObject).properties, ...added }, about);
}
