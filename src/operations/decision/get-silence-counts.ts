import Type from 'typebox';
import { totalOf, UNIT } from '../../domain/stats/rollup.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { dateOf, startOfDay } from '../../domain/time/sgt.ts';
import { daysOf, spanOf, windowOf } from '../../domain/time/window.ts';
import { sumsOf, sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { gateRollup, pocketRollup } from '../../store/rollup/tables.ts';
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
    const span = spanOf(windowOf(input.window, now));
    const days = daysOf(span, startOfDay);
    const daily = await sumsOfEach(store, pocketRollup, days, { by: [], sums: ['silences'] });
    return {
      pockets: await sumsOf(store, pocketRollup, span, {
        by: ['pocket_id'],
        sums: ['silences', 'attention_minutes'],
      }),
      gates: await sumsOf(store, gateRollup, span, { by: ['gate'], sums: ['silences'] }),
      days: days.map(({ from }, i) => ({ date: dateOf(from), count: daily[i]?.[0]?.silences ?? 0 })),
    };
  },
  shape: ({ pockets, gates, days }, input) => ({
    window: input.window,
    total_silenced: totalOf(gates, 'silences'),
    attention_minutes_preserved: minutesOf(totalOf(pockets, 'attention_minutes')),
    per_pocket: pockets
      .toSorted((a, b) => b.silences - a.silences || (a.pocket_id < b.pocket_id ? -1 : 1))
      .map(({ pocket_id, silences, attention_minutes }) => ({
        pocket_id,
        count: silences,
        attention_minutes_preserved: minutesOf(attention_minutes),
      })),
    per_reason: gates
      .toSorted((a, b) => b.silences - a.silences || (a.gate < b.gate ? -1 : 1))
      .map(({ gate, silences }) => ({ reason: gate, count: silences })),
    daily_counts: days,
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

const minutesOf = (sum: number): number => round(sum / UNIT, 1);
