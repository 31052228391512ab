import type { Soon } from './soon.ts';

/** Answers kept as text for as long as the data they were made from is current. */
export interface AnswerCache {
  /** The kept answer, or the one that `make` gives; the same question asked meanwhile waits for the same answer. */
  get(version: string, key: string, make: () => Promise<string>): Soon<string>;
}

const MOST_CHARACTERS = 32 * 1024 * 1024;

export function createAnswerCache(most = MOST_CHARACTERS): AnswerCache {
  const kept = new Map<string, Soon<string>>();
  let version = '';
  let size = 0;

  const settle = (madeFor: string, key: string, answer: string) => {
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
  const make = async (madeFor: string, key: string, compute: () => Promise<string>) => {
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
