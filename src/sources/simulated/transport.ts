import { type CalendarSlot, type Outing, QUARTERS, schoolIsOut } from './calendar.ts';
import { clamp01 } from './numbers.ts';
import { type Episode, type EpisodeSchedule, episodeAt } from './random/episodes.ts';
import { field, smooth } from './random/noise.ts';
import { mix, normal, uniform } from './random/random.ts';
import { bump, plateau } from './rhythm.ts';
import { LINES, type Site } from './sites.ts';

/** About two breakdowns a month over all lines; each disrupts one line for 45 minutes to three hours. */
const breakdowns: EpisodeSchedule = {
  every: QUARTERS,
  chance: 0.067 / LINES,
  shortest: 3,
  longest: 12,
  between: [6 * 4, 22 * 4],
};
/** A stretch of road is blocked now and then, for up to an hour and a half. */
const incidents: EpisodeSchedule = { every: 24, chance: 0.09, shortest: 2, longest: 6 };
const ROAD_TILE = 3;

/** 0..1: how full the busy roads of the city are at this hour. */
export function roadCongestion({ hour, kind }: Outing): number {
  if (kind === 'weekday')
    return Math.min(
      1,
      0.85 * bump(hour, 8.3, 1.2) + 0.95 * bump(hour, 18.3, 1.6) + 0.45 * plateau(hour, 9.5, 17.5),
    );
  return (kind === 'saturday' ? 0.6 : 0.5) * plateau(hour, 11, 20.5);
}

/** Share of a station's comfort used up. */
export function transitAt(
  site: Site,
  calendar: CalendarSlot,
  seed: number,
  level: number,
  felt: number,
): number {
  const { office, transit } = site.character;
  const { hour, kind, day } = calendar.outing;
  const inService = plateau(hour, 5.5, 24);
  // People leave home in the morning and work in the evening.
  const homeward = 0.5 + 0.4 * office;
  const rush =
    kind === 'weekday'
      ? (0.75 - 0.25 * office) * bump(hour, 8.1, 0.95) * (schoolIsOut(day) ? 0.85 : 1) +
        homeward * bump(hour, 18.4, 1.25)
      : 0;
  const wander = 0.05 * smooth(mix(site.seed, 21), calendar.quarter / 8);
  const ride = 0.06 + transit * (0.85 * rush + 0.05) + 0.22 * (0.4 + 0.6 * transit) * Math.min(1.3, level);
  const trouble = disruption(site, calendar, seed) * (0.2 + 0.4 * transit) + 0.1 * felt * (0.4 + transit);
  const noise = 0.012 * normal(mix(mix(site.seed, 22), calendar.quarter));
  return clamp01(inService * (ride + wander * (0.3 + transit) + trouble * (0.4 + rush)) + noise);
}

/** 0..1 while the site's line is broken down. */
function disruption({ line }: Site, { quarter }: CalendarSlot, seed: number): number {
  const episode = episodeAt(mix(mix(seed, 11), line), quarter, breakdowns);
  return episode ? swell(episode, quarter) : 0;
}

export function trafficAt(site: Site, calendar: CalendarSlot, seed: number, felt: number): number {
  const { traffic } = site.character;
  const around = field(mix(seed, 12), site.x / 3.5, site.y / 3.5, calendar.quarter / 6);
  const own = smooth(mix(site.seed, 23), calendar.quarter / 5);
  const jam = traffic * roadCongestion(calendar.outing) * (1 + 0.2 * around + 0.07 * own);
  const free = 52 - 14 * traffic;
  const blocked = 0.45 * incidentNear(site, calendar, seed);
  const rails = 0.08 * disruption(site, calendar, seed);
  const noise = 0.6 * normal(mix(mix(site.seed, 24), calendar.quarter));
  return (
    free * (1 - 0.58 * jam) * (1 + 0.02 * around) * (1 - 0.14 * felt) * (1 - blocked) * (1 - rails) + noise
  );
}

/** 0..1: the worst blockage near the site; it weakens with distance. */
function incidentNear(site: Site, { quarter }: CalendarSlot, seed: number): number {
  const cx = Math.floor(site.x / ROAD_TILE);
  const cy = Math.floor(site.y / ROAD_TILE);
  let worst = 0;
  for (let tx = cx - 1; tx <= cx + 1; tx++) {
    for (let ty = cy - 1; ty <= cy + 1; ty++) {
      const episode = episodeAt(mix(mix(mix(seed, 13), tx), ty), quarter, incidents);
      if (!episode) continue;
      const dx = (tx + uniform(mix(episode.key, 3))) * ROAD_TILE - site.x;
      const dy = (ty + uniform(mix(episode.key, 4))) * ROAD_TILE - site.y;
      worst = Math.max(worst, swell(episode, quarter) * Math.exp(-(dx * dx + dy * dy) / 2));
    }
  }
  return worst;
}

/** Share of the lots taken: cars follow people by half an hour to an hour; residents' cars come home at night. */
export function carparkAt(site: Site, calendar: CalendarSlot, laggedLevel: number): number {
  const { carpark_lots: lots, footfall_peak: peak, office } = site.character;
  if (lots <= 0) return 0;
  const pressure = Math.min(1.3, Math.max(0.7, (0.4 * peak) / lots));
  const residents = 0.28 * (1 - office) * (1 - plateau(calendar.outing.hour, 8, 20));
  const wander = 0.03 * smooth(mix(site.seed, 25), calendar.quarter / 10);
  const share = 0.1 + residents + 0.68 * pressure * laggedLevel + wander;
  // Drivers turn away before the last lot is gone.
  const taken = share < 0.8 ? share : 0.8 + 0.2 * Math.tanh((share - 0.8) / 0.3);
  return Math.round(clamp01(taken) * lots) / lots;
}

const swell = ({ start, length }: Episode, quarter: number): number =>
  Math.sin((Math.PI * (quarter - start + 0.5)) / length) ** 0.5;
