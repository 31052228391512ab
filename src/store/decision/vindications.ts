// Judging silences: what happened in the window after each, and the verdicts.
import type { SilenceReason } from '../../domain/decision/silence-reason.ts';
import { type Aftermath, summarizeAftermath, type Verdict } from '../../domain/decision/vindication.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** A silence with what happened in its pocket until its window ended. */
export interface SilenceAftermath extends Omit<Aftermath, 'spoke'> {
  id: string;
  slot: number;
  pocket_id: string;
  reason: SilenceReason;
  /** How many packages were published in the window. */
  spoke: number;
}

/** A silence, with the end of the window by which it is judged. */
interface Silence {
  id: string;
  pocket_id: string;
  reason: SilenceReason;
  window_end: number;
}

/** The silences of a slot, each with what happened in its pocket until its window ended. */
export async function silenceAftermaths(store: Reader, slot: number): Promise<SilenceAftermath[]> {
  const silences = await store.all<Silence>(
    'select id, pocket_id, reason, window_end from silences where slot = ? order by id',
    slot,
  );
  if (!silences.length) return [];
  const last = Math.max(...silences.map(({ window_end }) => window_end));
  const packages = await store.all<{ pocket_id: string; slot: number }>(
    'select pocket_id, slot from packages where slot > ? and slot <= ?',
    slot,
    last,
  );
  const packagesOf = Map.groupBy(packages, ({ pocket_id }) => pocket_id);
  const readings = Map.groupBy(await readingsWithin(store, slot, last), ({ pocket_id }) => pocket_id);
  return silences.flatMap(({ window_end, ...silence }) => {
    const within = readings.get(silence.pocket_id)?.filter((reading) => reading.slot <= window_end) ?? [];
    const then = within.find((reading) => reading.slot === slot);
    if (!then) return [];
    const since = within.filter((reading) => reading.slot > slot);
    return {
      ...silence,
      slot,
      ...summarizeAftermath(then.calm, since),
      spoke: packagesOf.get(silence.pocket_id)?.filter((line) => line.slot <= window_end).length ?? 0,
    };
  });
}

interface ReadingInWindow {
  pocket_id: string;
  slot: number;
  calm: number;
  stress: number;
  footfall: number | null;
  crowd: number | null;
}

const readingsWithin = (store: Reader, first: number, last: number): Promise<ReadingInWindow[]> =>
  store.all<ReadingInWindow>(
    `select r.pocket_id, r.slot, r.calm, r.stress, e.footfall, e.crowd from atmosphere_readings r
     left join env_snapshots e on ${sameSlotAndPocket('e', 'r')}
     where r.slot >= ? and r.slot <= ? order by r.slot, r.pocket_id`,
    first,
    last,
  );

export async function writeVindications(
  tx: Transaction,
  verdicts: readonly (Verdict & { silence: SilenceAftermath; revealed_at: number })[],
): Promise<void> {
  const rows = verdicts.map(({ silence, vindicated, attention_minutes_preserved, reason, revealed_at }) => ({
    silence_id: silence.id,
    slot: silence.slot,
    pocket_id: silence.pocket_id,
    reason: silence.reason,
    revealed_at,
    vindicated: vindicated === null ? null : vindicated ? 1 : 0,
    attention_minutes_preserved,
    verdict_reason: reason,
  }));
  await tx.insert('vindications', rows);
}

/** The verdict on a silence; null until it is judged. */
export async function vindicationOf(
  store: Reader,
  silence: string,
): Promise<(Verdict & { revealed_at: number }) | null> {
  const row = await store.get<
    Omit<Verdict, 'vindicated'> & { vindicated: 0 | 1 | null; revealed_at: number }
  >(
    `select vindicated, attention_minutes_preserved, verdict_reason as reason, revealed_at from vindications where silence_id = ?`,
    silence,
  );
  return row ? { ...row, vindicated: row.vindicated === null ? null : row.vindicated === 1 } : null;
}
