import Type from 'typebox';
import { gateClosedBy, reasonText } from '../../domain/decision/silence-reason.ts';
import { roundedShare, type Sums, sumRows, totalsOfRows, UNIT, zeroSums } from '../../domain/stats/rollup.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { wakingSums, wakingTime, wakingTimeText } from '../../domain/stats/waking-time.ts';
import { countText } from '../../domain/text/count-text.ts';
import { totalDuration } from '../../domain/text/duration.ts';
import { percentText } from '../../domain/text/figures.ts';
import { namedWindow, slotSpan, splitDays } from '../../domain/time/window.ts';
import { cellSums, cellsText, decisionCells } from '../../domain/verdict/decision-cells.ts';
import { readSums, sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { pocketRollup, reasonRollup } from '../../store/rollup/tables.ts';
import { count, date, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import {
  attentionMinutes,
  closedGate,
  decisionsJudged,
  pauseCounts,
  reasonFields,
  wakingTimeField,
} from './decision-fields.ts';

const windows = ['7d', '14d', '30d'] as const;
const daySums = [...wakingSums, 'quiet_hours', ...cellSums] as const;

export const getSilenceCounts = defineOperation({
  name: 'get_silence_counts',
  title: 'How often nothing was said',
  description:
    'Counts the silences of all pockets over a window. Use it to see how restrained the service is, where and why. A silence is a decision in waking hours (07:00 to 23:00) while no line of the service is live there; already_speaking_count and quiet_hours_count count the other quarter hours. Returns total_silenced, silence_rate (silences among the decisions in waking hours), the two counts, attention_minutes_preserved (an estimate, by the silences judged right so far), per_pocket, per_reason {reason, reason_text, gate, count}, daily_counts by {city} date and waking_time {minutes_said, minutes_silent, share_said}, in all and for each pocket and day: restraint in time, where a line counts for as long as it was live, and decisions_judged {spoke_served, spoke_failed, silent_right, silent_wrong, inconclusive} for the same; the window ends now, so its first day may be a part of one.',
  input: {
    window: Type.Enum([...windows], { default: '7d', description: 'how far back' }),
  },
  output: Type.Object({
    window: Type.Enum([...windows]),
    total_silenced: count,
    silence_rate: Type.Union([unit, Type.Null()], {
      description: 'silences ÷ (silences + lines said), in waking hours',
    }),
    ...pauseCounts,
    attention_minutes_preserved: attentionMinutes,
    per_pocket: Type.Array(
      Type.Object({
        pocket_id: Type.String(),
        count,
        ...pauseCounts,
        attention_minutes_preserved: attentionMinutes,
        waking_time: wakingTimeField,
        decisions_judged: decisionsJudged,
      }),
    ),
    per_reason: Type.Array(Type.Object({ ...reasonFields, gate: closedGate, count })),
    daily_counts: Type.Array(
      Type.Object({
        date,
        count,
        ...pauseCounts,
        waking_time: wakingTimeField,
        decisions_judged: decisionsJudged,
      }),
    ),
    waking_time: wakingTimeField,
    decisions_judged: decisionsJudged,
  }),
  rows: (asked, registry) => 30 + rowsOfAll(asked, registry),
  load: async (input, { store, now, zone }) => {
    const span = slotSpan(namedWindow(input.window, now));
    const days = splitDays(span, zone.startOfDay);
    const daily = await sumsOfEach(store, pocketRollup, days, { by: [], sums: daySums });
    return {
      pockets: await readSums(store, pocketRollup, span, {
        by: ['pocket_id'],
        sums: [...daySums, 'attention_minutes'],
      }),
      reasons: await readSums(store, reasonRollup, span, { by: ['reason'], sums: ['silences'] }),
      days: days.map(({ from }, i) => {
        const sums = daily[i]?.[0] ?? zeroSums(daySums);
        return {
          date: zone.localDate(from),
          count: sums.silences,
          ...pauseFields(sums),
          waking_time: wakingTime(sums),
          decisions_judged: decisionCells(sums),
        };
      }),
    };
  },
  shape: ({ pockets, reasons, days }, input) => ({
    window: input.window,
    total_silenced: sumRows(pockets, 'silences'),
    silence_rate: roundedShare(
      sumRows(pockets, 'silences'),
      sumRows(pockets, 'silences') + sumRows(pockets, 'emissions'),
    ),
    already_speaking_count: sumRows(pockets, 'already_speaking'),
    quiet_hours_count: sumRows(pockets, 'quiet_hours'),
    attention_minutes_preserved: roundedMinutes(sumRows(pockets, 'attention_minutes')),
    per_pocket: pockets
      .toSorted((a, b) => b.silences - a.silences || (a.pocket_id < b.pocket_id ? -1 : 1))
      .map((sums) => ({
        pocket_id: sums.pocket_id,
        count: sums.silences,
        ...pauseFields(sums),
        attention_minutes_preserved: roundedMinutes(sums.attention_minutes),
        waking_time: wakingTime(sums),
        decisions_judged: decisionCells(sums),
      })),
    per_reason: reasons
      .toSorted((a, b) => b.silences - a.silences || (a.reason < b.reason ? -1 : 1))
      .map(({ reason, silences }) => ({
        reason,
        reason_text: reasonText[reason],
        gate: gateClosedBy(reason),
        count: silences,
      })),
    daily_counts: days,
    waking_time: wakingTime({
      emissions: sumRows(pockets, 'emissions'),
      already_speaking: sumRows(pockets, 'already_speaking'),
      silences: sumRows(pockets, 'silences'),
    }),
    decisions_judged: decisionCells(totalsOfRows(pockets, cellSums)),
  }),
  speak: (counts) => {
    const { window, total_silenced, silence_rate, attention_minutes_preserved, per_pocket } = counts;
    const time = `over the last ${window}, ${wakingTimeText(counts.waking_time)}.`;
    const [reason] = counts.per_reason;
    const [pocket] = per_pocket;
    const rate =
      silence_rate === null ? '' : `, ${percentText(silence_rate)} of the decisions in waking hours`;
    const apart = `counted apart: ${countText(counts.already_speaking_count, 'quarter hour')} with a line still live, ${counts.quiet_hours_count} at night.`;
    const judged = `${cellsText(counts.decisions_judged)}.`;
    if (!reason || !pocket) return `${time} no silence. ${judged} ${apart}`;
    return [
      time,
      `${countText(total_silenced, 'silence')}${rate};`,
      `an estimated ${totalDuration(attention_minutes_preserved)} of attention were preserved.`,
      `the commonest reason: ${reason.reason_text} (${reason.count}); most were in ${pocket.pocket_id} (${pocket.count}).`,
      judged,
      apart,
    ].join(' ');
  },
  rest: { path: '/api/silence' },
});

const pauseFields = ({ already_speaking, quiet_hours }: Sums<'already_speaking' | 'quiet_hours'>) => ({
  already_speaking_count: already_speaking,
  quiet_hours_count: quiet_hours,
});

const roundedMinutes = (sum: number): number => round(sum / UNIT, 1);
