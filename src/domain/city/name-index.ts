/**
 * Finds named things by a query: misspelt, half typed, in another script or inside a sentence. A query is compared in
 * full with the labels that share most of its bigrams; the score of an item is that of its best label.
 */

import { LabelWriter } from './label-index.ts';

/** What names an item. */
export interface Names {
  /** Decides the order of equal scores. */
  id: string;
  /** Each name with the confidence of an exact match. */
  labels: readonly (readonly [name: string, exactScore: number])[];
}

export interface Ranked<T> {
  item: T;
  /** 0..1; 1 only for an exact name whose exact match has the confidence 1. */
  confidence: number;
}

/** A normalised text and what is compared of it. */
interface Folded {
  text: string;
  /** Without spaces. */
  joined: string;
  words: string[];
}

/** The contract's longest query. */
const MAX_QUERY_CHARS = 80;
/** How many labels are scored in full, after the bigram index has ordered them all. */
const CANDIDATES = 64;

/** Words in the names of many places; they count a tenth. */
const generic = new Set(
  (
    'avenue centre center court drive east estate garden gardens hill lane lrt mall market mrt north park place ' +
    'plaza road south station street upper view village way west bukit jalan kampong kampung lorong pasar taman'
  ).split(' '),
);
/** Words of a sentence around a name; they say nothing about which place is meant. */
const fillers = new Set(
  (
    'a an and are around as at be by calm for from go how i in is it like me my near nearby now of on or please ' +
    'quiet right so some the there this to today tonight was what where which'
  ).split(' '),
);
const weight = (words: Iterable<string>): number =>
  [...words].reduce((sum, word) => sum + word.length * (generic.has(word) ? 0.1 : 1), 0);

/** Chinese is written without spaces, and one character carries as much as a short word. */
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

const splitWords = (text: string): string[] => [...new Set(text.split(' '))];

const withoutSpaces = (text: string): string => text.replaceAll(' ', '');

function fold(raw: string): Folded {
  const text = normalise(raw);
  return { text, joined: withoutSpaces(text), words: splitWords(text) };
}

/**
 * Damerau-Levenshtein distance: letters left out, put in, replaced, or swapped with the next; Infinity above `max`,
 * which bounds the recursion.
 */
function editDistance(a: string, b: string, max: number, i = 0, j = 0): number {
  while (i < a.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
  const [restA, restB] = [a.length - i, b.length - j];
  if (Math.abs(restA - restB) > max) return Infinity;
  if (restA === 0 || restB === 0) return restA + restB;
  if (max === 0) return Infinity;
  const swapped = a[i] === b[j + 1] && a[i + 1] === b[j];
  const next = [
    editDistance(a, b, max - 1, i + 1, j),
    editDistance(a, b, max - 1, i, j + 1),
    editDistance(a, b, max - 1, i + 1, j + 1),
  ];
  return 1 + Math.min(...next, swapped ? editDistance(a, b, max - 1, i + 2, j + 2) : Infinity);
}

/** 1 for equal texts, less for each edit; 0 beyond one edit in four letters, or three in all. */
export function similarity(a: string, b: string, costOfEdit: number): number {
  const longer = Math.max(a.length, b.length);
  return Math.max(0, 1 - (costOfEdit * editDistance(a, b, Math.min(3, Math.floor(longer / 4)))) / longer);
}

/** A beginning of three letters or more counts by its length, anything else by its edits. */
export function wordSimilarity(typed: string, word: string): number {
  if (typed.length >= 3 && word.startsWith(typed)) return 0.5 + (0.5 * typed.length) / word.length;
  return similarity(typed, word, 2);
}

/**
 * What is left of a score where the query and the label each have a word that the other lacks. Sharing one word of two
 * is what neighbours on a map do: 'Tanjong Pagar' is not Tanjong Katong, and 'Johor Bahru' is not Tiong Bahru.
 */
const OTHER_PLACE = 0.25;

/** Compares word by word, in any order and among other words. */
function scoreByWords(query: Folded, label: Folded): number {
  const used = new Set<string>();
  let matched = 0;
  let missing = false;
  for (const word of label.words) {
    const similarities = query.words.map((typed) => wordSimilarity(typed, word));
    const best = Math.max(...similarities);
    matched += best * weight([word]);
    const nearest = query.words[similarities.indexOf(best)] ?? '';
    if (best > 0) used.add(nearest);
    // The beginning of a word leaves the rest of it out: ids are names without their spaces.
    const lacks = best === 0 || (word.startsWith(nearest) && word !== nearest);
    if (lacks && !generic.has(word)) missing = true;
  }
  const other = missing && query.words.some((word) => !used.has(word) && !fillers.has(word));
  const score = (matched / weight(label.words)) * (0.75 + (0.25 * weight(used)) / weight(query.words));
  return other ? score * OTHER_PLACE : score;
}

/** Scores a query that is the beginning of the label or, in Chinese, any part of it. */
function scoreByPart({ joined }: Folded, label: Folded): number {
  const at = joined.length < 2 ? -1 : label.joined.indexOf(joined);
  if (at < 0 || (at > 0 && !isHan(joined))) return 0;
  return (at === 0 ? 0.3 : 0.2) + (0.6 * joined.length) / label.joined.length;
}

/** Scores a label that is contained in a longer query without word boundaries. */
function scoreByContainment(query: Folded, { joined }: Folded): number {
  if (!query.joined.includes(joined) || joined.length < (isHan(joined) ? 2 : 5)) return 0;
  return 0.75 + (0.2 * joined.length) / query.joined.length;
}

function score(query: Folded, label: Folded & { exactScore: number }): number {
  if (query.joined === label.joined) return label.exactScore;
  const scores = [scoreByWords(query, label), scoreByPart(query, label), scoreByContainment(query, label)];
  const best = Math.max(similarity(query.joined, label.joined, 1), ...scores);
  // Generic words alone say little about which place is meant.
  const specificity = query.words.every((word) => generic.has(word)) ? 0.65 : 1;
  return Math.min(best, 0.95) * label.exactScore * specificity;
}

/**
 * A function that gives the best score of each item, highest first; equal scores in the order of ids. Of the names of a
 * large city only what finds them is kept; those that a query may mean are asked for again.
 */
export function buildNameIndex<T>(
  items: readonly T[],
  namesOf: (item: T) => Names,
): (query: string) => Ranked<T>[] {
  const writer = new LabelWriter();
  items.forEach((item, at) => {
    namesOf(item).labels.forEach(([name], own) => {
      const text = normalise(name);
      if (text !== '') writer.add({ item: at, own }, text, withoutSpaces(text));
    });
  });
  const index = writer.end();

  return (raw) => {
    const query = fold(raw.slice(0, MAX_QUERY_CHARS));
    const folded = new Map<string, Folded>();
    const labelAt = (number: number) => {
      const { item, own } = index.placeOf(number);
      const named = items[item] as T;
      const { id, labels } = namesOf(named);
      const [name = '', exactScore = 0] = labels[own] ?? [];
      const known = folded.get(name) ?? fold(name);
      folded.set(name, known);
      return { item: named, id, label: { ...known, exactScore } };
    };
    const named = (joined: string, most: number) =>
      index
        .withHashOf(joined)
        .values()
        .map(labelAt)
        .filter(({ label }) => label.joined === joined)
        .take(most);
    const meant = [
      ...named(query.joined, Infinity),
      ...query.words.flatMap((word) => [...named(word, CANDIDATES)]),
      ...index.nearest(query.text, CANDIDATES).map(labelAt),
    ];
    const best = new Map<T, { id: string; confidence: number }>();
    for (const { item, id, label } of meant)
      best.set(item, { id, confidence: Math.max(best.get(item)?.confidence ?? 0, score(query, label)) });
    return Array.from(best, ([item, { id, confidence }]) => ({
      item,
      id,
      confidence: Math.round(confidence * 1000) / 1000,
    }))
      .sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
      .map(({ item, confidence }) => ({ item, confidence }));
  };
}
