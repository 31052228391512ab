// Where to go and when: the one question behind the first page and the comparison of pockets.

import Type from 'typebox';
import { countText } from '../../domain/text/count-text.ts';
import { quote } from '../../domain/text/printable.ts';
import { defineOperation } from '../core/define.ts';
import { shortText, wholeNumber } from '../core/fields.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { localDate } from '../history/history-fields.ts';
import { loadVisit, PAGE_OF_POCKETS, shapeVisit, visitOrders } from './visit-answer.ts';
import { visitAnswer } from './visit-fields.ts';
import { adviceWords, clockFrom } from './visit-words.ts';

const input = {
  q: Type.String({ maxLength: 80, default: '', description: 'name of a place, as a person would write it' }),
  order: Type.Enum([...visitOrders], {
    default: 'calm',
    description:
      'calm: the most likely calm first, now or at the time asked for; with q, the best match comes first, with near the nearest; near without a place is by name, for a reader who knows where they are',
  }),
  near: Type.Optional(
    shortText(80, 'name of a station, street, landmark or pocket of {city}: the nearest pockets come first'),
  ),
  day: Type.Optional(localDate),
  hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'hour of the clock in {city}, of that day or the next time it comes',
    }),
  ),
  intent: Type.Optional(shortText(64, 'only pockets that suit this intent, at least in part')),
  pockets: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: PAGE_OF_POCKETS,
      description: 'only these pockets, in this order: pocket ids, separated by commas',
    }),
  ),
  offset: wholeNumber(0, 1_000_000, 0, 'pockets to skip'),
  limit: wholeNumber(1, PAGE_OF_POCKETS, PAGE_OF_POCKETS, 'maximum pockets to list'),
};

export const listCalmWindows = defineOperation({
  name: 'list_calm_windows',
  title: 'Where it is calm, now and when',
  description:
    'Answers "should I go there, and when?" for many pockets, now or at a day and hour within a week. Use it to list, search or compare places. Returns pockets [{pocket_id, name, primary_state, calm_level, usual_calm, against_usual, expected {at, basis, calm_probability}, window {starts_at, ends_at}, next_window, advice, open_kinds, intent_alignment, rain_mm, temperature_c, …}], total and suggestions. Up to three hours ahead figures come from sealed forecasts (basis forecast), beyond that from how often that hour of the week was calm (basis usual).',
  input,
  output: visitAnswer,
  // Those of the pockets that are listed are read in a few statements by index: not work for the queue.
  rows: ({ pockets }, registry) => (pockets ? 0 : rowsAndColumnsOfAll(0, registry)),
  load: (asked, context) => loadVisit(asked, context),
  shape: (data, { offset }, zone) => shapeVisit(data, offset, zone),
  speak: ({ captured_at, pockets, total }, { q }, zone) => {
    if (!pockets.length) return q ? `no pocket matches ${quote(q)}.` : 'no pocket matches.';
    const clock = clockFrom(captured_at, zone);
    const lines = pockets
      .slice(0, 5)
      .map((row) => `${row.pocket_id}: ${adviceWords(row, clock).toLowerCase()}`);
    return [`${countText(total, 'pocket matches', 'pockets match')}; the first of them:`, ...lines].join(
      '\n',
    );
  },
  rest: { path: '/api/windows', names: { hour: 'at' } },
});
