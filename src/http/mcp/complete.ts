// `completion/complete`: names that begin as the typed text does, for arguments of prompts and variables of templates.
import type { Outlet, Pocket } from '../../domain/city/city.ts';
import { indexNames } from '../../domain/city/lists/name-text.ts';
import { oncePerList } from '../../domain/city/lists/once-per-list.ts';
import { normalise } from '../../domain/city/lookup.ts';
import { printable } from '../../domain/text/printable.ts';
import { dayNames } from '../../domain/time/periods.ts';
import { isObject } from '../../operations/core/arguments.ts';
import { glossary } from '../../web/site/glossary.ts';
import type { AppContext } from '../answers/app-context.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { invalidParams, type Outcome } from './methods.ts';
import { prompts } from './prompts/all.ts';
import type { ArgumentKind } from './prompts/prompt.ts';
import { documents } from './resources/documents.ts';
import { templates } from './resources/resources.ts';

/** The most that the protocol allows. */
const MAX_VALUES = 100;
/** More has been typed than any name is long. */
const MAX_TYPED = 200;

/** The values of which a name, or a word in it, begins so; values and names are compared normalised. */
type Choices = (begin: string) => readonly string[];

const days = ['today', 'tomorrow', ...dayNames];

/** The values of a list that is computed with the first completion. `namesOf`: what leads to a value beside itself. */
function choicesOf<T>(
  list: () => readonly T[],
  toValue: (entry: T) => string,
  namesOf: (entry: T) => readonly string[] = () => [],
): Choices {
  let made: { entries: readonly T[]; find: (part: string) => number[] } | undefined;
  return (begin) => {
    if (!made) {
      const entries = list();
      made = { entries, find: indexNames(entries, (entry) => [toValue(entry), ...namesOf(entry)]) };
    }
    const { entries, find } = made;
    return find(` ${begin}`).map((at) => toValue(entries[at] as T));
  };
}

const namesOfPockets = oncePerList((pockets: readonly Pocket[]) =>
  indexNames(pockets, ({ id, name, aliases }) => [id, name, ...aliases]),
);
const namesOfOutlets = oncePerList((outlets: readonly Outlet[]) =>
  indexNames(outlets, ({ id, name }) => [name, id]),
);

/** The registry's outlets change while the process runs; its pockets, intents and places do not. */
function choicesByKind(context: Pick<AppContext, 'registry'>): Record<ArgumentKind, Choices> {
  const { pockets, intents, places } = context.registry;
  const pocketsNamed = (begin: string) =>
    namesOfPockets(pockets)(` ${begin}`).flatMap((at) => pockets[at] ?? []);
  const listedPlaces = choicesOf(
    () => places,
    ({ name }) => name,
    ({ aliases }) => aliases,
  );
  return {
    pocket: (begin) => pocketsNamed(begin).map(({ id }) => id),
    place: (begin) => [...pocketsNamed(begin).map(({ name }) => name), ...listedPlaces(begin)],
    intent: choicesOf(
      () => intents,
      ({ slug }) => slug,
    ),
    day: choicesOf(
      () => days,
      (day) => day,
    ),
    outlet: (begin) => {
      const { outlets } = context.registry;
      return namesOfOutlets(outlets)(` ${begin}`).flatMap((at) => {
        const outlet = outlets[at];
        return outlet?.active ? [outlet.name] : [];
      });
    },
    // Any time may be meant.
    time: () => [],
  };
}

const slugs: Record<'glossary' | 'formulas', Choices> = {
  glossary: choicesOf(
    () => glossary.flatMap(({ terms }) => terms),
    ({ slug }) => slug,
    ({ name, aliases }) => [name, ...aliases.map((alias) => alias.name)],
  ),
  formulas: choicesOf(
    () => [...documents.formulas.sections.keys()],
    (slug) => slug,
  ),
};

export type Complete = (params: Record<string, unknown>) => Outcome;

export function completer(context: Pick<AppContext, 'registry'>): Complete {
  const byKind = choicesByKind(context);
  const byTemplate: Record<string, { variable: string; choices: Choices }> = {
    [templates.pocket.uriTemplate]: { variable: 'id', choices: byKind.pocket },
    [templates.glossary.uriTemplate]: { variable: 'slug', choices: slugs.glossary },
    [templates.formulas.uriTemplate]: { variable: 'slug', choices: slugs.formulas },
  };
  /** What the argument may be, or why it is not known. */
  const choicesFor = (ref: Record<string, unknown>, argument: string): Choices | string => {
    if (ref.type === 'ref/prompt') {
      const prompt = prompts.find(({ name }) => name === ref.name);
      if (!prompt) return `unknown prompt: ${printable(String(ref.name))}`;
      const known = prompt.arguments.find(({ name }) => name === argument);
      return known ? byKind[known.kind] : `unknown argument: ${printable(argument)}`;
    }
    if (ref.type === 'ref/resource') {
      const uri = String(ref.uri);
      const template = Object.hasOwn(byTemplate, uri) ? byTemplate[uri] : undefined;
      if (!template) return `unknown template: ${printable(uri)}`;
      return template.variable === argument ? template.choices : `unknown argument: ${printable(argument)}`;
    }
    return 'ref.type must be one of ref/prompt, ref/resource';
  };
  return ({ ref, argument }) => {
    if (!isObject(ref)) return invalidParams('ref must be an object');
    if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
      return invalidParams('argument must have a name and a value, both strings');
    const choices = choicesFor(ref, argument.name);
    if (typeof choices === 'string') return invalidParams(choices);
    const values = argument.value.length > MAX_TYPED ? [] : valuesFor(choices, argument.value);
    const completion = {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    };
    return { result: toLatin1Body(JSON.stringify({ completion })) };
  };
}

/** Those whose own value begins with what was typed come before those of which another name does. */
function valuesFor(choices: Choices, typed: string): string[] {
  const begin = normalise(typed);
  const values = choices(begin);
  if (begin === '') return [...new Set(values)];
  const { own = [], others = [] } = Object.groupBy(new Set(values), (value) =>
    normalise(value).startsWith(begin) ? 'own' : 'others',
  );
  return [...own, ...others];
}
