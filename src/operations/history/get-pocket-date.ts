import Type from 'typebox';
import { CALM_STATE_LEVEL } from '../../domain/atmosphere/atmosphere.ts';
import { noMomentReason } from '../../domain/atmosphere/no-moment.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import { againstUsual, compareWithUsual, usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { decisionId } from '../../domain/decision/silence.ts';
import { pauseKinds, reasonText } from '../../domain/decision/silence-reason.ts';
import { type DecidedSlot, decisionRuns } from '../../domain/report/decision-runs.ts';
import { calmRuns, hoursOfDay } from '../../domain/stats/day-hours.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { countText } from '../../domain/text/count-text.ts';
import { dayNames } from '../../domain/time/periods.ts';
import { DAY, iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Span } from '../../domain/time/window.ts';
import { type DecisionType, listDecisions } from '../../store/decision/explanations.ts';
import { linesSince } from '../../store/decision/packages.ts';
import { crowdGapsBetween } from '../../store/observation/crowd-record.ts';
import { readCalmNorms } from '../../store/observation/norms.ts';
import { firstReading, readingsBetween } from '../../store/observation/readings.ts';
import { count, date, nullable, timeField, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation, NotFound, type OperationContext } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { createTable } from '../core/table.ts';
import { anyReason } from '../decision/decision-fields.ts';
import { atmosphere } from '../pocket/pocket-fields.ts';
import { dayAsked, localDate } from './history-fields.ts';

/** A local day has up to 25 hours. */
const MAX_SLOTS = 100;

type Kind = DecisionType | 'no_moment';

const usualHour = Type.Object({
  at: timestamp,
  calm: Type.Union([unit, Type.Null()], { description: 'null with less than two weeks of readings' }),
});

const run = Type.Object({
  from: timestamp,
  to: timestamp,
  kind: Type.Enum(['emit', 'silence', ...pauseKinds, 'no_moment'], {
    description: 'no_moment: too little was observed to decide',
  }),
  reason: Type.Union([anyReason, Type.Null()], { description: 'null where a line was said' }),
  reason_text: nullable(Type.String()),
  text: Type.Union([Type.String(), Type.Null()], { description: 'the line that was said' }),
  explanation: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'of its first quarter hour',
  }),
});

export const getPocketDate = defineOperation({
  name: 'get_pocket_date',
  title: 'One day of a pocket against its usual',
  description:
    'Lists the readings of a day, what is usual for each of its hours on that weekday, and what was said or not said and why. Use it to look at one day; /api/pocket-calendar shows which days there are. Returns {pocket_id, date, weekday, from, to, as_of, previous_date, next_date, reading_count, readings[], usual [{at, calm}], usually_calm [{from, to}], now {captured_at, calm, usual_calm, difference, compared}, decisions [{from, to, kind, reason, reason_text, text, explanation}]}. usual is the norm of calm of the same hour of the week, as it is known now; now is null unless the day is today and was read in the last half hour. Quarter hours in a row with the same reason are one decision.',
  input: { pocket_id: pocketId, date: Type.Optional(localDate) },
  output: Type.Object({
    pocket_id: Type.String(),
    date,
    weekday: Type.Enum([...dayNames]),
    from: timestamp,
    to: timestamp,
    as_of: timeField('the current quarter hour, or the end of the day'),
    previous_date: nullable(date),
    next_date: nullable(date),
    reading_count: count,
    readings: Type.Array(Type.Object({ captured_at: timestamp, ...atmosphere.properties })),
    usual: Type.Array(usualHour),
    usually_calm: Type.Array(Type.Object({ from: timestamp, to: timestamp }), {
      description: 'hours in a row whose usual calm is that of a calm state',
    }),
    now: nullable(
      Type.Object({
        captured_at: timestamp,
        calm: unit,
        usual_calm: unit,
        difference: Type.Number({ minimum: -1, maximum: 1 }),
        compared: Type.Enum([...againstUsual]),
      }),
    ),
    decisions: Type.Array(run),
  }),
  rows: () => DAY / SLOT,
  load: readDay,
  shape: ({ day, first, readings, usual, decided, lines, baseUrl, now }, { pocket_id }, zone) => {
    const start = zone.localDate(day.from);
    const said = new Map(lines.map(({ slot, composed_text }) => [slot, composed_text]));
    const last = readings.at(-1);
    const isToday = day.to > now;
    return {
      pocket_id,
      date: start,
      weekday: dayNames[zone.weekday(day.from)] ?? 'monday',
      from: iso(day.from),
      to: iso(day.to),
      as_of: iso(Math.min(slotStart(now), day.to)),
      previous_date:
        first !== null && first < day.from ? zone.localDate(zone.startOfDay(day.from, -1)) : null,
      next_date: isToday ? null : zone.localDate(day.to),
      reading_count: readings.length,
      readings: readings.map(readingFields),
      usual: usual.map(({ from, calm }) => ({ at: iso(from), calm })),
      usually_calm: calmRuns(usual, CALM_STATE_LEVEL).map(({ from, to }) => ({
        from: iso(from),
        to: iso(to),
      })),
      now: last && isToday && last.slot > now - CURRENT_FOR ? usualComparison(last, usual) : null,
      decisions: decisionRuns(decided).map(({ from, to, kind, reason }) => ({
        from: iso(from),
        to: iso(to),
        kind,
        reason,
        reason_text: reason === null ? null : reasonText[reason],
        text: kind === 'emit' ? (said.get(from) ?? null) : null,
        explanation:
          kind === 'no_moment' ? null : `${baseUrl}/explanations/${kind}:${decisionId(pocket_id, from)}`,
      })),
    };
  },
  speak: ({ date, reading_count, decisions, usually_calm }, { pocket_id }, zone) => {
    const said = decisions.filter(({ kind }) => kind === 'emit').length;
    const clock = (time: string) => zone.localClock(Date.parse(time));
    const spans = usually_calm.map(({ from, to }) => `${clock(from)} to ${clock(to)}`);
    return [
      `${pocket_id} on ${date}: ${countText(reading_count, 'reading')}, ${countText(said, 'line')} said.`,
      spans.length
        ? `usually calm ${spans.join(', ')}.`
        : 'no hour of this weekday is known to be usually calm.',
    ].join(' ');
  },
  table: (asked, context) =>
    createTable('pocket-date', readingRows(asked, context), {
      captured_at: ({ slot }) => iso(slot),
      calm: ({ calm }) => calm,
      usual_calm: ({ usual_calm }) => usual_calm,
      stress: ({ stress }) => stress,
      social_energy: ({ social_energy }) => social_energy,
      productive: ({ productive }) => productive,
      primary_state: ({ primary_state }) => primary_state,
    }),
  rest: { path: '/api/pocket-date', names: { pocket_id: 'pocket' } },
});

interface Asked {
  pocket_id: string;
  date?: string;
}
type UsualHour = Span & { calm: number | null };

async function readDay({ pocket_id, date }: Asked, context: OperationContext) {
  const { store, now, zone, registry, baseUrl } = context;
  const time = dayAsked(date, context);
  const day = { from: zone.startOfDay(time), to: zone.startOfDay(time, 1) };
  const first = await firstReading(store, pocket_id, now);
  if (date !== undefined && (first === null ? day.to <= now : first >= day.to))
    throw new NotFound(`nothing was observed of ${pocket_id} on ${date}`);
  const until = Math.min(day.to - 1, now);
  const [readings, usual, decisions, lines, measured] = await Promise.all([
    readingsBetween(store, pocket_id, day.from - 1, until),
    usualHours(context, pocket_id, day.from),
    listDecisions(
      store,
      { after: day.from - 1, until, pocket: pocket_id, types: ['silence', 'emit', ...pauseKinds] },
      MAX_SLOTS,
    ),
    linesSince(store, pocket_id, day.from - 1, until),
    crowdGapsBetween(store, pocket_id, day.from - 1, until),
  ]);
  const bySlot = new Map(decisions.map(({ slot, type, reason }) => [slot, { slot, kind: type, reason }]));
  const expects = findPocket(registry, pocket_id)?.expects ?? [];
  const decided: DecidedSlot<Kind>[] = [];
  for (let slot = Math.max(day.from, first ?? day.to); slot <= until; slot += SLOT) {
    const found = bySlot.get(slot);
    if (found) decided.push(found);
    // The current quarter hour may still be computed.
    else if (slot < slotStart(now))
      decided.push({ slot, kind: 'no_moment', reason: noMomentReason(expects, measured(slot)) });
  }
  return { day, first, readings, usual, decided, lines, baseUrl, now };
}

/** The usual calm of each hour of the day that begins at `day`. */
async function usualHours(
  { store, zone }: OperationContext,
  pocket: string,
  day: number,
): Promise<UsualHour[]> {
  const first = zone.weekday(day) * 24;
  const hours = hoursOfDay(day, zone);
  const norms = await readCalmNorms(
    store,
    hours.map((_, hour) => first + hour),
    [pocket],
  );
  const byHour = new Map(norms.map((norm) => [norm.hour_of_week - first, norm]));
  return hours.map((span, hour) => ({ ...span, calm: usualCalm(byHour.get(hour)) }));
}

const usualAt = (usual: readonly UsualHour[], slot: number): number | null =>
  usual.find(({ from, to }) => from <= slot && slot < to)?.calm ?? null;

function usualComparison({ slot, calm }: Reading, usual: readonly UsualHour[]) {
  const usual_calm = usualAt(usual, slot);
  const compared = compareWithUsual(calm, usual_calm);
  if (usual_calm === null || compared === null) return null;
  return { captured_at: iso(slot), calm, usual_calm, difference: round(calm - usual_calm), compared };
}

const readingFields = ({ slot, calm, stress, social_energy, productive, primary_state }: Reading) => ({
  captured_at: iso(slot),
  ...{ calm, stress, social_energy, productive, primary_state },
});

async function* readingRows(asked: Asked, context: OperationContext) {
  const { readings, usual } = await readDay(asked, context);
  yield readings.map((read) => ({ ...read, usual_calm: usualAt(usual, read.slot) })).reverse();
}
