/** Sum, mean and spread of samples. Callers see to it that there are enough. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** The standard deviation of what the samples were drawn from: with one sample fewer in the divisor. */
export function sampleDeviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}
