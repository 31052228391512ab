// For assistants: where to go for a purpose on a day, and when, from the same figures as the first page and /api/windows.

import Type, { type Static } from 'typebox';
import { normalise } from '../../domain/city/lookup.ts';
import { SUITS } from '../../domain/intent/intent-fit.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable, quote } from '../../domain/text/printable.ts';
import { DAY_FORMS, namedDay } from '../../domain/time/named-time.ts';
import { expectedWindows } from '../../domain/window/pocket-outlook.ts';
import { countField, date, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext, Refused } from '../core/define.ts';
import { shortText, wholeNumber } from '../core/fields.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { restAddress } from '../core/text-list.ts';
import { intentList } from './choose-pockets.ts';
import { pocketOutlook, windowRecords } from './load-outlooks.ts';
import { loadVisit, PAGE_OF_POCKETS, shapeVisit, type VisitData } from './visit-answer.ts';
import { expectedWindow, visitAnswer, visitRow } from './visit-fields.ts';
import { servedWindow } from './visit-rows.ts';
import {
  adviceWords,
  againstUsualWords,
  type Clock,
  clockFrom,
  dayText,
  distanceWords,
  openWords,
  timeWords,
} from './visit-words.ts';

const MOST_PLACES = 10;

const place = Type.Object({
  ...Type.Pick(visitRow, [
    ...([
      'pocket_id',
      'name',
      'region',
      'distance_m',
      'advice',
      'expected',
      'window',
      'next_window',
    ] as const),
    ...(['primary_state', 'against_usual', 'silent_because'] as const),
    ...(['open_kinds', 'open_count', 'intent_alignment'] as const),
  ]).properties,
  windows: Type.Array(expectedWindow, { description: 'the calm windows that begin on the day asked for' }),
});

export const planVisit = defineOperation({
  name: 'plan_visit',
  title: 'Plan a visit: where, and when',
  description:
    'Says where to go and when: now, at an hour, or on a day within a week, for a purpose, near a place. Use it for "a calm place to work this afternoon near the station". Not for the past (explain_time) or one outlet (find_outlet). Returns at, place and pockets [{pocket_id, name, advice, expected, window, next_window, windows, open_kinds, distance_m}].',
  toolsets: ['visitor'],
  tool: 'on_request',
  input: {
    place: Type.Optional(
      shortText(80, 'a pocket, station, street or landmark by name; all pockets when omitted'),
    ),
    day: Type.Optional(shortText(20, `${DAY_FORMS}; within a week; {city} time`)),
    hour: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 23, description: 'hour of the clock in {city}, such as 15' }),
    ),
    purpose: Type.Optional(shortText(64, 'an intent, by slug or words: work, brunch, rain')),
    near: Type.Optional(
      shortText(80, 'a listed station, street, landmark or pocket: the nearest pockets first'),
    ),
    limit: wholeNumber(1, MOST_PLACES, 5, 'maximum pockets to list'),
  },
  output: Type.Object({
    at: Type.Union([timestamp, Type.Null()], { description: 'the time that is answered for; null for now' }),
    captured_at: visitAnswer.properties.captured_at,
    day: Type.Union([date, Type.Null()], {
      description: 'the day whose windows are told; null for one time',
    }),
    night: visitAnswer.properties.night,
    purpose: nullable(Type.String({ description: 'slug of the intent that was meant' })),
    place: visitAnswer.properties.place,
    total: countField('pockets that match'),
    pockets: Type.Array(place),
    suggestions: visitAnswer.properties.suggestions,
    more: Type.String({ format: 'uri', description: 'the same question with every pocket' }),
  }),
  // Those of the pockets that are listed are read in a few statements by index: not work for the queue.
  rows: (_asked, registry) => rowsAndColumnsOfAll(0, registry),
  load: async ({ place: q = '', day, hour, purpose, near }, context) => {
    const { registry, now, zone, baseUrl } = context;
    const asked = {
      ...{ q, order: 'calm' as const, offset: 0, limit: PAGE_OF_POCKETS },
      ...(near !== undefined && { near }),
      ...(day !== undefined && { day: dayMeant(day, context) }),
      ...(hour !== undefined && { hour }),
      ...(purpose !== undefined && { intent: intentMeant(purpose, registry.intents) }),
    };
    const data = await loadVisit(asked, context, 'week');
    const { q: query, day: date, intent, ...rest } = asked;
    const more = restAddress('/api/windows', {
      ...{ q: query || undefined, near: rest.near, day: date, at: rest.hour, intent },
    });
    // Today without an hour is now.
    const wholeDay = hour === undefined && data.at !== null ? zone.localDate(data.at) : null;
    return { data, now, wholeDay, intent: intent ?? null, more: `${baseUrl}${more}` };
  },
  shape: ({ data, wholeDay, intent, more }, { limit }, zone) => {
    const { captured_at, at, night, place, total, pockets, suggestions } = shapeVisit(data, 0, zone);
    const day = wholeDay ?? zone.localDate(data.at ?? data.now);
    const rows = pockets.map((row) => plannedPlace(row, data, day));
    // Of a whole day, the pockets with the most calm time; those near a place stay in their order.
    if (wholeDay !== null && !data.place) rows.sort((a, b) => calmTime(b) - calmTime(a));
    return {
      ...{ at, captured_at, day: wholeDay, night: night && wholeDay === null, purpose: intent, place, total },
      ...{ pockets: rows.slice(0, limit), suggestions, more },
    };
  },
  speak: (
    { captured_at, at, day, night, purpose, place, total, pockets, suggestions, more },
    given,
    zone,
  ) => {
    const named = given.place;
    if (!pockets.length && named !== undefined && purpose === null)
      return `no pocket or listed place is called ${quote(named)}; ${suggestions.length ? `similar: ${suggestions.join(', ').toLowerCase()}` : 'list_pockets names the pockets'}.`;
    const tell = day === null ? timeWords : dayText;
    const when = at === null ? 'now' : tell(at, captured_at, zone);
    const what = [
      ...(purpose === null ? [] : [`for ${quote(purpose)}`]),
      ...(place ? [`near ${place.name} (${place.kind})`] : []),
    ];
    const head = [when, ...what].join(' ').toLowerCase();
    if (!pockets.length) return `${head}: no pocket suits it then. another hour or purpose may: ${more}`;
    const clock = clockFrom(captured_at, zone);
    const lines = pockets.map((one) => placeLine(one, at === null, day, clock).toLowerCase());
    const unwatched =
      place && named !== undefined && place.kind !== 'pocket'
        ? [`${place.name} itself is not watched; the nearest pockets follow.`.toLowerCase()]
        : [];
    return [
      ...unwatched,
      `${head}${night ? ': it is night then and most is closed' : ''}; ${total === pockets.length ? '' : `the first ${pockets.length} of `}${countText(total, 'pocket')}:`,
      ...lines,
      `up to three hours ahead a chance comes from sealed forecasts, later from how often that hour of the week was calm. times are ${quote(zone.generalName)}. all of them: ${more}`,
    ].join('\n');
  },
});

type Row = ReturnType<typeof shapeVisit>['pockets'][number];

function plannedPlace(row: Row, { data: { outlooks } }: VisitData, day: string): Static<typeof place> {
  const { now, calendar } = outlooks;
  const outlook = pocketOutlook(outlooks, row.pocket_id);
  const windows = [...expectedWindows(outlook, now, windowRecords(outlooks, row.pocket_id), calendar)].filter(
    ({ starts_at }) => calendar.zone.localDate(starts_at) === day,
  );
  const { pocket_id, name, region, distance_m, advice, expected, window, next_window } = row;
  const { primary_state, against_usual, silent_because, open_kinds, open_count, intent_alignment } = row;
  return {
    ...{ pocket_id, name, region, distance_m, advice, expected, window, next_window },
    ...{ primary_state, against_usual, silent_because, open_kinds, open_count, intent_alignment },
    windows: windows.map((one) => servedWindow(outlook, one)),
  };
}

const calmTime = ({ windows }: Static<typeof place>): number =>
  windows.reduce((sum, { starts_at, ends_at }) => sum + Date.parse(ends_at) - Date.parse(starts_at), 0);

function placeLine(one: Static<typeof place>, isNow: boolean, day: string | null, clock: Clock): string {
  const far = one.distance_m === null ? '' : `, ${distanceWords(one.distance_m)}`;
  const open = day === null ? openWords(one) : null;
  const fit = one.intent_alignment;
  const present = isNow && one.primary_state !== null ? [one.primary_state.replace('-', ' and ')] : [];
  const usual = isNow && one.against_usual !== null ? [againstUsualWords[one.against_usual]] : [];
  const said = day === null ? adviceWords(one, clock) : windowsWords(one.windows, clock);
  return [
    `${one.name} (${one.pocket_id})${far}: ${said}`,
    ...[...present, ...usual],
    ...(open === null ? [] : [open]),
    ...(fit === null ? [] : [`suits it${fit >= SUITS ? '' : ' in part'}`]),
  ].join('; ');
}

/** The windows of one day: 'likely calm 15:00 to 16:30; usually calm 19:00 to 21:00, 22:00 to 23:00'. */
function windowsWords(windows: Static<typeof place>['windows'], clock: Clock): string {
  if (!windows.length) return 'no calm window on that day';
  return [...Map.groupBy(windows, ({ basis }) => basis)]
    .map(([basis, ones]) => {
      const times = ones.map(
        ({ starts_at, ends_at, at_least }) =>
          `${clock(starts_at, starts_at)} to ${at_least ? 'at least ' : ''}${clock(ends_at, starts_at)}`,
      );
      return `${basis === 'usual' ? 'usually' : 'likely'} calm ${times.join(', ')}`;
    })
    .join('; ');
}

function dayMeant(text: string, { now, zone }: OperationContext): string {
  const day = namedDay(text, now, zone, 'future');
  if (day === null) throw new Refused(`day must be ${DAY_FORMS}`);
  return day;
}

/** The slug of the intent that the words name: its own slug or title, or the one that shares most words with them. */
function intentMeant(words: string, intents: OperationContext['registry']['intents']): string {
  const asked = normalise(words).split(' ').filter(Boolean);
  const scored = intents.map(({ slug, title, public_page }) => {
    const own = normalise(`${slug.replaceAll('-', ' ')} ${title}`).split(' ');
    const shared = asked.filter((word) =>
      own.some((one) => one.startsWith(word) || (word.startsWith(one) && one.length > 3)),
    );
    return {
      slug,
      isExact: slug === words || normalise(title) === normalise(words),
      shared: shared.length,
      public_page,
    };
  });
  const [best] = scored
    .filter(({ isExact, shared }) => isExact || shared)
    .sort(
      (a, b) =>
        Number(b.isExact) - Number(a.isExact) ||
        b.shared - a.shared ||
        Number(b.public_page) - Number(a.public_page),
    );
  if (!best) throw new Refused(`unknown purpose: ${printable(words)}; ${intentList(intents)}`);
  return best.slug;
}
