import type { MaybePromise } from '../core/maybe-promise.ts';

/** Answers kept as bytes for as long as the data they were made from is current. */
export interface AnswerCache<Text extends string> {
  /** The kept answer, or the one that `make` gives; the same question asked meanwhile waits for the same answer. */
  get(version: string, key: string, make: () => Promise<Text>): MaybePromise<Text>;
}

const MOST_BYTES = 32 * 1024 * 1024;

export function createAnswerCache<Text extends string>(most = MOST_BYTES): AnswerCache<Text> {
  const kept = new Map<string, MaybePromise<Text>>();
  let version = '';
  let size = 0;

  const settle = (madeFor: string, key: string, answer: Text) => {
    if (madeFor !== version) return;
    kept.set(key, answer);
    size += key.length + answer.length;
    for (const [oldest, text] of kept) {
      if (size <= most) break;
      if (typeof text !== 'string') continue;
      kept.delete(oldest);
      size -= oldest.length + text.length;
    }
  };
  const make = async (madeFor: string, key: string, compute: () => Promise<Text>) => {
    try {
      const answer = await compute();
      settle(madeFor, key, answer);
      return answer;
    } catch (error) {
      if (madeFor === version) kept.delete(key);
      throw error;
    }
  };
  return {
    get: (wanted, key, compute) => {
      if (wanted !== version) {
        kept.clear();
        version = wanted;
        size = 0;
      }
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = make(wanted, key, compute);
      kept.set(key, made);
      return made;
    },
  };
}
