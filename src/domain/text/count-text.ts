/** A number with its noun, which is one thing or several: "1 forecast", "2 forecasts", "0 forecasts". */
export const countText = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
