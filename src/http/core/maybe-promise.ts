/** What is known already, or will be. Most answers are kept: waiting for those would cost more than they do. */
export type MaybePromise<T> = T | Promise<T>;

export const mapMaybePromise = <T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
