import Type from 'typebox';
import { round } from '../domain/scale.ts';
import { DAY, dateOf, startOfDay } from '../domain/sgt.ts';
import { summed } from '../domain/tally.ts';
import { type Window, windowOf } from '../domain/window.ts';
import { type SilenceTally, tallySilences, tallyVerdicts, type VerdictTally } from '../store/tallies.ts';
import { defineOperation } from './define.ts';

export const getSilenceCounts = defineOperation({
  name: 'get_silence_counts',
  title: 'How often nothing was said',
  description:
    'Counts the silences of all pockets over a window. Use it to see how restrained the service is, where and why. Returns total_silenced, attention_minutes_preserved (by the silences judged right so far), per_pocket, per_reason (the gate that closed) and daily_counts by Singapore date; the window ends now, so its first day may be a part of one.',
  input: {
    window: Type.Enum(['7d', '14d', '30d'], { default: '7d', description: 'how far back' }),
  },
  effect: 'read',
  load: async (input, { store, now }) => {
    const window = windowOf(input.window, now);
    return {
      window,
      silences: await tallySilences(store, window),
      verdicts: await tallyVerdicts(store, window),
    };
  },
  shape: ({ window, silences, verdicts }, input) => {
    const countOf = ({ count }: SilenceTally) => count;
    const minutesOf = ({ minutes }: VerdictTally) => minutes;
    const minutes = new Map(summed(verdicts, ({ pocket_id }) => pocket_id, minutesOf));
    return {
      window: input.window,
      total_silenced: silences.reduce((sum, { count }) => sum + count, 0),
      attention_minutes_preserved: round(
        verdicts.reduce((sum, row) => sum + row.minutes, 0),
        1,
      ),
      per_pocket: summed(silences, ({ pocket_id }) => pocket_id, countOf).map(([pocket_id, count]) => ({
        pocket_id,
        count,
        attention_minutes_preserved: round(minutes.get(pocket_id) ?? 0, 1),
      })),
      per_reason: summed(silences, ({ gate }) => gate, countOf).map(([reason, count]) => ({ reason, count })),
      daily_counts: dailyCounts(window, silences),
    };
  },
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

/** Every day that the window touches, also those on which nothing was decided. */
function dailyCounts({ after, until }: Window, silences: readonly SilenceTally[]) {
  const counts = new Map(
    summed(
      silences,
      ({ day }) => dateOf(day * DAY),
      ({ count }) => count,
    ),
  );
  const days = [];
  for (let day = startOfDay(after + 1); day <= until; day += DAY) {
    days.push({ date: dateOf(day), count: counts.get(dateOf(day)) ?? 0 });
  }
  return days;
}
