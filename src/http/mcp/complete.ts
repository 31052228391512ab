// `completion/complete`: names that begin as the typed text does, for arguments of prompts and variables of templates.
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

/** A value that may be meant, and the names that lead to it, normalised. */
interface Option {
  value: string;
  names: readonly string[];
}
type Options = () => readonly Option[];

const completionOption = (value: string, ...names: string[]): Option => ({
  value,
  names: [...new Set([value, ...names].map(normalise))],
});

const days = ['today', 'tomorrow', ...dayNames];

const computeOnce = (options: () => Option[]): Options => {
  let made: Option[] | undefined;
  return () => {
    made ??= options();
    return made;
  };
};

/** The registry's outlets change while the process runs; its pockets, intents and places do not. */
function optionsByKind(context: Pick<AppContext, 'registry'>): Record<ArgumentKind, Options> {
  const { pockets, intents, places } = context.registry;
  const pocket = computeOnce(() =>
    pockets.map(({ id, name, aliases }) => completionOption(id, name, ...aliases)),
  );
  const place = computeOnce(() => [
    ...pockets.map(({ id, name, aliases }) => completionOption(name, id, ...aliases)),
    ...places.map(({ name, aliases }) => completionOption(name, ...aliases)),
  ]);
  return {
    pocket,
    place,
    intent: computeOnce(() => intents.map(({ slug }) => completionOption(slug))),
    day: computeOnce(() => days.map((day) => completionOption(day))),
    outlet: () =>
      context.registry.outlets
        .filter(({ active }) => active)
        .map(({ id, name }) => completionOption(name, id)),
    // Any time may be meant.
    time: () => [],
  };
}

const slugs: Record<'glossary' | 'formulas', Options> = {
  glossary: computeOnce(() =>
    glossary.flatMap(({ terms }) =>
      terms.map(({ slug, name, aliases }) =>
        completionOption(slug, name, ...aliases.map((alias) => alias.name)),
      ),
    ),
  ),
  formulas: computeOnce(() => [...documents.formulas.sections.keys()].map((slug) => completionOption(slug))),
};

export type Complete = (params: Record<string, unknown>) => Outcome;

export function completer(context: Pick<AppContext, 'registry'>): Complete {
  const byKind = optionsByKind(context);
  const byTemplate: Record<string, { variable: string; options: Options }> = {
    [templates.pocket.uriTemplate]: { variable: 'id', options: byKind.pocket },
    [templates.glossary.uriTemplate]: { variable: 'slug', options: slugs.glossary },
    [templates.formulas.uriTemplate]: { variable: 'slug', options: slugs.formulas },
  };
  /** What the argument may be, or why it is not known. */
  const optionsFor = (ref: Record<string, unknown>, argument: string): Options | string => {
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
      return template.variable === argument ? template.options : `unknown argument: ${printable(argument)}`;
    }
    return 'ref.type must be one of ref/prompt, ref/resource';
  };
  return ({ ref, argument }) => {
    if (!isObject(ref)) return invalidParams('ref must be an object');
    if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
      return invalidParams('argument must have a name and a value, both strings');
    const options = optionsFor(ref, argument.name);
    if (typeof options === 'string') return invalidParams(options);
    const values = argument.value.length > MAX_TYPED ? [] : valuesFor(options(), argument.value);
    const completion = {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    };
    return { result: toLatin1Body(JSON.stringify({ completion })) };
  };
}

/** Those whose own value begins with what was typed come before those of which another name does. */
function valuesFor(options: readonly Option[], typed: string): string[] {
  const begin = normalise(typed);
  const own = new Set<string>();
  const others = new Set<string>();
  for (const option of options) {
    if (option.names[0]?.startsWith(begin)) own.add(option.value);
    else if (hasWord(option, begin)) others.add(option.value);
  }
  return [...own.union(others)];
}

/** Whether a name, or a word in it, begins so. */
const hasWord = ({ names }: Option, begin: string): boolean =>
  names.some((name) => ` ${name}`.includes(` ${begin}`));
