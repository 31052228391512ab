// What a client was just told of may not be on the replica yet that this process reads.
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { toHttpError } from './errors.ts';

/**
 * Answers from `store`; where it is a replica and has not what was asked for, from the primary, if that can be reached.
 * `missing` is the status with which the answer is refused then.
 */
export async function orFromPrimary<T>(
  store: Reader,
  answer: (store: Reader) => Promise<T>,
  missing = 404,
): Promise<T> {
  try {
    return await answer(store);
  } catch (error) {
    if (!store.primary || toHttpError(error).status !== missing) throw error;
    return answer(store.primary).catch((failure) => {
      throw failure instanceof StoreError ? error : failure;
    });
  }
}
