// What is counted while requests are answered: one number, or a few, for each combination of label values.
import type { LabelValue, Sample } from './text.ts';

/** So many combinations of label values have numbers of their own. */
const MOST_SERIES = 4096;
/** Past that, all further ones share the combination that has this for every label. */
const OTHER = 'other';

/** Counts without a combination read as nothing; those that are `declare`d read as 0 until they are counted. */
export interface Counter {
  add(by: number, ...values: LabelValue[]): void;
  declare(...values: LabelValue[]): void;
}

export interface Histogram {
  observe(value: number, ...values: LabelValue[]): void;
}

/** What a family of metrics is made of when it is read. */
export interface Counted {
  samples(): Sample[];
}

export function createCounter(labels: readonly string[], most?: number): Counter & Counted {
  const series = createSeries(labels, () => ({ count: 0 }), most);
  return {
    add: (by, ...values) => {
      series.at(values).count += by;
    },
    declare: (...values) => void series.at(values),
    samples: () => series.all().map(({ labels, item: { count } }) => ({ labels, value: count })),
  };
}

/** `bounds`: the upper bounds of its buckets, in rising order, without the infinite one. */
export function createHistogram(
  labels: readonly string[],
  bounds: readonly number[],
  most?: number,
): Histogram & Counted {
  const series = createSeries(
    labels,
    // The last bucket is for what is beyond all bounds.
    () => ({ buckets: new Float64Array(bounds.length + 1), sum: 0 }),
    most,
  );
  return {
    observe: (value, ...values) => {
      const own = series.at(values);
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
      own.buckets[bucket] = (own.buckets[bucket] as number) + 1;
      own.sum += value;
    },
    samples: () =>
      series.all().flatMap(({ labels, item: { buckets, sum } }): Sample[] => {
        let count = 0;
        const upTo = Array.from(buckets, (own, at): Sample => {
          count += own;
          return { suffix: '_bucket', labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: count };
        });
        return [...upTo, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
      }),
  };
}

/** A map for each label, one inside the other: finding an item makes no text and so no garbage. */
type Level<T> = Map<LabelValue, Level<T> | T>;

function createSeries<T extends object>(labels: readonly string[], create: () => T, most = MOST_SERIES) {
  const root: Level<T> = new Map();
  const found: { labels: Record<string, LabelValue>; item: T }[] = [];
  const alone = labels.length === 0 ? create() : undefined;
  if (alone) found.push({ labels: {}, item: alone });
  const find = (values: readonly LabelValue[]): T | undefined => {
    let level: Level<T> | T | undefined = root;
    for (const value of values) level = (level as Level<T> | undefined)?.get(value);
    return level as T | undefined;
  };
  const add = (values: readonly LabelValue[]): T => {
    const item = create();
    let level = root;
    for (const value of values.slice(0, -1)) {
      const next = (level.get(value) as Level<T> | undefined) ?? new Map();
      level.set(value, next);
      level = next;
    }
    level.set(values.at(-1) as LabelValue, item);
    found.push({ labels: Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), item });
    return item;
  };
  const others = labels.map(() => OTHER);
  return {
    at: (values: readonly LabelValue[]): T => {
      const known = alone ?? find(values);
      if (known) return known;
      return found.length < most ? add(values) : (find(others) ?? add(others));
    },
    all: () => found,
  };
}
