// The daily legitimacy index over REST, also of past days; the tool for today is get_legitimacy_index_today.
import Type from 'typebox';
import { nextIndexAt } from '../../domain/decision/legitimacy-index.ts';
import { iso } from '../../domain/time/slot.ts';
import { legitimacyIndexBetween, legitimacyIndexOn } from '../../store/decision/legitimacy-index.ts';
import { count, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { indexReading } from './decision-fields.ts';

export const getLegitimacyIndex = defineOperation({
  name: 'get_legitimacy_index',
  title: 'Daily legitimacy index',
  description:
    'Lists readings of the daily legitimacy index. Use it to compare pockets on a day, or one pocket over days. Returns readings [{pocket_id, reading_date, score (0-100), band, reason}] and count: of all pockets today, highest score first; with pocket of that pocket today; with pocket and days of its last days, newest first, today included. days without a pocket changes nothing. Composed each morning at 08:30 {zone}; a day without a reading stays a gap, and next_reading_at says when the next is due.',
  input: {
    pocket_id: Type.Optional(pocketId),
    days: Type.Integer({
      minimum: 1,
      maximum: 90,
      default: 1,
      description: 'days to look back, today included; only with a pocket',
    }),
  },
  output: Type.Object({ readings: Type.Array(indexReading), count, next_reading_at: timestamp }),
  effect: 'read',
  list: 'readings',
  tool: false,
  load: async ({ pocket_id, days }, { store, now, zone }) => {
    const today = zone.dateOf(now);
    const readings =
      pocket_id === undefined
        ? await legitimacyIndexOn(store, today)
        : await legitimacyIndexBetween(store, pocket_id, zone.dateOf(zone.startOfDay(now, 1 - days)), today);
    return { readings, next: nextIndexAt(now, zone) };
  },
  shape: ({ readings, next }) => ({ readings, count: readings.length, next_reading_at: iso(next) }),
  speak: ({ count, next_reading_at }) =>
    `${count} readings of the index; the next is due at ${next_reading_at}.`,
  rest: { path: '/api/legitimacy-index', names: { pocket_id: 'pocket' } },
});
