import type { Sensed } from '../../domain/atmosphere/perception.ts';
import { HIT } from '../../domain/stats/forecast-sums.ts';
import { HOUR, MINUTE } from '../../domain/time/sgt.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';

export const HALF_HOUR = 30 * MINUTE;

/** What was read and felt in a pocket within half an hour. */
export interface Felt {
  readings: number;
  calm: number;
  senses: Sensed[];
}

/** What was found out within half an hour about things left unsaid, forecast and said, and what was agreed on. */
export interface Judged {
  judged: number;
  vindicated: number;
  revealed: number;
  hits: number;
  after: number;
  held: number;
  idle: number;
  reclaimed: number;
}

export type ByPocket<T> = Record<string, T>;

/** The half hour that ends with `slot`, of every pocket. */
export async function feltInHalfHour(store: Reader, slot: number): Promise<ByPocket<Felt>> {
  const felt: ByPocket<Felt> = {};
  const rows = await store.all<{ pocket_id: string; readings: number; calm: number }>(
    `select pocket_id, count(*) as readings, sum(calm) as calm from atmosphere_readings
     where slot > ? and slot <= ? group by pocket_id`,
    slot - HALF_HOUR,
    slot,
  );
  for (const { pocket_id, readings, calm } of rows) felt[pocket_id] = { readings, calm, senses: [] };
  const senses = await store.all<Sensed & { pocket_id: string }>(
    `select s.pocket_id, s.word, r.primary_state, sum(s.people) as people
     from citizen_senses s
     left join atmosphere_readings r on ${sameSlotAndPocket('r', 's')}
     where s.slot > ? and s.slot <= ?
     group by s.pocket_id, s.word, r.primary_state
     order by s.pocket_id, s.word, r.primary_state`,
    slot - HALF_HOUR,
    slot,
  );
  for (const { pocket_id, word, primary_state, people } of senses) {
    felt[pocket_id] ??= { readings: 0, calm: 0, senses: [] };
    felt[pocket_id].senses.push({ word, primary_state, people });
  }
  return felt;
}

export const nothingJudged: Judged = {
  judged: 0,
  vindicated: 0,
  revealed: 0,
  hits: 0,
  after: 0,
  held: 0,
  idle: 0,
  reclaimed: 0,
};

const HOURLY = 'pocket_projection_60m';

/** Silences, forecasts and packages whose hour has passed within the half hour that ends with `slot`, and windows that have. */
export async function judgedInHalfHour(store: Reader, slot: number): Promise<ByPocket<Judged>> {
  const [after, until] = [slot - HOUR - HALF_HOUR, slot - HOUR];
  const found: ByPocket<Judged> = {};
  const of = (pocket: string): Judged => {
    found[pocket] ??= { ...nothingJudged };
    return found[pocket];
  };
  const silences = await store.all<{ pocket_id: string; judged: number; vindicated: number }>(
    `select pocket_id, count(vindicated) as judged, coalesce(sum(vindicated), 0) as vindicated
     from vindications where slot > ? and slot <= ? group by pocket_id`,
    after,
    until,
  );
  for (const { pocket_id, judged, vindicated } of silences)
    Object.assign(of(pocket_id), { judged, vindicated });
  const forecasts = await store.all<{ pocket_id: string; revealed: number; hits: number }>(
    `select pocket_id, count(accuracy_score) as revealed,
       sum(case when accuracy_score >= ? then 1 else 0 end) as hits
     from reveals where slot > ? and slot <= ? and generator = ? and shadow = 0 group by pocket_id`,
    HIT,
    after,
    until,
    HOURLY,
  );
  for (const { pocket_id, revealed, hits } of forecasts) Object.assign(of(pocket_id), { revealed, hits });
  const packages = await store.all<{ pocket_id: string; readings: number; held: number }>(
    `select p.pocket_id, count(*) as readings, sum(case when r.calm >= said.calm - 0.1 then 1 else 0 end) as held
     from packages p
     join atmosphere_readings said on ${sameSlotAndPocket('said', 'p')}
     join atmosphere_readings r on r.pocket_id = p.pocket_id and r.slot > p.slot and r.slot <= p.slot + 3600000
     where p.slot > ? and p.slot <= ?
     group by p.pocket_id`,
    after,
    until,
  );
  for (const { pocket_id, readings, held } of packages)
    Object.assign(of(pocket_id), { after: readings, held });
  const settled = await store.all<{ pocket_id: string; idle: number; reclaimed: number }>(
    `select pocket_id, sum(idle_hours) as idle, sum(reclaimed_hours) as reclaimed
     from commitment_outcomes where slot > ? and slot <= ? group by pocket_id`,
    slot - HALF_HOUR,
    slot,
  );
  for (const { pocket_id, idle, reclaimed } of settled) Object.assign(of(pocket_id), { idle, reclaimed });
  return found;
}
