/** Finds pockets by what people call them: misspelt, half typed, in another script or inside a sentence. */
import type { Pocket } from './city.ts';

export interface Match {
  pocket_id: string;
  display_name: string;
  lat: number;
  lng: number;
  region: string;
  /** 0..1; 1 only for an id, name or alias as it stands. */
  confidence: number;
}

export interface Lookup {
  /** At most 3, the most confident first; empty when nothing reaches 0.2. */
  find(query: string): Match[];
  /** At most 3 display names to offer when nothing matched, the nearest first. */
  suggest(query: string): string[];
}

interface Folded {
  text: string;
  /** Without spaces. */
  joined: string;
  words: string[];
}

/** One thing a pocket is called, and how much meeting it in full is worth. */
type Label = Folded & { pocket: Pocket; worth: number; grams: number };

const MOST = 3;
const LEAST_CONFIDENCE = 0.2;
const QUERY_CHARS = 80;
/** How many labels are scored in full, after the gram index has ordered them all. */
const CANDIDATES = 64;
/** A region holds several pockets, so it never settles on one. */
const REGION_WORTH = 0.6;

/** Words that many places share say little about which one is meant. */
const generic = new Set(
  (
    'avenue centre center court drive east estate garden gardens hill lane mall market mrt north park place ' +
    'plaza road south street upper view village way west bukit jalan kampong kampung lorong pasar taman'
  ).split(' '),
);
const weight = (words: Iterable<string>): number =>
  [...words].reduce((sum, word) => sum + word.length * (generic.has(word) ? 0.1 : 1), 0);

/** Chinese is written without spaces, and one character says as much as a short word. */
const isHan = (text: string): boolean => /^\p{sc=Han}+$/u.test(text);

/** Lowercase words of letters and digits with single spaces; empty when the text has none. */
export const normalise = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}'’‘ʼ`]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function fold(raw: string): Folded {
  const text = normalise(raw);
  return { text, joined: text.replaceAll(' ', ''), words: [...new Set(text.split(' '))] };
}

/** Pairs of neighbouring characters, each word led by a space, so that word starts count. */
function gramsOf(text: string): Set<string> {
  const padded = ` ${text}`;
  const pairs = Array.from({ length: text.length }, (_, at) => padded.slice(at, at + 2));
  return new Set(pairs.filter((pair) => pair[1] !== ' '));
}

function file<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const list = into.get(key);
  if (list) list.push(value);
  else into.set(key, [value]);
}

/** Slips (a letter left out, put in, mistaken, or swapped with the next) between two words; Infinity above `most`. */
function slips(a: string, b: string, most: number, i = 0, j = 0): number {
  while (i < a.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
  const [restA, restB] = [a.length - i, b.length - j];
  if (Math.abs(restA - restB) > most) return Infinity;
  if (restA === 0 || restB === 0) return restA + restB;
  if (most === 0) return Infinity;
  const swapped = a[i] === b[j + 1] && a[i + 1] === b[j];
  const next = [
    slips(a, b, most - 1, i + 1, j),
    slips(a, b, most - 1, i, j + 1),
    slips(a, b, most - 1, i + 1, j + 1),
  ];
  return 1 + Math.min(...next, swapped ? slips(a, b, most - 1, i + 2, j + 2) : Infinity);
}

/** 1 for equal, less for each slip; 0 beyond one slip in four letters, or three in all. */
function likeness(a: string, b: string, costOfSlip: number): number {
  const longer = Math.max(a.length, b.length);
  return Math.max(0, 1 - (costOfSlip * slips(a, b, Math.min(3, Math.floor(longer / 4)))) / longer);
}

function wordLikeness(typed: string, word: string): number {
  if (typed.length >= 3 && word.startsWith(typed)) return 0.5 + (0.5 * typed.length) / word.length;
  return likeness(typed, word, 2);
}

/** Word by word, in any order and among other words. */
function byWords(query: Folded, label: Folded): number {
  const used = new Set<string>();
  let met = 0;
  for (const word of label.words) {
    const likes = query.words.map((typed) => wordLikeness(typed, word));
    const best = Math.max(...likes);
    met += best * weight([word]);
    if (best > 0) used.add(query.words[likes.indexOf(best)] ?? '');
  }
  return (met / weight(label.words)) * (0.75 + (0.25 * weight(used)) / weight(query.words));
}

/** The query is the beginning of the label or, in Chinese, any part of it. */
function byPart({ joined }: Folded, label: Folded): number {
  const at = joined.length < 2 ? -1 : label.joined.indexOf(joined);
  if (at < 0 || (at > 0 && !isHan(joined))) return 0;
  return (at === 0 ? 0.3 : 0.2) + (0.6 * joined.length) / label.joined.length;
}

/** The label stands inside a longer query that is not divided into words. */
function byPresence(query: Folded, { joined }: Folded): number {
  if (!query.joined.includes(joined) || joined.length < (isHan(joined) ? 2 : 5)) return 0;
  return 0.75 + (0.2 * joined.length) / query.joined.length;
}

function score(query: Folded, label: Label): number {
  if (query.joined === label.joined) return label.worth;
  const near = [byWords(query, label), byPart(query, label), byPresence(query, label)];
  const best = Math.max(likeness(query.joined, label.joined, 1), ...near);
  const said = query.words.every((word) => generic.has(word)) ? 0.65 : 1;
  return Math.min(best, 0.95) * label.worth * said;
}

export function buildLookup(pockets: readonly Pocket[]): Lookup {
  const labels = pockets.flatMap((pocket): Label[] =>
    [pocket.id, pocket.name, ...pocket.aliases, pocket.region]
      .map((raw, nth, all) => ({ ...fold(raw), pocket, worth: nth === all.length - 1 ? REGION_WORTH : 1 }))
      .filter(({ text }) => text !== '')
      .map((label) => ({ ...label, grams: gramsOf(label.text).size })),
  );
  const exact = Map.groupBy(labels, ({ joined }) => joined);
  const index = new Map<string, number[]>();
  labels.forEach(({ text }, at) => {
    for (const gram of gramsOf(text)) file(index, gram, at);
  });

  /** The labels nearest by shared grams; a long one nearly met stands before a short one met whole. */
  function candidates(text: string): Label[] {
    const shared = new Uint16Array(labels.length);
    for (const gram of gramsOf(text))
      for (const at of index.get(gram) ?? []) shared[at] = (shared[at] ?? 0) + 1;
    const byNearness = new Map<number, Label[]>();
    labels.forEach((label, at) => {
      const count = shared[at] ?? 0;
      if (count > 0) file(byNearness, Math.round((8 * count ** 2) / label.grams), label);
    });
    const nearest: Label[] = [];
    for (const [, same] of [...byNearness].sort(([a], [b]) => b - a)) {
      nearest.push(...same.slice(0, CANDIDATES - nearest.length));
    }
    return nearest;
  }

  /** Each pocket's best score, the best first; equal scores in the order of their ids. */
  function rank(raw: string): { pocket: Pocket; confidence: number }[] {
    const query = fold(raw.slice(0, QUERY_CHARS));
    const whole = exact.get(query.joined) ?? [];
    const named = query.words.flatMap((word) => exact.get(word)?.slice(0, CANDIDATES) ?? []);
    const best = new Map<Pocket, number>();
    for (const label of [...whole, ...named, ...candidates(query.text)]) {
      best.set(label.pocket, Math.max(best.get(label.pocket) ?? 0, score(query, label)));
    }
    return Array.from(best, ([pocket, value]) => ({
      pocket,
      confidence: Math.round(value * 1000) / 1000,
    })).sort((a, b) => b.confidence - a.confidence || (a.pocket.id < b.pocket.id ? -1 : 1));
  }

  return {
    find: (query) =>
      rank(query)
        .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
        .slice(0, MOST)
        .map(({ pocket: { id: pocket_id, name: display_name, lat, lng, region }, confidence }) => {
          return { pocket_id, display_name, lat, lng, region, confidence };
        }),
    suggest: (query) => {
      const near = rank(query).map(({ pocket }) => pocket);
      return [...new Set([...near, ...pockets].map(({ name }) => name))].slice(0, MOST);
    },
  };
}
