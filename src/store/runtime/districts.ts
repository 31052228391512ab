// The districts of pockets, which of them have run a job, and what they have handed over to be sealed.
import { randomUUID } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { allOfPockets, inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { ofJob } from './job-runs.ts';
import { writeVersion } from './pipeline-state.ts';

interface PocketDistrict {
  pocket_id: string;
  district: string;
}

/** By pocket; empty in a city of one district. */
export async function pocketDistricts(store: Reader): Promise<Map<string, string>> {
  const rows = await store.all<PocketDistrict>('select pocket_id, district from pocket_districts');
  return new Map(rows.map(({ pocket_id, district }) => [pocket_id, district]));
}

/** The same of some pockets. */
export async function districtsOf(
  store: Reader,
  pockets: readonly string[],
): Promise<(pocket: string) => string> {
  const rows = await allOfPockets<PocketDistrict>(
    store,
    pockets,
    'select d.pocket_id, d.district from asked a cross join pocket_districts d where d.pocket_id = a.pocket_id',
  );
  const found = new Map(rows.map(({ pocket_id, district }) => [pocket_id, district]));
  return (pocket) => found.get(pocket) ?? WHOLE_CITY;
}

/** Replaces the districts of all pockets; what was learned of a pocket moves with it. */
export async function writePocketDistricts(
  tx: Transaction,
  districts: ReadonlyMap<string, string>,
): Promise<void> {
  const before = await pocketDistricts(tx);
  await moveState(tx, before, districts);
  await tx.run('delete from pocket_districts');
  await tx.insert(
    'pocket_districts',
    [...districts].map(([pocket_id, district]) => ({ pocket_id, district })),
  );
}

/** The keys of the state that is about one pocket end with its id. */
async function moveState(
  tx: Transaction,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<void> {
  const districtIn = (districts: ReadonlyMap<string, string>, pocket: string) =>
    districts.get(pocket) ?? WHOLE_CITY;
  const rows = await tx.all<{ district: string; key: string }>('select district, key from pipeline_state');
  const moving = rows.flatMap(({ district, key }) => {
    const pocket = key.slice(key.lastIndexOf(' ') + 1);
    if (!before.has(pocket) && !after.has(pocket)) return [];
    const to = districtIn(after, pocket);
    return district === districtIn(before, pocket) && district !== to ? [{ from: district, to, key }] : [];
  });
  for (const group of Map.groupBy(moving, ({ from, to }) => `${from} ${to}`).values())
    for (const chunk of inClauseChunks(group.map(({ key }) => key)))
      await tx.run(
        `update pipeline_state set district = ? where district = ? and key in (${inClause(chunk)})`,
        group[0]?.to ?? WHOLE_CITY,
        group[0]?.from ?? WHOLE_CITY,
        ...chunk,
      );
  // Workers hold entries in memory: another version makes them read again.
  for (const district of new Set(moving.flatMap(({ from, to }) => [from, to])))
    await writeVersion(tx, randomUUID(), district);
}

/** A job of a slot, which every district runs for itself. */
export interface Step {
  job: string;
  slot: number;
}

/**
 * True for the one worker that may run a step for a district, as `claim` is for the whole city. Refused once the step is
 * complete: a district that comes too late has nobody to seal what it writes.
 */
export async function claimDistrict(
  tx: Transaction,
  { job, slot }: Step,
  district: string,
  worker: string,
  now: number,
): Promise<boolean> {
  const won = await tx.get(
    `insert into district_runs (job, slot, district, worker, ran_at)
     select ?, cast(? as bigint), ?, ?, cast(? as bigint)
     where not exists (select 1 from job_claims where ${ofJob} and slot = ?)
     on conflict (job, slot, district) do nothing returning slot`,
    ...[job, slot, district, worker, now, job, slot],
  );
  return won !== undefined;
}

/** The districts that have run a step. */
export const districtsRun = async (store: Reader, { job, slot }: Step): Promise<Set<string>> =>
  new Set(
    (
      await store.all<{ district: string }>(
        'select district from district_runs where job = ? and slot = ?',
        job,
        slot,
      )
    ).map(({ district }) => district),
  );

/** The worker that last ran a job for each district since a slot: it has the district's state in memory. */
export async function lastWorkers(store: Reader, job: string, since: number): Promise<Map<string, string>> {
  const rows = await store.all<{ district: string; worker: string }>(
    'select district, worker from district_runs where job = ? and slot >= ? order by slot, ran_at',
    job,
    since,
  );
  return new Map(rows.map(({ district, worker }) => [district, worker]));
}

/** The steps before a slot that some district has run and that are not complete. */
export const openSteps = (store: Reader, before: number): Promise<Step[]> =>
  store.all<Step>(
    `select distinct d.job, d.slot from district_runs d where d.slot < ? and not exists (
       select 1 from job_claims c join run_names n on n.number = c.job where n.name = d.job and c.slot = d.slot
     )`,
    before,
  );

export const removeDistrictRuns = (tx: Transaction, job: string, before: number): Promise<void> =>
  tx.run('delete from district_runs where job = ? and slot < ?', job, before);

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

interface HandedOver {
  kind: string;
  rows: unknown;
}

export const writeHandedOver = (
  tx: Transaction,
  { job, slot }: Step,
  district: string,
  number: number,
  { kind, rows }: HandedOver,
): Promise<void> =>
  tx.insert('handed_over', [
    { job, slot, district, number, kind, body: zstdCompressSync(JSON.stringify(rows), FAST) },
  ]);

/** The districts that have handed over something for a step. */
export const districtsHandingOver = async (store: Reader, { job, slot }: Step): Promise<string[]> =>
  (
    await store.all<{ district: string }>(
      'select distinct district from handed_over where job = ? and slot = ?',
      job,
      slot,
    )
  ).map(({ district }) => district);

/** What a district has handed over for a step, in its order. */
export async function* readHandedOver(
  store: Reader,
  { job, slot }: Step,
  district: string,
): AsyncGenerator<HandedOver> {
  for (let after = -1; ; ) {
    const row = await store.get<{ number: number; kind: string; body: Uint8Array }>(
      `select number, kind, body from handed_over where job = ? and slot = ? and district = ? and number > ?
       order by number limit 1`,
      ...[job, slot, district, after],
    );
    if (!row) return;
    yield { kind: row.kind, rows: JSON.parse(zstdDecompressSync(row.body).toString()) };
    after = row.number;
  }
}

export const removeHandedOver = (tx: Transaction, { job, slot }: Step, district: string): Promise<void> =>
  tx.run('delete from handed_over where job = ? and slot = ? and district = ?', job, slot, district);
