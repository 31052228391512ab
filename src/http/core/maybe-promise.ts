// Values that may be available at once: a cached answer is used without awaiting a promise.

/** A value, or a promise of it. Most answers are cached, and awaiting those would cost more than looking them up. */
export type MaybePromise<T> = T | Promise<T>;

export const mapMaybePromise = <T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
