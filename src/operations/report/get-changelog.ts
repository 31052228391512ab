import Type, { type Static } from 'typebox';
import { changelogEntry, changelogSums } from '../../domain/report/changelog.ts';
import { OBSERVING, RUN_GRACE } from '../../domain/report/uptime.ts';
import { wakingTimeText } from '../../domain/stats/waking-time.ts';
import { countText } from '../../domain/text/count-text.ts';
import { startOfUtcDay } from '../../domain/time/periods.ts';
import { DAY, SLOT, slotStart } from '../../domain/time/slot.ts';
import { type Span, slotSpan, splitDays } from '../../domain/time/window.ts';
import type { Reader } from '../../store/engine/store.ts';
import { sustainabilityByDay } from '../../store/merchant/sustainability.ts';
import { sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import { firstRun } from '../../store/runtime/health-queries.ts';
import { lastRun, runsByDay } from '../../store/runtime/job-runs.ts';
import { count, currency, netAmount, netSgd, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { wholeNumber } from '../core/fields.ts';
import { listWithin, restAddress } from '../core/text-list.ts';
import { pauseCounts, wakingTimeField } from '../decision/decision-fields.ts';

const entry = Type.Object({
  /** The one date in UTC: every other date is in the city's time zone. */
  date: Type.String({ format: 'date', description: 'day of UTC' }),
  atmosphere_readings: count,
  slots_due: count,
  slots_run: count,
  pockets_read: count,
  readings_missing: count,
  narrations_surfaced: count,
  notifications_deferred: count,
  ...pauseCounts,
  surfaced_ratio: nullable(unit),
  predictions_sealed: count,
  predictions_revealed: count,
  mean_accuracy: nullable(unit),
  sustainability_sgd: netSgd,
  sustainability_amount: netAmount,
  currency,
  top_pocket: nullable(Type.Object({ pocket_id: Type.String(), count })),
  waking_time: wakingTimeField,
});

export const getChangelog = defineOperation({
  name: 'get_changelog',
  title: 'What the service did, day by day',
  description:
    'Lists what was read, said, held back and forecast on each UTC day, newest first, today so far included. Use it to follow the service from day to day, or to notice a gap. Returns entries [{date, atmosphere_readings, slots_run of slots_due quarter hours, pockets_read and readings_missing (a pocket has none where too little was observed), narrations_surfaced, notifications_deferred (silences), already_speaking_count and quiet_hours_count (quarter hours at which nothing was decided), surfaced_ratio (of what was said and deferred together, the share said), predictions_sealed, predictions_revealed (scored, by the hour they were for), mean_accuracy, sustainability_sgd (null unless the currency is SGD), sustainability_amount, currency, top_pocket {pocket_id, count}: where most was said, waking_time {minutes_said, minutes_silent, share_said}: how much of waking time a line was live}]. Forecasts on trial are left out. Nothing to average gives null; a day without anything has zeros.',
  input: {
    days: wholeNumber(1, 90, 14, 'days to look back, today included'),
  },
  output: Type.Object({ entries: Type.Array(entry) }),
  list: 'entries',
  rows: ({ days }) => 10 * days,
  load: async ({ days }, { store, registry, now }) => {
    const window = { after: startOfUtcDay(now) - (days - 1) * DAY - 1, until: now };
    const spans = splitDays(slotSpan(window), startOfUtcDay);
    const pockets = await sumsOfEach(store, pocketRollup, spans, { by: ['pocket_id'], sums: changelogSums });
    const forecasts = await sumsOfEach(store, forecastRollup, spans, {
      by: [],
      sums: ['revealed', 'open'],
      only: { shadow: 0 },
    });
    const slots = await countSlots(store, spans, now);
    const saved = await sustainabilityByDay(store, window);
    const cents = new Map(saved.map(({ day, value_cents }) => [day, value_cents]));
    const entries = spans.map(({ from }, i) => {
      const { revealed, open } = forecasts[i]?.[0] ?? { revealed: 0, open: 0 };
      return changelogEntry({
        day: from,
        pockets: pockets[i] ?? [],
        slots: slots[i] ?? { due: 0, run: 0 },
        sealed: revealed + open,
        cents: cents.get(from / DAY) ?? 0,
        currency: registry.city.currency,
      });
    });
    return entries.reverse();
  },
  shape: (entries) => ({ entries }),
  speak: ({ entries }, { days }) => {
    const [today] = entries;
    if (!today) return 'no days.';
    const lines = entries.map(
      (one, n) => `${n ? `${one.date} UTC` : 'today so far (UTC)'}: ${dayText(one)}.`,
    );
    return [
      ...listWithin(lines, restAddress('/api/changelog', { days }), SPOKEN_DAYS),
      `today ${wakingTimeText(today.waking_time)}.`,
    ].join('\n');
  },
  rest: { path: '/api/changelog' },
});

const SPOKEN_DAYS = 7;

function dayText(day: Static<typeof entry>): string {
  return [
    `${countText(day.atmosphere_readings, 'reading')} of ${countText(day.pockets_read, 'pocket')} ${missingText(day)}`,
    `${day.narrations_surfaced} said and ${day.notifications_deferred} held back`,
    `${countText(day.predictions_sealed, 'forecast')} sealed, ${day.predictions_revealed} revealed`,
  ].join('; ');
}

/** What the stored runs and readings show to be missing. */
function missingText({ slots_due, slots_run, readings_missing }: Static<typeof entry>): string {
  if (!slots_due) return '(no quarter hour was due)';
  const observed = `in ${slots_run} of ${countText(slots_due, 'quarter hour')}`;
  const lacking = [
    ...(slots_run < slots_due
      ? [`${countText(slots_due - slots_run, 'quarter hour was', 'quarter hours were')} not observed`]
      : []),
    ...(readings_missing
      ? [
          `${countText(readings_missing, 'reading is', 'readings are')} missing, where too little of a pocket was observed`,
        ]
      : []),
  ];
  return `${observed} (${lacking.length ? lacking.join(' and ') : 'none missing'})`;
}

/** Of each day: the quarter hours since the first that was ever observed, and those that were; the present one counts once it is due or has run. */
async function countSlots(store: Reader, spans: readonly Span[], now: number) {
  const [first, last] = await Promise.all([firstRun(store, OBSERVING), lastRun(store, OBSERVING, now)]);
  if (first === null || last === null) return [];
  const until = Math.max(slotStart(now - RUN_GRACE), last) + SLOT;
  const runs = await runsByDay(store, OBSERVING, spans[0]?.from ?? now, now);
  const byDay = new Map(runs.map(({ day, runs }) => [day, runs]));
  return spans.map(({ from }) => ({
    due: Math.max(0, (Math.min(from + DAY, until) - Math.max(from, first)) / SLOT),
    run: byDay.get(from / DAY) ?? 0,
  }));
}
