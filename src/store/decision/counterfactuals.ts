// Sealed silences as counterfactuals: what would have been said.
import type { LegitimacyBand } from '../../domain/decision/legitimacy.ts';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import { byDay, windowAndDays, withinDays } from '../rows/day-index.ts';

export interface SealedSilence {
  slot: number;
  payload: Sealed<SilencePayload>;
  payload_hash: string;
}

/** The silences of a pocket, at most one for each slot, newest first, parsed from the canonical text that was hashed. */
export async function sealedSilences(
  store: Reader,
  pocket: string,
  window: Window,
  limit: number,
): Promise<SealedSilence[]> {
  const rows = await store.all<{ slot: number; leaf: number }>(
    `select s.slot, s.leaf from silences s
     where s.pocket_id = ? and ${withinDays('s.slot')} order by ${byDay('desc', 's.')} limit ?`,
    pocket,
    ...windowAndDays(window),
    limit,
  );
  const entryAt = await readEntries(
    store,
    rows.map(({ leaf }) => leaf),
  );
  return rows.map(({ slot, leaf }) => {
    const { payload, payload_hash } = entryAt(leaf);
    return { slot, payload: JSON.parse(payload), payload_hash };
  });
}

export interface BandSums {
  band: LegitimacyBand;
  count: number;
  /** Sum of the legitimacy scores. */
  legitimacy: number;
  /** Sum of the candidates' confidences. */
  confidence: number;
}

/** How many silences of a pocket fell in each band, with the sums of their scores. */
export async function silencesByBand(store: Reader, pocket: string, window: Window): Promise<BandSums[]> {
  // Added up as the whole thousandths that they are stored as: the sum of fractions depends on the order of rows, which
  // PostgreSQL chooses.
  const rows = await store.all<BandSums>(
    `select band, count(*) as count, sum(cast(round(legitimacy_score * 1000) as bigint)) as legitimacy,
       sum(cast(round(candidate_confidence * 1000) as bigint)) as confidence
     from silences where pocket_id = ? and ${withinDays('slot')} group by band`,
    pocket,
    ...windowAndDays(window),
  );
  return rows.map(({ legitimacy, confidence, ...row }) => ({
    ...row,
    legitimacy: legitimacy / 1000,
    confidence: confidence / 1000,
  }));
}
