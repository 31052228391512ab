/** What is known already, or will be. Most answers are kept: waiting for those would cost more than they do. */
export type Soon<T> = T | Promise<T>;

export const after = <T, R>(value: Soon<T>, next: (value: T) => R): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);
