// For assistants: how the waking hours of one day differ from those of another, for every pocket and all of them together.

import Type, { type Static } from 'typebox';
import { calmBand } from '../../domain/atmosphere/calm-band.ts';
import { compareWithUsual } from '../../domain/atmosphere/usual-calm.ts';
import { findPockets } from '../../domain/city/lists/find-entries.ts';
import { meanFromSum } from '../../domain/stats/rollup.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { percentText } from '../../domain/text/figures.ts';
import { quote } from '../../domain/text/printable.ts';
import { DAY_FORMS, namedDay } from '../../domain/time/named-time.ts';
import { DAY, iso, slotStart } from '../../domain/time/slot.ts';
import { WAKING } from '../../domain/time/waking-hours.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { narrationEvents } from '../../store/report/stream.ts';
import { sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { pocketRollup } from '../../store/rollup/tables.ts';
import { countField, nullable, timeField, unit } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext, Refused } from '../core/define.ts';
import { pocketId, shortText } from '../core/fields.ts';
import { firstWithin, restAddress } from '../core/text-list.ts';

/** As long as the lines of a day or two in a city of twenty pockets. */
const MOST_LINES = 30;
/** Bytes of them in the text. */
const LINES_ROOM = 2048;

const sums = ['readings', 'calm', 'emissions', 'silences', 'due', 'due_score'] as const;
type DaySums = Record<(typeof sums)[number], number>;

const dayFigures = Type.Object({
  readings: countField('readings of those hours'),
  calm_level: Type.Union([unit, Type.Null()], {
    description: 'mean of its readings; null where nothing was read',
  }),
  lines_said: countField('lines that were said in those hours'),
  silences: countField('decisions to stay silent in those hours'),
  forecast_accuracy: Type.Union([unit, Type.Null()], {
    description: 'mean score of the forecasts for that time; null where none was scored',
  }),
});

const figures = {
  before: dayFigures,
  after: dayFigures,
  calm_change: Type.Union([Type.Number({ minimum: -1, maximum: 1 }), Type.Null()], {
    description: 'calm level after − before; null where one of them is not known',
  }),
  change: nullable(
    Type.Enum(['calmer', 'about_the_same', 'less_calm'], { description: 'about_the_same within 0.05' }),
  ),
};

const saidLine = Type.Object({
  at: timeField('when it was said'),
  pocket_id: Type.String(),
  line: Type.String({ description: 'the line that was said' }),
});

const changedPocket = Type.Object({ pocket_id: Type.String(), name: Type.String(), ...figures });

const answer = Type.Object({
  from_day: Type.String({ format: 'date', description: 'the first day of the comparison' }),
  to_day: Type.String({ format: 'date', description: 'the second day' }),
  hours: Type.Object(
    { from: Type.String({ description: 'clock time' }), to: Type.String({ description: 'clock time' }) },
    { description: 'the waking hours that are compared, on both days' },
  ),
  network: Type.Object(figures, { description: 'all pockets together' }),
  pockets: Type.Array(changedPocket),
  line_count: countField('lines that were said on the two days, at any hour'),
  lines: Type.Array(saidLine, { description: `those lines, newest first, ${MOST_LINES} at most` }),
  more: Type.String({ format: 'uri', description: 'where every line is listed' }),
});

type Answer = Static<typeof answer>;

export const whatChanged = defineOperation({
  name: 'what_changed',
  title: 'What changed between two days',
  description:
    'Compares the waking hours of two days, by default yesterday and today so far, and lists what was said on both. Use it for "what changed since yesterday?" or "what was said in the last day?". Not for a week (get_weekly_report) or one time (explain_time). Returns from_day, to_day, hours, network, pockets [{pocket_id, before, after, calm_change, change}], line_count, lines.',
  toolsets: ['visitor', 'record'],
  tool: 'on_request',
  input: {
    from_day: Type.Optional(shortText(20, `${DAY_FORMS}; the day before to_day when omitted`)),
    to_day: Type.Optional(shortText(20, 'the same forms; today when omitted')),
    pocket_id: Type.Optional(pocketId),
  },
  output: answer,
  // Totals by the hour, not readings.
  rows: () => 64,
  seen: ({ from_day, to_day }, zone) => {
    const [first, last] = [from_day, to_day].sort().map((day) => zone.atLocal(day, '12:00'));
    return { from: first ?? 0, to: last ?? 0 };
  },
  load: async ({ from_day, to_day, pocket_id }, context) => {
    const { store, registry, now, zone } = context;
    const to = dayMeant('to_day', to_day ?? 'today', context);
    const from = from_day === undefined ? dayBefore(to, context) : dayMeant('from_day', from_day, context);
    if (from === to) throw new Refused('from_day and to_day must be two days');
    const today = zone.localDate(now);
    // A day that is not over is compared with as much of the other.
    const until =
      from === today || to === today ? Math.min(zone.hourOfDay(slotStart(now)), WAKING.to) : WAKING.to;
    const spanOn = (day: string): Span => {
      const noon = zone.atLocal(day, '12:00');
      return { from: zone.atHour(noon, WAKING.from), to: zone.atHour(noon, Math.max(until, WAKING.from)) };
    };
    const spans = [spanOn(from), spanOn(to)];
    const days = await sumsOfEach(store, pocketRollup, spans, {
      by: ['pocket_id'],
      sums,
      only: { pocket_id },
    });
    const [before = [], after = []] = days.map((rows) => rows.filter((row) => row.pocket_id !== ''));
    const pockets = pocket_id === undefined ? registry.pockets : findPockets(registry, [pocket_id]);
    const said = await linesOn([from, to], pocket_id, context);
    return { from, to, spans, before, after, pockets, said };
  },
  shape: ({ from, to, spans, before, after, pockets, said }, _given, zone) => {
    const byId = (rows: typeof before) => new Map(rows.map((row) => [row.pocket_id, row]));
    const [first, second] = [byId(before), byId(after)];
    const [span] = spans;
    return {
      ...{ from_day: from, to_day: to },
      hours: { from: zone.localClock(span?.from ?? 0), to: zone.localClock(span?.to ?? 0) },
      network: compareDays(total(before), total(after)),
      pockets: pockets
        .map(({ id, name }) => ({ pocket_id: id, name, ...compareDays(first.get(id), second.get(id)) }))
        .sort(
          (a, b) =>
            Math.abs(b.calm_change ?? 0) - Math.abs(a.calm_change ?? 0) ||
            (a.pocket_id < b.pocket_id ? -1 : 1),
        ),
      ...said,
    };
  },
  speak: (shown, _given, zone) => [...comparisonText(shown, zone), ...linesText(shown, zone)].join('\n'),
});

/** More names would hide what changed most. */
const MOST_TOLD = 8;

type Compared = Pick<Answer, 'from_day' | 'to_day' | 'hours' | 'network' | 'pockets'>;

function comparisonText({ from_day, to_day, hours, network, pockets }: Compared, zone: Zone): string[] {
  if (hours.from === hours.to)
    return [
      `${to_day} has no waking hour yet to compare with ${from_day}: they begin at ${hours.from} ${quote(zone.generalName)}.`,
    ];
  const part = (kind: 'calmer' | 'less_calm') =>
    pockets
      .filter(({ change }) => change === kind)
      .slice(0, MOST_TOLD)
      .map(changeText)
      .join(', ') || 'none';
  const unread = pockets.filter(({ calm_change }) => calm_change === null).length;
  return [
    `${from_day} to ${to_day}, each from ${hours.from} to ${hours.to} ${quote(zone.generalName)}:`,
    `calmer: ${part('calmer')}.`,
    `less calm: ${part('less_calm')}.`,
    `about the same: ${pockets.filter(({ change }) => change === 'about_the_same').length} of ${pockets.length}${unread ? `; not observed on both days: ${unread}` : ''}.`,
    `lines said: ${network.before.lines_said}, then ${network.after.lines_said}; silences: ${network.before.silences}, then ${network.after.silences}.`,
    `forecasts for those hours scored ${scoreText(network.before.forecast_accuracy)}, then ${scoreText(network.after.forecast_accuracy)}.`,
  ];
}

/** At any hour: who asks what was said does not mean the hours that are compared. */
function linesText(
  { from_day, to_day, line_count, lines, more }: Said & Pick<Compared, 'from_day' | 'to_day'>,
  zone: Zone,
): string[] {
  const days = `at any hour of ${from_day} and ${to_day}`;
  if (!line_count) return [`nothing was said ${days}.`];
  const told = lines.map(({ at, pocket_id, line }) => {
    const time = Date.parse(at);
    return `${zone.localDate(time)} ${zone.clockWithZone(time)}, ${pocket_id}: '${line}'`;
  });
  const fitting = firstWithin(told, MOST_LINES, LINES_ROOM);
  const part = fitting.length < line_count ? `, the last ${fitting.length} here and all at ${more}` : '';
  return [`said ${days}, newest first: ${line_count}${part}`, ...fitting];
}

type Said = Pick<Answer, 'line_count' | 'lines' | 'more'>;

/** What was said on these days, of today so far. */
async function linesOn(days: readonly string[], pocket: string | undefined, context: OperationContext) {
  const { store, now, zone, baseUrl } = context;
  const spans = days.map((day): Span => {
    const noon = zone.atLocal(day, '12:00');
    return { from: zone.startOfDay(noon), to: Math.min(zone.startOfDay(noon, 1), now + 1) };
  });
  const counts = await sumsOfEach(store, pocketRollup, spans, {
    by: [],
    sums: ['emissions'],
    only: { pocket_id: pocket },
  });
  const found = await Promise.all(
    spans.map(({ from, to }) =>
      narrationEvents(store, { after: from - 1, until: to - 1, pocket, limit: MOST_LINES }),
    ),
  );
  const oldest = Math.min(...spans.map(({ from }) => from));
  const since = oldest > now - 7 * DAY ? '7d' : 'all';
  return {
    line_count: counts.flat().reduce((sum, { emissions }) => sum + emissions, 0),
    lines: found
      .flat()
      .sort((a, b) => b.at - a.at)
      .slice(0, MOST_LINES)
      .map(({ at, pocket_id, body }) => ({ at: iso(at), pocket_id, line: body })),
    more: `${baseUrl}${restAddress('/api/stream', { since, type: 'narration', pocket, limit: 200 })}`,
  };
}

const scoreText = (score: number | null): string => (score === null ? 'nothing yet' : percentText(score));

const changeText = ({ name, pocket_id, before, after }: Static<typeof changedPocket>): string => {
  const [was, is] = [before.calm_level, after.calm_level].map((level) =>
    level === null ? '' : calmBand(level),
  );
  return `${name.toLowerCase()} (${pocket_id}; ${was === is ? `${is} on both days` : `${was}, then ${is}`})`;
};

function compareDays(before: DaySums | undefined, after: DaySums | undefined) {
  const [first, second] = [daySummary(before), daySummary(after)];
  const known = first.calm_level !== null && second.calm_level !== null;
  const compared = known ? compareWithUsual(second.calm_level, first.calm_level) : null;
  return {
    ...{ before: first, after: second },
    calm_change: known ? round((second.calm_level ?? 0) - (first.calm_level ?? 0)) : null,
    change: compared === 'as_usual' ? ('about_the_same' as const) : compared,
  };
}

const daySummary = (day: DaySums | undefined): Static<typeof dayFigures> => ({
  readings: day?.readings ?? 0,
  calm_level: meanFromSum(day?.calm ?? 0, day?.readings ?? 0),
  lines_said: day?.emissions ?? 0,
  silences: day?.silences ?? 0,
  forecast_accuracy: meanFromSum(day?.due_score ?? 0, day?.due ?? 0),
});

const total = (rows: readonly DaySums[]): DaySums =>
  Object.fromEntries(
    sums.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as unknown as DaySums;

function dayMeant(argument: string, text: string, { now, zone }: OperationContext): string {
  const day = namedDay(text, now, zone, 'past');
  if (day === null) throw new Refused(`${argument} must be ${DAY_FORMS}`);
  if (day > zone.localDate(now)) throw new Refused(`${argument} must not be in the future`);
  return day;
}

const dayBefore = (day: string, { zone }: OperationContext): string =>
  zone.localDate(zone.startOfDay(zone.atLocal(day, '12:00'), -1));
