// Schemas that several reports share.
import Type from 'typebox';
import { comparedQualities } from '../../domain/report/part-means.ts';
import { pocketSignalKinds } from '../../domain/signals/signal.ts';
import { dayNames } from '../../domain/time/periods.ts';
import { wakingParts } from '../../domain/time/waking-hours.ts';
import { count, nullable, unit } from '../core/answer-fields.ts';

export const month = Type.String({
  pattern: '^\\d{4}-\\d{2}$',
  description: "month in the city's time zone, such as 2026-10",
});

export const week = Type.String({
  pattern: '^\\d{4}-W\\d{2}$',
  description: "ISO week in the city's time zone, such as 2026-W45",
});

const cause = Type.Object({
  signal: Type.Enum([...pocketSignalKinds]),
  value: Type.Number({
    description: 'mean measurement; footfall as a share of the ordinary peak of its pocket',
  }),
  reference: Type.Number({ description: 'the same, of what it is compared with' }),
  effect: Type.Number({
    description: 'change of the quality if only this measurement changed from reference to value',
  }),
});

/** What sets a pocket or a period apart: differences that are larger than chance and the usual spread explain. */
export const setsApart = Type.Array(
  Type.Object({
    against: Type.Enum(['network', 'own_usual'], {
      description:
        'network: the other pockets in the same hours; own_usual: the same hours of the pocket in earlier weeks or months',
    }),
    quality: Type.Enum([...comparedQualities]),
    day: nullable(Type.Enum([...dayNames], { description: 'null: every day' })),
    part: Type.Enum([...wakingParts]),
    hours: Type.String({ description: 'such as 14:00-18:00' }),
    holiday: nullable(
      Type.String({
        description: 'weekly reports: the public holiday that the day was; null for any other day',
      }),
    ),
    value: Type.Number({ ...unit, description: 'mean of the quality in these hours' }),
    reference: Type.Number({ ...unit, description: 'the same, of what it is compared with' }),
    difference: Type.Number({ minimum: -1, maximum: 1, description: 'value minus reference' }),
    standard_error: Type.Number({
      minimum: 0,
      description:
        'of the difference, from day to day (network) or from week to week (own_usual); only differences of 4 (network) or 3 of these are stated',
    }),
    pocket_spread: nullable(
      Type.Number({ minimum: 0, description: 'network: standard deviation between the other pockets' }),
    ),
    rank: nullable(Type.Integer({ minimum: 1, description: 'network: place among all; 1 is the highest' })),
    of_pockets: nullable(count),
    network_difference: nullable(
      Type.Number({
        description: 'own_usual: how much the other pockets differed from their own usual, on average',
      }),
    ),
    cause: nullable(cause),
    text: Type.String(),
  }),
  { description: 'empty: like any other week or month, and like the other pockets' },
);

export const comparedWith = Type.Object({
  other_pockets: count,
  earlier: Type.Array(Type.String(), { description: 'earlier weeks or months that were read, oldest first' }),
  note: nullable(Type.String({ description: 'limits of the comparison' })),
});
