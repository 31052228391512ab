import Type from 'typebox';
import { round } from '../../domain/stats/unit-scale.ts';
import { DAY, dateOf, startOfDay } from '../../domain/time/sgt.ts';
import { type Window, windowOf } from '../../domain/time/window.ts';
import { tallySilences } from '../../store/report/tallies.ts';
import { count, date } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { attentionMinutes, closedGate } from './decision-fields.ts';

const windows = ['7d', '14d', '30d'] as const;

export const getSilenceCounts = defineOperation({
  name: 'get_silence_counts',
  title: 'How often nothing was said',
  description:
    'Counts the silences of all pockets over a window. Use it to see how restrained the service is, where and why. Returns total_silenced, attention_minutes_preserved (by the silences judged right so far), per_pocket, per_reason (the gate that closed) and daily_counts by Singapore date; the window ends now, so its first day may be a part of one.',
  input: {
    window: Type.Enum([...windows], { default: '7d', description: 'how far back' }),
  },
  output: Type.Object({
    window: Type.Enum([...windows]),
    total_silenced: count,
    attention_minutes_preserved: attentionMinutes,
    per_pocket: Type.Array(
      Type.Object({ pocket_id: Type.String(), count, attention_minutes_preserved: attentionMinutes }),
    ),
    per_reason: Type.Array(Type.Object({ reason: closedGate, count })),
    daily_counts: Type.Array(Type.Object({ date, count })),
  }),
  effect: 'read',
  load: async (input, { store, now }) => {
    const window = windowOf(input.window, now);
    return { window, ...(await tallySilences(store, window)) };
  },
  shape: ({ window, pockets, gates, days }, input) => ({
    window: input.window,
    total_silenced: gates.reduce((sum, { silences }) => sum + silences, 0),
    attention_minutes_preserved: round(
      pockets.reduce((sum, { attention_minutes }) => sum + attention_minutes, 0),
      1,
    ),
    per_pocket: pockets
      .toSorted((a, b) => b.silences - a.silences || (a.pocket_id < b.pocket_id ? -1 : 1))
      .map(({ pocket_id, silences, attention_minutes }) => ({
        pocket_id,
        count: silences,
        attention_minutes_preserved: round(attention_minutes, 1),
      })),
    per_reason: gates
      .toSorted((a, b) => b.silences - a.silences)
      .map(({ gate, silences }) => ({ reason: gate, count: silences })),
    daily_counts: dailyCounts(window, days),
  }),
  speak: ({ window, total_silenced, attention_minutes_preserved, per_pocket, per_reason }) => {
    const [reason] = per_reason;
    const [pocket] = per_pocket;
    if (!reason || !pocket) return `nothing was silenced over the last ${window}: nothing was decided.`;
    return [
      `${total_silenced} silences over the last ${window},`,
      `preserving some ${attention_minutes_preserved} minutes of attention.`,
      `most closed at ${reason.reason} (${reason.count}); most were in ${pocket.pocket_id} (${pocket.count}).`,
    ].join(' ');
  },
  tool: false,
  rest: { path: '/api/silence' },
});

/** Every day that the window overlaps, including those on which nothing was decided. */
function dailyCounts({ after, until }: Window, counts: ReadonlyMap<string, number>) {
  const days = [];
  for (let day = startOfDay(after + 1); day <= until; day += DAY) {
    days.push({ date: dateOf(day), count: counts.get(dateOf(day)) ?? 0 });
  }
  return days;
}
