// What must be true of the replays of Münster: each bound with what was found.
import { HOUR } from '../../src/domain/time/slot.ts';
import type { Zone } from '../../src/domain/time/zone.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { type DecisionTable, decisionTable } from '../judge/table.ts';
import {
  busyAtNight,
  calmForecasts,
  calmOnes,
  type HorizonScores,
  horizonScores,
  meanCalm,
  type Read,
  readings,
  readShare,
  sourcesOn,
  within,
} from './figures.ts';

export interface Bound {
  what: string;
  found: string;
  holds: boolean;
}

export interface Replayed {
  store: Store;
  zone: Zone;
  /** First day, 'YYYY-MM-DD'. */
  from: string;
  /** The places of a feed that have rows on a day. */
  recordedOn: (feed: string, date: string) => Promise<Set<string>>;
}

export interface Judged {
  decisions: DecisionTable;
  scores: HorizonScores[];
  bounds: Bound[];
}

export async function judge(replayed: Replayed): Promise<Judged> {
  const { store, zone, from } = replayed;
  const start = zone.atLocal(from, '00:00');
  const [scores, read, share] = [
    await horizonScores(store, start),
    await readings(store),
    await readShare(store, start),
  ];
  const bounds = [
    ...scores.map(horizonBound),
    nightBound(read, zone),
    {
      what: 'from the fourth day on at least 95 % of slots in which a counter reports have a reading',
      found: `${percent(share.share)} of ${share.n}`,
      holds: share.share >= 0.95,
    },
  ];
  if (from.startsWith('2024')) bounds.push(...(await marketBounds(replayed, read)));
  return { decisions: await decisionTable(store, zone), scores, bounds };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function horizonBound({ minutes, n, service, persistence, last_week }: HorizonScores): Bound {
  const known = service !== null && persistence !== null && last_week !== null;
  return {
    what: `third week, ${minutes} minutes ahead: more came true than by persistence and by the same hour last week`,
    found: known
      ? `${percent(service)} against ${percent(persistence)} and ${percent(last_week)}, n ${n}`
      : 'no forecasts',
    holds: known && service > persistence && service > last_week,
  };
}

const MOST_BUSY_AT_NIGHT = 0.02;

function nightBound(read: readonly Read[], zone: Zone): Bound {
  const { n, share } = busyAtNight(read, zone);
  return {
    what: 'from 02:00 to 05:00 at most 2 % of readings are tense, busy or lively',
    found: `${percent(share)} of ${n}`,
    holds: n > 0 && share <= MOST_BUSY_AT_NIGHT,
  };
}

/** The Christmas market: on three Saturdays every inner garage is full around midday. */
const market = {
  pockets: ['domplatz', 'prinzipalmarkt'],
  saturdays: ['2024-11-30', '2024-12-07', '2024-12-14'],
  tuesdays: ['2024-11-26', '2024-12-03', '2024-12-10'],
  hours: [11, 17],
} as const;
const MOST_ABOVE_TUESDAYS = 0.05;

async function marketBounds({ store, zone, recordedOn }: Replayed, read: readonly Read[]): Promise<Bound[]> {
  const { pockets, saturdays, tuesdays, hours } = market;
  const onDay = (date: string) => within(read, zone, pockets, date, hours);
  const calm = meanCalm(tuesdays.flatMap(onDay));
  const full = saturdays.map((date): Bound => {
    const ofDay = onDay(date);
    const calmOnDay = calmOnes(ofDay);
    const mean = meanCalm(ofDay);
    return {
      what: `${date}, 11:00 to 17:00: ${pockets.join(' and ')} in no calm state, mean calm at most 0.05 above the Tuesdays'`,
      found: `${calmOnDay.length} of ${ofDay.length} calm, mean ${mean.toFixed(2)} against ${calm.toFixed(2)}`,
      holds: ofDay.length > 0 && calmOnDay.length === 0 && mean <= calm + MOST_ABOVE_TUESDAYS,
    };
  });
  return [...full, await forecastBound(store, zone), await silentBound({ store, zone, recordedOn })];
}

async function forecastBound(store: Store, zone: Zone): Promise<Bound> {
  const third = market.saturdays[2];
  const noon = zone.atLocal(third, '12:00');
  const odds: number[] = [];
  for (const pocket of market.pockets)
    for (const hours of [3, 2]) {
      const chance = await calmForecasts(store, pocket, noon - hours * HOUR, hours * 60);
      if (chance !== null) odds.push(chance);
    }
  return {
    what: `${third}: the forecasts of 09:00 and 10:00 for midday give calm less than even odds`,
    found: odds.map(percent).join(', ') || 'no forecasts',
    holds: odds.length === 2 * market.pockets.length && odds.every((chance) => chance < 0.5),
  };
}

async function silentBound({ store, zone, recordedOn }: Omit<Replayed, 'from'>): Promise<Bound> {
  const date = market.saturdays[0];
  const recorded = await recordedOn('bike_counter', date);
  const named = await sourcesOn(store, zone, date, 'bike_counter');
  const unheard = [...named].filter((place) => !recorded.has(place));
  return {
    what: `${date}: nothing is read from the bike counters that are silent`,
    found: unheard.length
      ? `read from ${unheard.join(', ')}`
      : `${recorded.size} of them report, no other is named`,
    holds: unheard.length === 0,
  };
}
