// What a feed publishes in the place of a number: words in a field, or another field that says how the place is.
import type { Feed, FeedPlace, FieldUse, PlaceState } from '../feed.ts';

/** A state that a text stands for, and the field whose value it takes the place of. */
export interface FieldState {
  field: string;
  state: PlaceState;
}

/**
 * What the text of a field says of its place. Undefined: the text is to be a number, as mostly. Nothing (an empty list):
 * the field only says how the place is, and this text says that it is as usual.
 */
export type ReadStates = (feed: string, field: string, text: string) => readonly FieldState[] | undefined;

const AS_USUAL: readonly FieldState[] = [];

export function stateReader(feeds: readonly { id: string; fields?: Feed['fields'] }[]): ReadStates {
  const known = new Map(
    feeds.map(({ id, fields = {} }) => [id, { fields, byText: statesByText(fields) }] as const),
  );
  return (feed, field, text) => {
    const own = known.get(feed);
    const texts = own?.byText.get(field);
    return texts && (texts.get(text) ?? (Object.hasOwn(own?.fields ?? {}, field) ? undefined : AS_USUAL));
  };
}

/** By the field that the text stands in, then by the text. */
function statesByText(fields: Feed['fields']): Map<string, Map<string, FieldState[]>> {
  const found = new Map<string, Map<string, FieldState[]>>();
  const add = (at: string, text: string, says: FieldState): void => {
    const texts = found.get(at) ?? new Map<string, FieldState[]>();
    texts.set(text, [...(texts.get(text) ?? []), says]);
    found.set(at, texts);
  };
  for (const [field, { words = {}, status }] of Object.entries(fields)) {
    for (const [word, state] of Object.entries(words)) add(field, word, { field, state });
    if (!status) continue;
    const { field: at, ...texts } = status;
    for (const [state, list] of Object.entries(texts))
      for (const text of list ?? []) add(at, String(text), { field, state: state as PlaceState });
  }
  return found;
}

/** What a row says once it was judged: a value, that its place is closed, or nothing. */
export type Said = number | 'closed' | 'no_data';

/**
 * A full car park has no free place (`points` down), a full platform as many people as it holds, which is `high`. Where
 * that is not stated, nothing is said.
 */
export function saidValue(state: PlaceState, { points = 'up', range }: FieldUse, high = range?.high): Said {
  if (state === 'closed' || state === 'no_data') return state;
  const isLow = (state === 'full') === (points === 'down');
  return isLow ? (range?.low ?? 0) : (high ?? 'no_data');
}

/** The lower end of what the values of a place run through: of a place with a capacity it is 0. */
export function rangeLow({ range, capacity }: FieldUse, place: FeedPlace | undefined): number | undefined {
  const holds = capacity !== undefined || place?.capacity !== undefined;
  return range?.low ?? (holds ? 0 : undefined);
}
