import { type CalendarSlot, QUARTERS } from './calendar.ts';
import { type EpisodeSchedule, episodeAt } from './random/episodes.ts';
import { field, smooth } from './random/noise.ts';
import { mix, normal, uniform } from './random/random.ts';
import { usualCrowd } from './rhythm.ts';
import type { Site } from './sites.ts';
import type { Weather } from './weather/weather.ts';

export interface Crowd {
  /** Share of the peak that an ordinary day of this kind would see now. */
  usual: number;
  /** Share of the peak that is there now; above 1 on an extraordinary day. */
  level: number;
}

/** Local events such as a bazaar or a match screening: about three a month in each pocket. */
const gatherings: EpisodeSchedule = {
  every: QUARTERS,
  chance: 0.1,
  shortest: 8,
  longest: 20,
  between: [10 * 4, 20.5 * 4],
};

export function crowdAt(site: Site, calendar: CalendarSlot, seed: number, weather: Weather): Crowd {
  const expected = usualCrowd(site.character, calendar.outing);
  const street = fillStreet(expected * variation(site, calendar, seed));
  // An event brings fewer additional people into a street that is full already.
  const event = gathering(site, calendar) * (1 - 0.5 * street);
  return { usual: fillStreet(expected), level: (street + event) * weatherResponse(site, weather) };
}

const FILLING = 0.7;
const FULL = 0.92;

/**
 * A street fills up: from 0.7 of the peak on, more people who would come mean ever fewer who do. Without it a busy
 * weekend would exceed the registry's ordinary peak week after week; only an event exceeds it now.
 */
const fillStreet = (share: number): number =>
  share <= FILLING ? share : FULL - (FULL - FILLING) * Math.exp((FILLING - share) / (FULL - FILLING));

/** Random variation by season, day and hour. */
function variation(site: Site, { quarter, outing }: CalendarSlot, seed: number): number {
  const season =
    0.12 * smooth(mix(site.seed, 1), quarter / (QUARTERS * 21)) +
    0.08 * smooth(mix(site.seed, 7), quarter / (QUARTERS * 4));
  const day =
    0.06 * normal(mix(mix(seed, 1), outing.day)) + 0.09 * normal(mix(mix(site.seed, 2), outing.day));
  const hours =
    0.11 * smooth(mix(site.seed, 3), quarter / 14) + 0.05 * smooth(mix(site.seed, 4), quarter / 4);
  const around = 0.09 * field(mix(seed, 2), site.x / 3, site.y / 3, quarter / 12);
  return Math.exp(season + day + hours + around);
}

function weatherResponse({ character }: Site, { felt, temperature }: Weather): number {
  const open = 1 - character.shelter;
  const heat = 0.025 * Math.max(0, temperature - 31) * (open + character.shelter * 0.3);
  return (1 - 0.8 * open * felt) * (1 - Math.min(0.12, heat));
}

function gathering(site: Site, { quarter }: CalendarSlot): number {
  const episode = episodeAt(mix(site.seed, 5), quarter, gatherings);
  if (!episode) return 0;
  const through = (quarter - episode.start + 0.5) / episode.length;
  return (0.2 + 0.4 * uniform(mix(episode.key, 3))) * Math.sin(Math.PI * through) ** 0.6;
}

/** People per hour as a counter reports them, with counting noise of about the square root of the count. */
export function countedFootfall(site: Site, calendar: CalendarSlot, level: number): number {
  const people = level * site.character.footfall_peak;
  return people + 1.1 * Math.sqrt(people) * normal(mix(mix(site.seed, 6), calendar.quarter));
}
