import Type from 'typebox';
import { attributionOn, type CityFeed, isFeedFresh } from '../../domain/city/city-feed.ts';
import { substrates } from '../../domain/signals/signal.ts';
import { MIN_SAMPLES } from '../../domain/stats/norm.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { budgetUsed } from '../../store/feeds/budget.ts';
import { type FeedState, feedStates } from '../../store/feeds/feed-states.ts';
import { excludedSensors } from '../../store/observation/excluded-sensors.ts';
import { firstReadings } from '../../store/observation/first-readings.ts';
import { count, countField, date, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { learning, readLearning } from '../pocket/learning.ts';

/** A norm of one hour of the week has four samples a week. */
const NORM_DAYS = (7 * MIN_SAMPLES) / 4;

const faultCounts = (description: string) => Type.Record(Type.String(), count, { description });

const feed = Type.Object({
  id: Type.String(),
  title: Type.String(),
  publisher: Type.String(),
  licence: Type.String(),
  attribution: Type.String({ description: 'the text that the publisher asks for' }),
  every_seconds: Type.Integer({ minimum: 1, description: 'how often it is polled' }),
  fresh: Type.Boolean({
    description: 'read within three times that interval, or still valid by its own account',
  }),
  last_success_at: nullable(timestamp),
  last_attempt_at: nullable(timestamp),
  age_minutes: nullable(countField('since the last success; null if it was never read')),
  newest_observed_at: Type.Union([timestamp, Type.Null()], {
    description: 'the newest time that the feed itself has stated',
  }),
  places: countField('stations, counters or car parks that are used'),
  pockets: Type.Array(Type.String(), { description: 'the pockets that it had values for' }),
  share_of_pockets: unit,
  consecutive_failures: count,
  breaker: Type.Enum(['closed', 'open', 'half-open'], {
    description: 'open: after several failures it is left alone for a while',
  }),
  last_error: nullable(Type.String()),
  faults: faultCounts('rows that the last poll left out, by rule'),
  faults_total: faultCounts('the same of all polls'),
  excluded_sensors: Type.Array(Type.String(), {
    description:
      'feed, place and field of stand-ins that are usually as full from 02:00 to 05:00 as by day, or fuller, and so not counted in the crowd',
  }),
  budget: Type.Object(
    {
      limit: nullable(Type.Integer({ minimum: 1, description: 'requests that the publisher allows' })),
      per_seconds: nullable(Type.Integer({ minimum: 1 })),
      used: count,
    },
    {
      description:
        'requests to the publisher, of all its feeds; without a stated limit those of the last hour are counted',
    },
  ),
});

const norm = Type.Object({
  pocket_id: Type.String(),
  first_reading_at: nullable(timestamp),
  norm_ready_on: Type.Union([date, Type.Null()], {
    description: 'the day from which it is known what is usual there; null before the first reading',
  }),
});

/** More are not listed: an answer names some, and the rest are alike. */
const MAX_EXCLUDED = 200;

/** Why there is nothing to show of a feed where no feed is polled. */
const notes = {
  simulated: 'no feed is configured: a model of the city makes the signals.',
  replay: 'no feed is polled: what these feeds gave on other days is played again.',
};

export const listFeeds = defineOperation({
  name: 'list_feeds',
  title: 'Feeds and how each is doing',
  description:
    'Lists the feeds that the readings rest on. Use it to see where signals come from, under which licence, and what fails. Returns substrate, as_of, count, feeds[] {id, title, publisher, licence, attribution, last_success_at, age_minutes, newest_observed_at, places, pockets, share_of_pockets, consecutive_failures, breaker, last_error, faults, budget}, note where no feed is polled, and norms[] {pocket_id, norm_ready_on} where the city learns what is usual.',
  input: {},
  output: Type.Object({
    substrate: Type.Enum([...substrates]),
    as_of: timestamp,
    count,
    fresh_count: count,
    feeds: Type.Array(feed),
    note: nullable(Type.String()),
    norms: Type.Array(norm),
    learning: nullable(learning),
  }),
  // Polls do not raise the revision that cached answers are dropped by.
  cache: false,
  load: async (_input, context) => {
    const { store, now, registry, substrate } = context;
    const { city, feeds = [], pockets } = registry;
    const ids = pockets.map(({ id }) => id);
    const [states, first, excluded, learns, used] = await Promise.all([
      feeds.length ? feedStates(store) : [],
      city.scales === 'learned' ? firstReadings(store, ids, now) : null,
      city.scales === 'learned' ? excludedSensors(store, MAX_EXCLUDED) : [],
      readLearning(context),
      Promise.all(feeds.map(({ publisher, limit }) => budgetUsed(store, publisher, limit, now))),
    ]);
    const stateOf = new Map(states.map((state) => [state.feed, state]));
    return {
      now,
      substrate,
      feeds: feeds.map((described, index) => ({
        described,
        state: stateOf.get(described.id),
        used: used[index] ?? 0,
        excluded: excluded.filter((sensor) => sensor.startsWith(`${described.id}/`)),
      })),
      pockets: ids,
      first,
      learns,
    };
  },
  shape: ({ now, substrate, feeds, pockets, first, learns }, _input, zone) => {
    const shown = feeds.map(({ described, state, used, excluded }) => ({
      ...feedFields(described, state, used, pockets, now, zone),
      excluded_sensors: excluded,
    }));
    return {
      substrate,
      as_of: iso(now),
      count: shown.length,
      fresh_count: shown.filter(({ fresh }) => fresh).length,
      feeds: shown,
      note: substrate === 'live' ? null : notes[substrate],
      norms:
        first === null ? [] : pockets.map((pocket_id) => normFields(pocket_id, first.get(pocket_id), zone)),
      learning: learns,
    };
  },
  speak: ({ count, fresh_count, note, feeds }) => {
    const nightly = feeds.filter(({ excluded_sensors }) => excluded_sensors.length);
    return [
      note ?? `${fresh_count} of ${countText(count, 'feed')} ${fresh_count === 1 ? 'is' : 'are'} fresh.`,
      ...(nightly.length
        ? [
            `usually as full at night as by day, and so not a crowd: sensors of ${nightly.map(({ id }) => id).join(', ')}.`,
          ]
        : []),
    ].join(' ');
  },
  rest: { path: '/api/feeds' },
});

function feedFields(
  described: CityFeed,
  state: FeedState | undefined,
  used: number,
  cityPockets: readonly string[],
  now: number,
  zone: Zone,
) {
  const { id, title, publisher, licence, every_seconds, limit } = described;
  const pockets = cityPockets.filter((pocket) => state?.pockets.includes(pocket));
  const time = (at: number | null | undefined) => (at == null ? null : iso(at));
  const { last_success = null } = state ?? {};
  return {
    id,
    title,
    publisher,
    licence,
    attribution: attributionOn(described, zone.localDate(now)),
    every_seconds,
    fresh: isFeedFresh(described, state, now),
    last_success_at: time(last_success),
    last_attempt_at: time(state?.last_attempt),
    age_minutes: last_success === null ? null : Math.max(0, Math.floor((now - last_success) / MINUTE)),
    newest_observed_at: time(state?.newest_observed),
    places: state?.places ?? 0,
    pockets,
    share_of_pockets: cityPockets.length ? round(pockets.length / cityPockets.length, 3) : 0,
    consecutive_failures: state?.failures ?? 0,
    breaker: state?.breaker ?? ('closed' as const),
    last_error: state?.last_error ?? null,
    faults: state?.faults ?? {},
    faults_total: state?.faults_total ?? {},
    budget: { limit: limit?.requests ?? null, per_seconds: limit?.seconds ?? null, used },
  };
}

const normFields = (pocket_id: string, first: number | undefined, zone: Zone) => ({
  pocket_id,
  first_reading_at: first === undefined ? null : iso(first),
  norm_ready_on: first === undefined ? null : zone.localDate(zone.startOfDay(first, NORM_DAYS)),
});
