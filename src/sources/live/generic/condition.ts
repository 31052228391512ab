// Conditions on the values of a row: equal to one of a list, to none of it, or merely there.
import { scalarText } from '../../core/rows/number.ts';
import type { Condition } from './settings.ts';

export type Access<Row> = (reference: string) => (row: Row) => unknown;

/** Values are compared as text, so that "1" in a CSV and 1 in JSON are the same. */
export function compileCondition<Row>(settings: Condition, access: Access<Row>): (row: Row) => boolean {
  const get = access(settings.at);
  const is = settings.is && new Set(settings.is.map(String));
  const not = settings.not && new Set(settings.not.map(String));
  return (row) => {
    const raw = get(row);
    const text = scalarText(raw ?? null) ?? '';
    if (is) return is.has(text) && !not?.has(text);
    if (not) return !not.has(text);
    return raw !== undefined && raw !== null && raw !== false && raw !== '';
  };
}
