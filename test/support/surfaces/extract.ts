// How a figure of a moment is found in an answer: by a field of its JSON, or by the words around it.
import { type Figure, reasonsIn, type StoredMoment } from './figures.ts';

export interface Answer {
  /** The JSON of a REST address, or the structured half of a tool's answer; undefined for texts. */
  json: unknown;
  /** What a reader sees of a page; the body of any other reply; the text of a tool's answer. */
  text: string;
}

/** All occurrences, as text. */
export type Extract = (answer: Answer, moment: StoredMoment) => string[];

export interface Surface {
  shows: Partial<Record<Figure, Extract>>;
  /** What bears the name of a figure here but is of another time or of many places, and why. */
  otherwise?: Partial<Record<Figure, string>>;
  /** Query that makes the reply be about the pocket. */
  query?: (moment: StoredMoment) => string;
}

export const PAST = 'readings, lines or decisions of other quarter hours';
export const FORECAST = 'of a forecast, or of what is usual';
export const DISAGREED = 'in a sentence of disagreements, which has tests of its own';
export const OFFER = 'the end of an offer';
export const MEANS = 'means of whole hours';
export const COUNTS = 'counts of many pockets or days';
export const SAMPLE = 'an example or a description, not an answer';

/** The part of a text from one mark on, up to the next of the other. */
export const between = (text: string, from: string, to: string): string => {
  const start = text.indexOf(from);
  if (start < 0) return '';
  const end = text.indexOf(to, start + from.length);
  return text.slice(start, end < 0 ? undefined : end);
};

/** The first group of every match. */
export const words =
  (pattern: RegExp, within: (text: string, moment: StoredMoment) => string = (text) => text): Extract =>
  ({ text }, moment) =>
    [...within(text, moment).matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(
      ([, found = '']) => found,
    );

export const reasons =
  (within: (text: string, moment: StoredMoment) => string = (text) => text): Extract =>
  ({ text }, moment) =>
    reasonsIn(within(text, moment));

/**
 * A value in the JSON: names with dots between them. `@` is the element of the pocket, `#` that of the decision, `last`
 * the newest. Nothing where it is absent, or null and not a count.
 */
export const field =
  (path: string, ofNull: string[] = []): Extract =>
  ({ json }, moment) => {
    let value: unknown = json;
    for (const step of path.split('.')) {
      if (value === null || value === undefined) return [];
      value = stepInto(value, step, moment);
    }
    if (value === undefined) return [];
    return value === null ? ofNull : [String(value)];
  };

function stepInto(value: unknown, step: string, { pocket, id }: StoredMoment): unknown {
  if (!Array.isArray(value)) return (value as Record<string, unknown>)[step];
  if (step === '@') return value.find(({ pocket_id }) => pocket_id === pocket);
  if (step === '#') return value.find((one) => (one.id ?? one.identity?.id) === id);
  return step === 'last' ? value.at(-1) : value[Number(step)];
}

export const all =
  (...parts: Extract[]): Extract =>
  (answer, moment) =>
    parts.flatMap((part) => part(answer, moment));

/** The fields of a moment under their own names. */
export const momentFields = (
  path: string,
  names: readonly Figure[] = ['level', 'probability', 'minutes', 'end'],
) => {
  const fields = {
    level: 'calm_level',
    probability: 'calm_probability',
    minutes: 'half_life_minutes',
    end: 'expires_at',
    windowEnd: 'window_ends_at',
  };
  return Object.fromEntries(
    names.map((name) => [name, field(`${path}${fields[name as keyof typeof fields]}`)]),
  ) as Partial<Record<Figure, Extract>>;
};

export const LEVEL = /calm level (\d(?:\.\d+)?)/i;
export const PROBABILITY = /calm probability (\d(?:\.\d+)?)/i;

/** What the sealed payload of a silence holds of its moment. */
export const silenceField = (path: string) => ({
  level: field(`${path}atmosphere.calm`),
  probability: field(`${path}moment.calm_probability`),
  minutes: field(`${path}moment.half_life_minutes`),
});
