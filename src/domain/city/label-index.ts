// Which labels of a city have a text, or share pairs of letters with one. The labels themselves are not kept: a large city
// has hundreds of thousands.
import { indexHashes, textHash } from './lists/hash-index.ts';

/** Of which item a label is, and which of its labels. */
export interface LabelPlace {
  item: number;
  own: number;
}

export interface LabelIndex {
  placeOf(label: number): LabelPlace;
  /** The labels that may be this text without its spaces, in their order: another text may have the same hash. */
  withHashOf(joined: string): number[];
  /** The labels with most bigrams in common; a long label nearly matched comes before a short one matched whole. */
  nearest(text: string, most: number): number[];
}

/** Pairs of neighbouring characters, as numbers. Each word is led by a space, so that the first letter of a word counts too. */
function wordBigrams(text: string): number[] {
  const pairs: number[] = [];
  let before = SPACE;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const pair = before * 65_536 + character;
    if (character !== SPACE && !pairs.includes(pair)) pairs.push(pair);
    before = character;
  }
  return pairs;
}
const SPACE = ' '.charCodeAt(0);

/** A list of whole numbers that grows. */
class Numbers {
  #values: Uint32Array<ArrayBuffer> = new Uint32Array(4);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Uint32Array(Math.ceil(1.5 * this.length));
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  end(): Uint32Array {
    return this.#values.slice(0, this.length);
  }
}

export class LabelWriter {
  readonly #items = new Numbers();
  readonly #own = new Numbers();
  readonly #hashes = new Numbers();
  readonly #bigrams = new Numbers();
  /** By bigram the labels that have it. */
  readonly #index = new Map<number, Numbers>();

  add({ item, own }: LabelPlace, text: string, joined: string): void {
    const label = this.#items.length;
    const pairs = wordBigrams(text);
    this.#items.push(item);
    this.#own.push(own);
    this.#hashes.push(textHash(joined));
    this.#bigrams.push(pairs.length);
    for (const pair of pairs) {
      const labels = this.#index.get(pair) ?? new Numbers();
      this.#index.set(pair, labels);
      labels.push(label);
    }
  }

  end(): LabelIndex {
    const items = this.#items.end();
    const own = Uint16Array.from(this.#own.end());
    const bigrams = Uint16Array.from(this.#bigrams.end());
    const index = new Map(Array.from(this.#index, ([pair, labels]) => [pair, labels.end()]));
    const withHash = indexHashes(this.#hashes.end());
    return {
      placeOf: (label) => ({ item: items[label] ?? 0, own: own[label] ?? 0 }),
      withHashOf: (joined) => withHash(textHash(joined)),
      nearest: (text, most) =>
        nearestLabels(countShared(wordBigrams(text), index, bigrams.length), bigrams, most),
    };
  }
}

/** By label how many of the bigrams it has. */
function countShared(
  pairs: readonly number[],
  index: ReadonlyMap<number, Uint32Array>,
  length: number,
): Uint16Array {
  const shared = new Uint16Array(length);
  for (const pair of pairs)
    for (const label of index.get(pair) ?? []) shared[label] = (shared[label] ?? 0) + 1;
  return shared;
}

function nearestLabels(shared: Uint16Array, bigrams: Uint16Array, most: number): number[] {
  const rankOf = (label: number) => Math.round((8 * (shared[label] ?? 0) ** 2) / (bigrams[label] ?? 1));
  const sizes: number[] = [];
  for (let label = 0; label < shared.length; label += 1) {
    if (!shared[label]) continue;
    const rank = rankOf(label);
    sizes[rank] = (sizes[rank] ?? 0) + 1;
  }
  let least = sizes.length;
  for (let found = 0; least > 0 && found < most; ) {
    least -= 1;
    found += sizes[least] ?? 0;
  }
  const byRank: number[][] = [];
  for (let label = 0; label < shared.length; label += 1) {
    if (!shared[label]) continue;
    const rank = rankOf(label);
    if (rank < least) continue;
    const same = byRank[rank - least] ?? [];
    byRank[rank - least] = same;
    if (same.length < most) same.push(label);
  }
  return byRank.reverse().flat().slice(0, most);
}
