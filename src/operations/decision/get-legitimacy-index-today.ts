import Type from 'typebox';
import { nextIndexAt } from '../../domain/decision/legitimacy-index.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { legitimacyIndexBetween, legitimacyIndexOn } from '../../store/decision/legitimacy-index.ts';
import { count, date, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { listWithin } from '../core/text-list.ts';
import { indexReading, legitimacyBand, legitimacyScore } from './decision-fields.ts';

const readingTimes = { reading_date: date, next_reading_at: timestamp };

export const getLegitimacyIndexToday = defineOperation({
  name: 'get_legitimacy_index_today',
  title: 'Legitimacy index of today',
  description:
    'Tells how far speaking could be justified today, in one pocket or in each. Use it to plan a day. Not for one action (score_legitimacy) or this quarter hour (get_pocket_moment_quality). Returns {pocket_id, reading_date, score (0-100), band, reason}, or without pocket_id readings[] by score and count. Composed at 08:30 {zone}; until then score is null and next_reading_at says when.',
  toolsets: ['merchant', 'record'],
  input: { pocket_id: Type.Optional(pocketId) },
  output: Type.Union([
    Type.Object({
      pocket_id: Type.String(),
      ...readingTimes,
      score: nullable(legitimacyScore),
      band: nullable(legitimacyBand),
      reason: nullable(indexReading.properties.reason),
    }),
    Type.Object({ ...readingTimes, readings: Type.Array(indexReading), count }),
  ]),
  effect: 'read',
  seen: (answer, zone) => {
    if (!('readings' in answer ? answer.count : answer.band)) return null;
    const from = zone.atLocal(answer.reading_date, '00:00');
    return { from, to: zone.startOfDay(from, 1) };
  },
  load: async ({ pocket_id }, { store, now, zone }) => {
    const today = zone.dateOf(now);
    const readings =
      pocket_id === undefined
        ? await legitimacyIndexOn(store, today)
        : await legitimacyIndexBetween(store, pocket_id, today, today);
    return { readings, today, next: nextIndexAt(now, zone) };
  },
  shape: ({ readings, today, next }, { pocket_id }) => {
    const when = { reading_date: today, next_reading_at: iso(next) };
    if (pocket_id === undefined) return { ...when, readings, count: readings.length };
    const { score = null, band = null, reason = null } = readings[0] ?? {};
    return { pocket_id, ...when, score, band, reason };
  },
  speak: (answer, { pocket_id = '' }, zone) => {
    const next = Date.parse(answer.next_reading_at);
    const due = `the next is composed at ${zone.clockWithZone(next)} on ${zone.dateOf(next)}.`;
    if ('readings' in answer) {
      if (!answer.count) return `no index reading exists for ${answer.reading_date} yet; ${due}`;
      const list = answer.readings.map(
        (reading) => `${reading.pocket_id} ${reading.score} (${reading.band})`,
      );
      const listed = listWithin(list, '/api/legitimacy-index').join(', ');
      return `legitimacy index of ${answer.reading_date}, ${answer.count} pockets: ${listed}.`;
    }
    const { score, band, reason, reading_date } = answer;
    if (score === null) return `${printable(pocket_id)} has no index reading for ${reading_date}; ${due}`;
    return `${pocket_id} on ${reading_date}: ${score} of 100, ${band}. ${reason}`;
  },
});
