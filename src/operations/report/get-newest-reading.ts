import Type from 'typebox';
import { readingAge } from '../../domain/report/reading-age.ts';
import { durationText } from '../../domain/text/duration.ts';
import { iso } from '../../domain/time/slot.ts';
import { newestSlot } from '../../store/observation/readings.ts';
import { count, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';

/** What an answer tells of the newest reading. */
export const newestReadingFields = {
  as_of: timestamp,
  newest_reading_at: nullable(timestamp),
  reading_age_minutes: nullable(count),
  readings_late: Type.Boolean(),
};

export function describeNewestReading(newest: number | null, now: number) {
  const age = newest === null ? null : readingAge(newest, now);
  return {
    as_of: iso(now),
    newest_reading_at: newest === null ? null : iso(newest),
    reading_age_minutes: age?.minutes ?? null,
    readings_late: age?.late ?? false,
  };
}

export const readingAgeText = (minutes: number | null): string =>
  minutes === null ? 'nothing has been observed yet.' : `the newest reading is ${durationText(minutes)} old.`;

export const getNewestReading = defineOperation({
  name: 'get_newest_reading',
  title: 'How old the newest reading is',
  description:
    'Tells how old the newest reading of all pockets is. Use it to see whether figures that end now are up to date. Returns {as_of, newest_reading_at, reading_age_minutes, readings_late (older than a slot and a half)}.',
  input: {},
  output: Type.Object(newestReadingFields),
  // The age changes every minute.
  cache: false,
  load: async (_input, { store, now }) => ({ now, newest: await newestSlot(store, now) }),
  shape: ({ now, newest }) => describeNewestReading(newest, now),
  speak: ({ reading_age_minutes }) => readingAgeText(reading_age_minutes),
  rest: { path: '/api/newest-reading' },
});
