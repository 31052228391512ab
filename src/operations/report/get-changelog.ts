import Type from 'typebox';
import { changelogEntry, changelogSums } from '../../domain/report/changelog.ts';
import { wakingTimeText } from '../../domain/stats/waking-time.ts';
import { startOfUtcDay } from '../../domain/time/periods.ts';
import { DAY } from '../../domain/time/slot.ts';
import { daysOf, spanOf } from '../../domain/time/window.ts';
import { sustainabilityByDay } from '../../store/merchant/sustainability.ts';
import { sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import { count, currency, netAmount, netSgd, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pauseCounts, wakingTimeField } from '../decision/decision-fields.ts';

const entry = Type.Object({
  /** The one date in UTC: every other date is in the city's time zone. */
  date: Type.String({ format: 'date', description: 'day of UTC' }),
  atmosphere_readings: count,
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
    'Lists what was read, said, held back and forecast on each day of UTC, newest first, today so far included. Use it to follow the service from day to day, or to notice a gap. Returns entries [{date, atmosphere_readings, narrations_surfaced, notifications_deferred (silences), already_speaking_count and quiet_hours_count (quarter hours at which nothing was decided), surfaced_ratio (of what was said and deferred together, the share said), predictions_sealed, predictions_revealed (scored, by the hour they were for), mean_accuracy, sustainability_sgd (null unless the currency is SGD), sustainability_amount, currency, top_pocket {pocket_id, count}: where most was said, waking_time {minutes_said, minutes_silent, share_said}: how much of waking time a line was live}]. Forecasts on trial are left out. Nothing to average gives null; a day without anything has zeros.',
  input: {
    days: Type.Integer({
      minimum: 1,
      maximum: 90,
      default: 14,
      description: 'days to look back, today included',
    }),
  },
  output: Type.Object({ entries: Type.Array(entry) }),
  effect: 'read',
  list: 'entries',
  rows: ({ days }) => 10 * days,
  tool: false,
  load: async ({ days }, { store, registry, now }) => {
    const window = { after: startOfUtcDay(now) - (days - 1) * DAY - 1, until: now };
    const spans = daysOf(spanOf(window), startOfUtcDay);
    const pockets = await sumsOfEach(store, pocketRollup, spans, { by: ['pocket_id'], sums: changelogSums });
    const forecasts = await sumsOfEach(store, forecastRollup, spans, {
      by: [],
      sums: ['revealed', 'open'],
      only: { shadow: 0 },
    });
    const saved = await sustainabilityByDay(store, window);
    const cents = new Map(saved.map(({ day, value_cents }) => [day, value_cents]));
    const entries = spans.map(({ from }, i) => {
      const { revealed, open } = forecasts[i]?.[0] ?? { revealed: 0, open: 0 };
      return changelogEntry({
        day: from,
        pockets: pockets[i] ?? [],
        sealed: revealed + open,
        cents: cents.get(from / DAY) ?? 0,
        currency: registry.city.currency,
      });
    });
    return entries.reverse();
  },
  shape: (entries) => ({ entries }),
  speak: ({ entries }) => {
    const [today] = entries;
    if (!today) return 'no days.';
    return `${entries.length} days; today so far ${today.atmosphere_readings} readings, ${today.narrations_surfaced} said and ${today.notifications_deferred} held back; ${wakingTimeText(today.waking_time)}.`;
  },
  rest: { path: '/api/changelog' },
});
