// Silences with their verdicts, as lists and counts; verdicts.ts computes and writes the verdicts.
import type { SilenceReason } from '../../domain/decision/silence-reason.ts';
import { slotSpan, type Window } from '../../domain/time/window.ts';
import type { LineOutcome } from '../../domain/verdict/line-serves.ts';
import { afterPosition, type PocketPosition } from '../engine/pocket-position.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Value } from '../engine/store.ts';
import { readTotals } from '../rollup/read-rollups.ts';
import { pocketRollup } from '../rollup/tables.ts';
import { byDay, windowAndDays, withinDays } from '../rows/day-index.ts';

export interface VindicationRow {
  id: string;
  slot: number;
  pocket_id: string;
  reason: SilenceReason;
  window_end: number;
  /** This and the following fields are null until the window has ended and the silence is judged. */
  revealed_at: number | null;
  vindicated: 0 | 1 | null;
  attention_minutes_preserved: number | null;
  outcome: LineOutcome | null;
}

export interface VindicationFilter extends Window {
  pocket: string | undefined;
  revealedOnly: boolean;
}

function selection(
  { after, until: end, pocket, revealedOnly }: VindicationFilter,
  from: PocketPosition | undefined,
): [where: string, ...Value[]] {
  const until = from ? Math.min(end, from.slot) : end;
  const [own, ...values]: [string, ...Value[]] =
    pocket === undefined
      ? ['s.slot > ? and s.slot <= ?', after, until]
      : [`${withinDays('s.slot')} and s.pocket_id = ?`, ...windowAndDays({ after, until }), pocket];
  const [rest, ...position] = afterPosition(from, 's.');
  return [`${own} and ${rest}${revealedOnly ? ' and v.leaf is not null' : ''}`, ...values, ...position];
}

/** Silences with their verdicts, newest first; those that follow `from`, if it is given. */
export function vindicationLedger(
  store: Reader,
  filter: VindicationFilter,
  limit: number,
  from?: PocketPosition,
): Promise<VindicationRow[]> {
  const [where, ...params] = selection(filter, from);
  const newest = filter.pocket === undefined ? 's.slot desc' : byDay('desc', 's.');
  return store.all<VindicationRow>(
    `select s.id, s.slot, s.pocket_id, s.reason, s.window_end,
       v.revealed_at, 1 - v.served as vindicated, v.attention_minutes_preserved, v.outcome
     from silences s left join verdicts v on ${sameSlotAndPocket('v', 's')}
     where ${where} order by ${newest}, s.pocket_id limit ?`,
    ...params,
    limit,
  );
}

export interface VindicationCounts {
  count: number;
  revealed: number;
  vindicated: number;
  missed: number;
}

export async function countVindications(
  store: Reader,
  { pocket, revealedOnly, ...window }: VindicationFilter,
): Promise<VindicationCounts> {
  const { silences, vindicated, missed, unjudged } = await readTotals(store, pocketRollup, slotSpan(window), {
    sums: ['silences', 'vindicated', 'missed', 'unjudged'],
    only: { pocket_id: pocket },
  });
  const revealed = vindicated + missed + unjudged;
  return { count: revealedOnly ? revealed : silences, revealed, vindicated, missed };
}
