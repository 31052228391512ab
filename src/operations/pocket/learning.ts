// What a city with learned scales still learns: the same step and words in every answer.
import Type, { type Static } from 'typebox';
import { learningStep } from '../../domain/atmosphere/no-moment.ts';
import { iso } from '../../domain/time/slot.ts';
import { firstMeasuredSlot } from '../../store/observation/crowd-record.ts';
import { firstReadingSlot } from '../../store/observation/past-readings.ts';
import { nullable, timestamp } from '../core/answer-fields.ts';
import type { OperationContext } from '../core/define.ts';

export const learning = Type.Object(
  {
    step: Type.Enum(['range', 'usual'], {
      description:
        'range: how full each pocket gets, until when there is no reading; usual: what each hour of the week is like, until when the service stays silent',
    }),
    since: nullable(timestamp),
    until: Type.Union([timestamp, Type.Null()], { description: 'about' }),
  },
  { description: 'null where nothing is being learned' },
);
export type Learning = Static<typeof learning>;

export async function readLearning({
  store,
  registry,
  now,
}: Pick<OperationContext, 'store' | 'registry' | 'now'>): Promise<Learning | null> {
  if (registry.city.scales === 'fixed') return null;
  const step = learningStep(now, await firstMeasuredSlot(store), await firstReadingSlot(store, 0));
  if (!step) return null;
  const time = (at: number | null) => (at === null ? null : iso(at));
  return { step: step.step, since: time(step.since), until: time(step.until) };
}
