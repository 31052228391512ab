import Type from 'typebox';
import { readingAge } from '../../domain/report/reading-age.ts';
import { durationText } from '../../domain/text/duration.ts';
import { iso } from '../../domain/time/slot.ts';
import { newestSlot } from '../../store/observation/readings.ts';
import { count, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';

export const getNewestReading = defineOperation({
  name: 'get_newest_reading',
  title: 'How old the newest reading is',
  description:
    'Tells how old the newest reading of all pockets is. Use it to see whether figures that end now are up to date. Returns {as_of, newest_reading_at, reading_age_minutes, readings_late (older than a slot and a half)}.',
  input: {},
  output: Type.Object({
    as_of: timestamp,
    newest_reading_at: nullable(timestamp),
    reading_age_minutes: nullable(count),
    readings_late: Type.Boolean(),
  }),
  effect: 'read',
  // The age changes every minute.
  cache: false,
  tool: false,
  load: async (_input, { store, now }) => ({ now, newest: await newestSlot(store, now) }),
  shape: ({ now, newest }) => {
    const age = newest === null ? null : readingAge(newest, now);
    return {
      as_of: iso(now),
      newest_reading_at: newest === null ? null : iso(newest),
      reading_age_minutes: age?.minutes ?? null,
      readings_late: age?.late ?? false,
    };
  },
  speak: ({ reading_age_minutes }) =>
    reading_age_minutes === null
      ? 'nothing was observed yet.'
      : `the newest reading is ${durationText(reading_age_minutes)} old.`,
  rest: { path: '/api/newest-reading' },
});
