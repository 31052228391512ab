import Type, { type Static } from 'typebox';
import { nextIndexAt } from '../../domain/decision/legitimacy-index.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import {
  latestIndexBefore,
  legitimacyIndexBetween,
  legitimacyIndexOn,
} from '../../store/decision/legitimacy-index.ts';
import { count, date, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import { listWithin } from '../core/text-list.ts';
import { indexReading, legitimacyBand, legitimacyScore } from './decision-fields.ts';

const LATEST = 'the newest index of an earlier day, with its date; only while today has none';

const readingTimes = { reading_date: date, next_reading_at: timestamp };

export const getLegitimacyIndexToday = defineOperation({
  name: 'get_legitimacy_index_today',
  title: 'Legitimacy index of today',
  description:
    'Tells how far speaking could be justified today, in one pocket or in each. Use it to plan a day. Not for one action (score_legitimacy) or this quarter hour (get_pocket_moment_quality). Returns {pocket_id, reading_date, score (0-100), band, reason}, or without pocket_id readings[] by score and count. Composed at 08:30 {zone}; until then score is null, latest the newest before.',
  toolsets: ['merchant', 'record'],
  input: { pocket_id: Type.Optional(pocketId) },
  output: Type.Union([
    Type.Object({
      pocket_id: Type.String(),
      ...readingTimes,
      score: nullable(legitimacyScore),
      band: nullable(legitimacyBand),
      reason: nullable(indexReading.properties.reason),
      latest: Type.Union([indexReading, Type.Null()], { description: LATEST }),
    }),
    Type.Object({
      ...readingTimes,
      readings: Type.Array(indexReading),
      count,
      latest: Type.Array(indexReading, { description: LATEST }),
    }),
  ]),
  seen: (answer, zone) => {
    if (!('readings' in answer ? answer.count : answer.band)) return null;
    const from = zone.atLocal(answer.reading_date, '00:00');
    return { from, to: zone.startOfDay(from, 1) };
  },
  rows: (asked, registry) => (asked.pocket_id === undefined ? rowsOfAll(asked, registry) : 0),
  load: async ({ pocket_id }, { store, now, zone }) => {
    const today = zone.localDate(now);
    const readings =
      pocket_id === undefined
        ? await legitimacyIndexOn(store, today)
        : await legitimacyIndexBetween(store, pocket_id, today, today);
    const latest = readings.length ? [] : await latestIndexBefore(store, today, pocket_id);
    return { readings, latest, today, next: nextIndexAt(now, zone) };
  },
  shape: ({ readings, latest, today, next }, { pocket_id }) => {
    const when = { reading_date: today, next_reading_at: iso(next) };
    if (pocket_id === undefined) return { ...when, readings, count: readings.length, latest };
    const { score = null, band = null, reason = null } = readings[0] ?? {};
    return { pocket_id, ...when, score, band, reason, latest: latest[0] ?? null };
  },
  speak: (answer, { pocket_id = '' }, zone) => {
    const next = Date.parse(answer.next_reading_at);
    const due = `the next is composed at ${zone.clockWithZone(next)} on ${zone.localDate(next)}.`;
    if ('readings' in answer) {
      if (answer.count) return networkText(answer.readings);
      const before = answer.latest.length ? ` the newest: ${networkText(answer.latest)}` : '';
      return `no index reading exists for ${answer.reading_date} yet; ${due}${before}`;
    }
    const { score, band, reason, reading_date, latest } = answer;
    if (score === null) {
      const before = latest
        ? ` on ${latest.reading_date} it was ${latest.score} of 100, ${latest.band}.`
        : '';
      return `${printable(pocket_id)} has no index reading for ${reading_date}; ${due}${before}`;
    }
    return `${pocket_id} on ${reading_date}: ${score} of 100, ${band}. ${reason}`;
  },
});

function networkText(readings: readonly Static<typeof indexReading>[]): string {
  const list = readings.map((reading) => `${reading.pocket_id} ${reading.score} (${reading.band})`);
  const listed = listWithin(list, '/api/legitimacy-index').join(', ');
  return `legitimacy index of ${readings[0]?.reading_date}, ${countText(readings.length, 'pocket')}: ${listed}.`;
}
