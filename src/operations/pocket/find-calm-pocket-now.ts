import Type from 'typebox';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { isSleepHour } from '../../domain/decision/moment.ts';
import { durationText } from '../../domain/text/duration.ts';
import { HOUR, iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type CalmReading, calmReadings } from '../../store/decision/calm-pockets.ts';
import { count, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { moment } from './pocket-fields.ts';

const reasonCount = (description: string) => Type.Integer({ minimum: 0, description });

/** Why observed pockets are not listed; each is counted once, under the first reason that applies. */
const leftOut = Type.Object({
  total: reasonCount('observed pockets that are not listed; the other counts add up to it'),
  no_current_moment: reasonCount('too little was read in the last half hour, or the window has ended'),
  below_threshold: reasonCount('calm probability under min_calm_probability'),
  quiet_hours: reasonCount('calm enough, at an hour in which the service never speaks'),
  silent: reasonCount('calm enough, but the moment asks for silence'),
  beyond_top_n: reasonCount('calm enough, but more than top_n are'),
  quiet_hours_end_at: nullable(timestamp),
  calmer: Type.Array(
    Type.Object({
      pocket_id: Type.String(),
      calm_probability: moment.properties.calm_probability,
      reason: Type.Enum(['quiet_hours', 'silent'], { description: 'why it is not listed' }),
    }),
    { description: 'pockets that are left out though they are calmer than one that is listed, five at most' },
  ),
});

export const findCalmPocketNow = defineOperation({
  name: 'find_calm_pocket_now',
  title: 'Find a calm pocket now',
  description:
    'Searches all pockets and ranks those that are calm now. Use it for "where is it quiet at the moment?". Not for two given pockets (compare_pockets) or an intent in one (get_intent_substrate). Returns count, pockets [{pocket_id, primary_state, calm_probability, half_life_minutes, expires_at, window_ends_at, live_url}], calmest first, and left_out: who is not listed and why.',
  toolsets: ['reader'],
  input: {
    min_calm_probability: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.6,
      description: 'lowest calm probability to be listed',
    }),
    top_n: Type.Integer({ minimum: 1, maximum: 10, default: 3, description: 'maximum pockets to list' }),
  },
  output: Type.Object({
    count,
    pockets: Type.Array(
      Type.Object({
        ...Type.Pick(moment, [
          'pocket_id',
          'primary_state',
          'calm_probability',
          'half_life_minutes',
          'expires_at',
          'window_ends_at',
        ]).properties,
        live_url: Type.String({ format: 'uri', description: 'page of the pocket' }),
      }),
    ),
    left_out: leftOut,
  }),
  list: 'pockets',
  rows: (_asked, registry) => rowsAndColumnsOfAll(0, registry),
  load: async (_input, { store, registry, now, baseUrl }) => {
    const readings = (await calmReadings(store, now, registry.pockets)).filter(({ pocket_id }) =>
      findPocket(registry, pocket_id),
    );
    return { observed: registry.pockets.length, readings, now, baseUrl };
  },
  shape: ({ observed, readings, now, baseUrl }, { min_calm_probability, top_n }, zone) => {
    const verdicts = readings.map((reading) => judgeReading(reading, min_calm_probability, zone));
    const having = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
    const open = readings.filter((_, at) => verdicts[at] === 'open');
    const listed = open.slice(0, top_n);
    return {
      count: listed.length,
      pockets: listed.map(({ expires_at, window_ends_at, slot: _slot, silent: _silent, ...row }) => ({
        ...row,
        expires_at: iso(expires_at),
        window_ends_at: window_ends_at === null ? null : iso(window_ends_at),
        live_url: `${baseUrl}/pocket/${row.pocket_id}`,
      })),
      left_out: {
        total: observed - listed.length,
        no_current_moment: observed - readings.length,
        below_threshold: having('below_threshold'),
        quiet_hours: having('quiet_hours'),
        silent: having('silent'),
        beyond_top_n: open.length - listed.length,
        quiet_hours_end_at: having('quiet_hours') ? iso(quietHoursEnd(now, zone)) : null,
        calmer: withheldCalmer(readings, verdicts, listed.at(-1)?.calm_probability ?? 0),
      },
    };
  },
  speak: ({ count, pockets, left_out }, { min_calm_probability }, zone) => {
    const threshold = `calm probability ${min_calm_probability} or more`;
    const lines = pockets.map(
      ({ pocket_id, primary_state, calm_probability, half_life_minutes, window_ends_at, live_url }) =>
        `${pocket_id}: ${primary_state}, calm probability ${calm_probability}, half-life ${durationText(half_life_minutes)}${window_ends_at === null ? '' : `, calm window until ${zone.clockWithZone(Date.parse(window_ends_at))}`}. ${live_url}`,
    );
    const head = count ? `calm now, ${threshold}:` : `no pocket is listed with ${threshold}.`;
    const reasons = leftOutReasons(left_out, min_calm_probability, zone);
    const calmer = left_out.calmer.map(
      ({ pocket_id, calm_probability, reason }) =>
        `${pocket_id} (${calm_probability}, ${calmerReasons[reason]})`,
    );
    return [
      head,
      ...lines,
      ...(calmer.length ? [`calmer, but not listed: ${calmer.join('; ')}.`] : []),
      ...(reasons ? [`left out: ${reasons}.`] : []),
    ].join('\n');
  },
  rest: { path: '/api/calm-pockets' },
});

type Verdict = 'open' | 'below_threshold' | 'quiet_hours' | 'silent';

/** The threshold comes first: the other counts then tell how many calm pockets are withheld, and why. */
function judgeReading({ calm_probability, slot, silent }: CalmReading, least: number, zone: Zone): Verdict {
  if (calm_probability < least) return 'below_threshold';
  if (isSleepHour(zone.hourOfDay(slot))) return 'quiet_hours';
  return silent ? 'silent' : 'open';
}

/** How many calmer pockets are named. */
const NAMED = 5;
const calmerReasons = {
  quiet_hours: 'in hours when the service does not speak',
  silent: 'the moment asks for silence',
};

/** Those that are withheld though they are calmer than the last that is listed, calmest first. */
const withheldCalmer = (readings: readonly CalmReading[], verdicts: readonly Verdict[], least: number) =>
  readings
    .flatMap(({ pocket_id, calm_probability }, at) => {
      const reason = verdicts[at];
      return (reason === 'quiet_hours' || reason === 'silent') && calm_probability > least
        ? [{ pocket_id, calm_probability, reason }]
        : [];
    })
    .slice(0, NAMED);

/** The first slot after `now` at which the service may speak again. */
function quietHoursEnd(now: number, zone: Zone): number {
  let slot = slotStart(now);
  for (const last = slot + 24 * HOUR; slot < last && isSleepHour(zone.hourOfDay(slot)); ) slot += SLOT;
  return slot;
}

function leftOutReasons(left: LeftOut, least: number, zone: Zone): string {
  const end =
    left.quiet_hours_end_at === null
      ? ''
      : ` until ${zone.clockWithZone(Date.parse(left.quiet_hours_end_at))}`;
  const parts: [number, string][] = [
    [left.quiet_hours, `calm enough, in hours when the service does not speak${end}`],
    [left.silent, 'calm enough, where the moment asks for silence'],
    [left.beyond_top_n, 'calm enough, beyond the number asked for'],
    [left.below_threshold, `below ${least}`],
    [left.no_current_moment, 'without a current reading'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, reason]) => `${count} ${reason}`)
    .join('; ');
}

type LeftOut = Type.Static<typeof leftOut>;
