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

/** One thing a pocket is called, folded. */
interface Label {
  pocket: number;
  text: string;
  joined: string;
  words: string[];
  /** How much a full match is worth: a region names several pockets, so it never settles on one. */
  worth: number;
}

type Query = Pick<Label, 'text' | 'joined' | 'words'>;

const MOST = 3;
const LEAST_CONFIDENCE = 0.2;
const QUERY_CHARS = 80;
/** Labels scored in full after the gram index has ranked them all. */
const CANDIDATES = 64;
const REGION_WORTH = 0.6;

/** Words that many places share say little about which one is meant. */
const generic = new Set(
  (
    'avenue centre center court drive east estate garden gardens hill lane mall market mrt north park place ' +
    'plaza road south street upper view village way west bukit jalan kampong kampung lorong pasar taman'
  ).split(' '),
);
const weight = (word: string): number => word.length * (generic.has(word) ? 0.1 : 1);
const weigh = (words: string[]): number => words.reduce((sum, word) => sum + weight(word), 0);

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

function fold(raw: string): Query {
  const text = normalise(raw);
  return { text, joined: text.replaceAll(' ', ''), words: text.split(' ') };
}

/** Pairs of neighbouring characters, each word led by a space, so that word starts count. */
function grams(text: string): Set<string> {
  const padded = ` ${text}`;
  const found = new Set<string>();
  for (let at = 0; at + 1 < padded.length; at++)
    if (padded[at + 1] !== ' ') found.add(padded.slice(at, at + 2));
  return found;
}

/** Edits (insert, delete, replace, swap neighbours) from `a` to `b`; anything above `limit` is Infinity. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return Infinity;
    older = old;
    old = row;
  }
  const total = old[b.length] ?? Infinity;
  return total <= limit ? total : Infinity;
}

/** 1 for equal, less for each slip, 0 beyond one slip in four letters. */
function likeness(a: string, b: string, costOfSlip: number): number {
  if (a === b) return 1;
  const longer = Math.max(a.length, b.length);
  const limit = Math.floor(longer / 4);
  return limit === 0 ? 0 : Math.max(0, 1 - (costOfSlip * edits(a, b, limit)) / longer);
}

function wordLikeness(typed: string, word: string): number {
  if (typed.length >= 3 && word.startsWith(typed)) return 0.5 + (0.5 * typed.length) / word.length;
  return likeness(typed, word, 2);
}

/** Word by word, in any order and among other words. */
function byWords(query: Query, label: Label): number {
  let met = 0;
  const used = new Set<string>();
  for (const word of label.words) {
    let best = 0;
    let from = '';
    for (const typed of query.words) {
      const like = wordLikeness(typed, word);
      if (like > best) [best, from] = [like, typed];
    }
    met += best * weight(word);
    if (best > 0) used.add(from);
  }
  const explained = weigh([...used]) / weigh(query.words);
  return (met / weigh(label.words)) * (0.75 + 0.25 * Math.min(1, explained));
}

/** The query is the beginning of the label, or (in Chinese) any part of it. */
function byPart(query: Query, label: Label): number {
  const at = query.joined.length < 2 ? -1 : label.joined.indexOf(query.joined);
  if (at < 0 || (at > 0 && !isHan(query.joined))) return 0;
  return (at === 0 ? 0.3 : 0.2) + (0.6 * query.joined.length) / label.joined.length;
}

/** The label stands inside a longer query that is not divided into words. */
function byPresence(query: Query, label: Label): number {
  const least = isHan(label.joined) ? 2 : 5;
  if (label.joined.length < least || !query.joined.includes(label.joined)) return 0;
  return 0.75 + (0.2 * label.joined.length) / query.joined.length;
}

function score(query: Query, label: Label): number {
  if (query.joined === label.joined) return label.worth;
  const near = Math.max(
    likeness(query.joined, label.joined, 1),
    byWords(query, label),
    byPart(query, label),
    byPresence(query, label),
  );
  const said = query.words.every((word) => generic.has(word)) ? 0.65 : 1;
  return Math.min(near, 0.95) * label.worth * said;
}

export function buildLookup(pockets: readonly Pocket[]): Lookup {
  const labels = pockets.flatMap((pocket, index): Label[] => {
    const named = [pocket.id, pocket.name, ...pocket.aliases].map((raw) => ({ ...fold(raw), worth: 1 }));
    const all = [...named, { ...fold(pocket.region), worth: REGION_WORTH }];
    return all.filter(({ text }) => text !== '').map((label) => ({ ...label, pocket: index }));
  });
  const exact = Map.groupBy(labels, ({ joined }) => joined);
  const index = new Map<string, number[]>();
  const gramCounts = labels.map(({ text }, at) => {
    const own = grams(text);
    for (const gram of own) {
      const list = index.get(gram);
      if (list) list.push(at);
      else index.set(gram, [at]);
    }
    return own.size;
  });

  /** The labels nearest to the query by shared grams: a short one met whole counts below a long one nearly met. */
  function candidates(text: string): Label[] {
    const shared = new Uint8Array(labels.length);
    for (const gram of grams(text))
      for (const at of index.get(gram) ?? []) shared[at] = (shared[at] ?? 0) + 1;
    const nearness = new Uint16Array(labels.length);
    const tally = new Uint32Array(16 * 256);
    for (let at = 0; at < labels.length; at++) {
      const count = shared[at] ?? 0;
      if (count === 0) continue;
      const near = Math.floor((16 * count * count) / (gramCounts[at] ?? 1));
      nearness[at] = near;
      tally[near] = (tally[near] ?? 0) + 1;
    }
    let cut = tally.length;
    let room = CANDIDATES;
    while (cut > 1 && room >= (tally[cut - 1] ?? 0)) room -= tally[--cut] ?? 0;
    return labels.filter((_, at) => {
      const near = nearness[at] ?? 0;
      return near >= cut || (near === cut - 1 && near > 0 && room-- > 0);
    });
  }

  /** Each pocket's best score, the best first; equal scores in the order of their ids. */
  function rank(raw: string): { pocket: Pocket; confidence: number }[] {
    const query = fold(raw.slice(0, QUERY_CHARS));
    if (query.text === '') return [];
    const best = new Map<number, number>();
    const met = [query.joined, ...query.words].flatMap((name) => exact.get(name) ?? []);
    for (const label of [...met, ...candidates(query.text)]) {
      best.set(label.pocket, Math.max(best.get(label.pocket) ?? 0, score(query, label)));
    }
    return [...best]
      .flatMap(([at, value]) => {
        const pocket = pockets[at];
        return pocket ? [{ pocket, confidence: Math.round(value * 1000) / 1000 }] : [];
      })
      .sort((a, b) => b.confidence - a.confidence || (a.pocket.id < b.pocket.id ? -1 : 1));
  }

  return {
    find: (query) =>
      rank(query)
        .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
        .slice(0, MOST)
        .map(({ pocket: { id, name, lat, lng, region }, confidence }) => ({
          pocket_id: id,
          display_name: name,
          lat,
          lng,
          region,
          confidence,
        })),
    suggest: (query) => {
      const near = rank(query).map(({ pocket }) => pocket.name);
      return [...new Set([...near, ...pockets.map(({ name }) => name)])].slice(0, MOST);
    },
  };
}
