export type Value = number | string | null;

const LONGEST_VALUE = 100;
/** The log and the service control the value. */
export const valueText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'nothing').slice(0, LONGEST_VALUE);

/** Says that a figure is not served as the rows give it. */
export const differs = (figure: string, served: unknown, computed: Value): string =>
  `${figure} is served as ${JSON.stringify(served) ?? 'nothing'}, but the rows give ${JSON.stringify(computed)}`;
