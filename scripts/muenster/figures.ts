// What a replay of Münster said, read from its store.

import { isCalmState, type PrimaryState } from '../../src/domain/atmosphere/primary-state.ts';
import { HORIZONS, projectionGenerator } from '../../src/domain/prediction/prediction.ts';
import { DAY, HOUR } from '../../src/domain/time/slot.ts';
import type { Zone } from '../../src/domain/time/zone.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { readEntries } from '../../src/store/ledger/entries.ts';
import { readProvenance } from '../../src/store/observation/provenance.ts';

/** Forecasts of states that were sealed in the third week, of one horizon: the share that came true, on the same rows. */
export interface HorizonScores {
  minutes: number;
  n: number;
  service: number | null;
  persistence: number | null;
  last_week: number | null;
}

const LEARNING = 14 * DAY;

export async function horizonScores(store: Store, from: number): Promise<HorizonScores[]> {
  const right = (column: string) => `avg(case when ${column} >= 0.5 then 1.0 else 0.0 end)`;
  return Promise.all(
    HORIZONS.map(async (minutes) => {
      const row = await store.get<Omit<HorizonScores, 'minutes'>>(
        `select count(*) as n, ${right('accuracy_score')} as service, ${right('persistence_score')} as persistence,
           ${right('last_week_score')} as last_week
         from revealed_forecasts where generator = ? and slot >= ? and accuracy_score is not null
           and persistence_score is not null and last_week_score is not null`,
        projectionGenerator(minutes),
        from + LEARNING,
      );
      return { minutes, n: 0, service: null, persistence: null, last_week: null, ...row };
    }),
  );
}

export interface Read {
  slot: number;
  pocket_id: string;
  calm: number;
  primary_state: PrimaryState;
}

export const readings = (store: Store): Promise<Read[]> =>
  store.all<Read>('select slot, pocket_id, calm, primary_state from atmosphere_readings order by slot');

const busyStates: readonly PrimaryState[] = ['tense-crowded', 'busy-productive', 'lively-social'];

/** Of the readings from 02:00 to 05:00 the share in a state that only a busy street has. */
export function busyAtNight(read: readonly Read[], zone: Zone): { n: number; share: number } {
  const night = read.filter(({ slot }) => zone.hourOfDay(slot) >= 2 && zone.hourOfDay(slot) < 5);
  const busy = night.filter(({ primary_state }) => busyStates.includes(primary_state)).length;
  return { n: night.length, share: night.length ? busy / night.length : 0 };
}

/** The readings of some pockets on a day, from one hour to another. */
export const within = (
  read: readonly Read[],
  zone: Zone,
  pockets: readonly string[],
  date: string,
  [from, to]: readonly [number, number],
): Read[] => {
  const start = zone.atLocal(date, '00:00');
  return read.filter(
    ({ slot, pocket_id }) =>
      pockets.includes(pocket_id) && slot >= start + from * HOUR && slot <= start + to * HOUR,
  );
};

export const meanCalm = (read: readonly Read[]): number =>
  read.reduce((sum, { calm }) => sum + calm, 0) / read.length;

export const calmOnes = (read: readonly Read[]): Read[] =>
  read.filter(({ primary_state }) => isCalmState(primary_state));

/** The sealed probability of calm at a time, by the hour of sealing. */
export async function calmForecasts(
  store: Store,
  pocket: string,
  sealedAt: number,
  minutes: number,
): Promise<number | null> {
  const row = await store.get<{ leaf: number }>(
    `select p.leaf from predictions p
     where p.pocket_id = ? and p.generator = ? and p.slot = ?`,
    pocket,
    projectionGenerator(minutes),
    sealedAt,
  );
  if (!row) return null;
  const entry = (await readEntries(store, [row.leaf]))(row.leaf);
  const { forecast } = JSON.parse(entry.payload) as { forecast: { calm_probability: number } };
  return forecast.calm_probability;
}

/** Of the slots from the fourth day on in which a sensor of the crowd reported, the share with a reading. */
export async function readShare(store: Store, from: number): Promise<{ n: number; share: number }> {
  const row = await store.get<{ n: number; read: number }>(
    `select count(*) as n, count(r.slot) as read from snapshots e
     left join atmosphere_readings r on r.slot = e.slot and r.pocket_id = e.pocket_id
     where e.slot >= ? and (e.crowd_gap is null or e.crowd_gap in ('learning'))`,
    from + 3 * DAY,
  );
  return { n: row?.n ?? 0, share: row?.n ? row.read / row.n : 0 };
}

/** The places of a feed that the snapshots of a day name, from 02:00 on: until then values of the day before are fresh. */
export async function sourcesOn(store: Store, zone: Zone, date: string, feed: string): Promise<Set<string>> {
  const start = zone.atLocal(date, '00:00');
  const rows = await store.all<{ slot: number; pocket_id: string; provenance: string }>(
    'select slot, pocket_id, provenance from snapshots where slot >= ? and slot < ?',
    start + 2 * HOUR,
    start + DAY,
  );
  const places = new Set<string>();
  for (const { slot, pocket_id: pocket, provenance: stored } of rows)
    for (const { kind, source } of (await readProvenance(store, { slot, pocket, stored })) ?? [])
      if (kind === 'crowd' && source.startsWith(`${feed}/`)) places.add(source.slice(feed.length + 1));
  return places;
}
