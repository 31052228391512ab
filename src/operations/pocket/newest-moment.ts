import Type, { type Static } from 'typebox';
import { iso } from '../../domain/time/slot.ts';
import { newestMomentSlot } from '../../store/decision/moments.ts';
import type { timestamp } from '../core/answer-fields.ts';
import type { Question } from '../core/define.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';

type Newest = { captured_at: Static<typeof timestamp> | null };

/** When the network was read last, for what lists every pocket without its figures. */
export const getNewestMoment: Question<Record<string, unknown>, Newest> = {
  name: 'newest_moment',
  input: Type.Object({}, { additionalProperties: false }),
  rows: rowsOfAll,
  answer: async (_input, { store, now }) => {
    const slot = await newestMomentSlot(store, now);
    return { structured: { captured_at: slot === null ? null : iso(slot) }, text: '' };
  },
};
