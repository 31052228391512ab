// Why nothing was said of a pocket at a slot with a moment: the reason of its silence, or the kind of its pause.
import { currentSlots } from '../../domain/atmosphere/reading.ts';
import type { Reason } from '../../domain/decision/silence-reason.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';

const ofAsked = [
  { table: 'silences', reason: 'reason' },
  { table: 'pauses', reason: 'kind' },
]
  .map(
    ({ table, reason }) =>
      `select t.pocket_id, t.slot, t.${reason} as reason from asked a cross join ${table} t
       where t.pocket_id = a.pocket_id and t.slot in (?, ?)`,
  )
  .join(' union all ');

interface ReasonRow {
  pocket_id: string;
  slot: number;
  reason: Reason;
}

/** What was decided at a slot, or the kind of its pause: reason is null when the service spoke. Null without a decision. */
export async function decidedAt(
  store: Reader,
  pocket: string,
  slot: number,
): Promise<{ reason: Reason | null; legitimacy_score: number } | null> {
  const at = 'where pocket_id = ? and slot = ?';
  const row = await store.get<{ reason: Reason | null; legitimacy_score: number }>(
    `select reason, legitimacy_score from silences ${at}
     union all select kind as reason, legitimacy_score from pauses ${at}
     union all select cast(null as text) as reason, legitimacy_score from packages ${at}`,
    ...[pocket, slot, pocket, slot, pocket, slot],
  );
  return row ?? null;
}

/** Null when the service spoke. */
export async function reasonAt(store: Reader, pocket: string, slot: number): Promise<Reason | null> {
  const row = await store.get<{ reason: Reason }>(
    `select reason from silences where pocket_id = ? and slot = ?
     union all select kind as reason from pauses where pocket_id = ? and slot = ?`,
    ...[pocket, slot, pocket, slot],
  );
  return row?.reason ?? null;
}

/** The reasons of some pockets at the slots of current moments, by `pocket_id slot`. */
export async function currentReasons(
  store: Reader,
  now: number,
  pockets: readonly string[],
): Promise<Map<string, Reason>> {
  const slots = currentSlots(now);
  const rows = await allOfPockets<ReasonRow>(store, pockets, ofAsked, ...slots, ...slots);
  return new Map(rows.map(({ pocket_id, slot, reason }) => [`${pocket_id} ${slot}`, reason]));
}
