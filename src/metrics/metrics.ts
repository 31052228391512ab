// The metrics of a process, in the order in which they were added. It knows neither a clock nor where it is read.
import { type Counter, createCounter, createHistogram, type Histogram } from './series.ts';
import { type Family, type LabelValue, metricsText, type Sample } from './text.ts';

/** A number that is read when the metrics are; undefined where nothing was measured. */
export type Reading = number | undefined | readonly Sample[];

export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram;
  /** A counter that is kept elsewhere. */
  readCounter(name: string, help: string, read: () => Reading): void;
  gauge(name: string, help: string, read: () => Reading): void;
  text(): string;
}

export function createMetrics(): Metrics {
  const families = new Map<string, () => Family>();
  const add = (name: string, help: string, type: Family['type'], samples: () => readonly Sample[]) => {
    if (families.has(name)) throw new Error(`the metric ${name} is there already`);
    families.set(name, () => ({ name, help, type, samples: samples() }));
  };
  return {
    counter: (name, help, labels = []) => {
      const counter = createCounter(labels);
      add(name, help, 'counter', counter.samples);
      return counter;
    },
    histogram: (name, help, labels, bounds) => {
      const histogram = createHistogram(labels, bounds);
      add(name, help, 'histogram', histogram.samples);
      return histogram;
    },
    readCounter: (name, help, read) => add(name, help, 'counter', () => toSamples(read())),
    gauge: (name, help, read) => add(name, help, 'gauge', () => toSamples(read())),
    text: () => metricsText(Array.from(families.values(), (read) => read())),
  };
}

const toSamples = (reading: Reading): readonly Sample[] =>
  reading === undefined ? [] : typeof reading === 'number' ? [{ value: reading }] : reading;

/** One sample for each value that was measured, by the value of a label. */
export const byLabel = (
  label: string,
  values: Readonly<Record<LabelValue, number | undefined>>,
): readonly Sample[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [{ labels: { [label]: name }, value }],
  );
