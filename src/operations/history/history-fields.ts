// Schemas and helpers that the answers about a pocket's past days share.
import Type from 'typebox';
import { NotFound, type OperationContext, Refused } from '../core/define.ts';

export const localDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'day in {city}, such as 2026-11-11; today when omitted',
});

/** A time within the local day: the date that was asked for, or now. */
export function dayAsked(date: string | undefined, { now, zone }: OperationContext): number {
  if (date === undefined) return now;
  const noon = zone.atLocal(date, '12:00');
  if (Number.isNaN(noon) || zone.localDate(noon) !== date) throw new Refused(`date must be a day: ${date}`);
  if (date > zone.localDate(now)) throw new NotFound(`${date} has not come yet`);
  return noon;
}
