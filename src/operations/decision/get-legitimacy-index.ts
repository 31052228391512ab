// The daily legitimacy index over REST, also of past days; the tool for today is get_legitimacy_index_today.

import Type from 'typebox';
import { nextIndexAt } from '../../domain/decision/legitimacy-index.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import { legitimacyIndexBetween, legitimacyIndexOfDays } from '../../store/decision/legitimacy-index.ts';
import { count, timestamp } from '../core/answer-fields.ts';
import { defineOperation, Refused } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import { indexReading } from './decision-fields.ts';

/** An answer is held in memory whole. */
const MOST_ROWS = 20_000;

export const getLegitimacyIndex = defineOperation({
  name: 'get_legitimacy_index',
  title: 'Daily legitimacy index',
  description:
    'Lists readings of the daily legitimacy index. Use it to compare pockets on a day, or one pocket over days. Returns readings [{pocket_id, reading_date, score (0-100), band, reason}] and count: of all pockets today, highest score first; with pocket of that pocket today; with days of the last days, newest first, today included. Composed each morning at 08:30 {zone}; a day without a reading stays a gap, and next_reading_at says when the next is due.',
  input: {
    pocket_id: Type.Optional(pocketId),
    days: wholeNumber(1, 90, 1, 'days to look back, today included'),
  },
  output: Type.Object({ readings: Type.Array(indexReading), count, next_reading_at: timestamp }),
  list: 'readings',
  rows: ({ pocket_id, days }, registry) =>
    pocket_id === undefined ? days * Math.max(days > 1 ? 100 : 1, rowsOfAll({}, registry)) : days,
  load: async ({ pocket_id, days }, { store, registry, now, zone }) => {
    const today = zone.localDate(now);
    const first = zone.localDate(zone.startOfDay(now, 1 - days));
    const most = Math.max(1, Math.floor(MOST_ROWS / Math.max(1, registry.pockets.length)));
    if (pocket_id === undefined && days > most)
      throw new Refused(`days must be 1-${most} for all ${registry.pockets.length} pockets: name a pocket`);
    const readings =
      pocket_id === undefined
        ? await legitimacyIndexOfDays(store, first, today)
        : await legitimacyIndexBetween(store, pocket_id, first, today);
    return { readings, next: nextIndexAt(now, zone) };
  },
  shape: ({ readings, next }) => ({ readings, count: readings.length, next_reading_at: iso(next) }),
  speak: ({ count, next_reading_at }) =>
    `${countText(count, 'reading')} of the index; the next is due at ${next_reading_at}.`,
  rest: { path: '/api/legitimacy-index', names: { pocket_id: 'pocket' } },
});
