export type Value = number | string | null;

/** Says that a figure is not served as the rows give it. */
export const differs = (figure: string, served: unknown, computed: Value): string =>
  `${figure} is served as ${JSON.stringify(served) ?? 'nothing'}, but the rows give ${JSON.stringify(computed)}`;
