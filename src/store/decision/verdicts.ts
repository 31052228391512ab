// Judging decisions: those whose end has come with the readings until then, and the verdicts, which are sealed.
import { isCalmState } from '../../domain/atmosphere/primary-state.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { readDecisionId } from '../../domain/decision/silence.ts';
import type { SilenceReason } from '../../domain/decision/silence-reason.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import type { LineOutcome } from '../../domain/verdict/line-serves.ts';
import {
  attentionMinutes,
  type SealedDecision,
  slotsJudged,
  type VerdictPayload,
  verdictPayload,
  verdictText,
} from '../../domain/verdict/verdict.ts';
import { WITHOUT_WINDOW } from '../../domain/window/calm-window.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { exactHundredths } from '../engine/thousandths.ts';
import { readEntries } from '../ledger/entries.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';
import { outcomeNumbers, silenceReasonNumbers } from '../rows/decision-words.ts';
import { keyedInDistrict, ofDistrict, rowsAt } from '../rows/district-rows.ts';

/** A decision whose end has come. */
interface DueDecision extends SealedDecision {
  /** Why it was silent; null for a line. */
  reason: SilenceReason | null;
}

type DueRow = Omit<DueDecision, 'ends_at' | 'spoke'> & { spoke: number };

export interface Judged {
  decision: DueDecision;
  verdict: VerdictPayload;
  /** Mean footfall after the decision, people an hour; null where nobody was counted. */
  footfall: number | null;
}

/** The decisions of a district that are judged at `end`, each with its verdict. */
export async function judgedAt(store: Reader, end: number, district = WHOLE_CITY): Promise<Judged[]> {
  const silent = keyedInDistrict('window_end', end, district);
  const spoken = ofDistrict('pocket_id', district);
  const due = await store.all<DueRow>(
    `select id, leaf, slot, pocket_id, usual_calm, reason, 0 as spoke from silences where ${silent.where}
     union all
     select id, leaf, slot, pocket_id, usual_calm, null as reason, 1 as spoke from packages
     where expires_at = ? ${spoken.and}
     order by pocket_id, slot`,
    ...silent.params,
    end,
    ...spoken.params,
  );
  return judge(store, due, () => end, district);
}

/** Whether each silence of a slot was right by an hour later, by pocket; null where that could not be judged. */
export async function silencesRight(
  store: Reader,
  slot: number,
  district = WHOLE_CITY,
): Promise<Map<string, number | null>> {
  const { where, params } = keyedInDistrict('slot', slot, district);
  const silences = await store.all<DueRow>(
    `select id, leaf, slot, pocket_id, usual_calm, reason, 0 as spoke from silences where ${where}`,
    ...params,
  );
  const judged = await judge(store, silences, () => slot + WITHOUT_WINDOW, district);
  return new Map(
    judged.map(({ decision, verdict: { served } }) => [
      decision.pocket_id,
      served === null ? null : Number(!served),
    ]),
  );
}

async function judge(
  store: Reader,
  due: readonly DueRow[],
  windowEnd: (row: DueRow) => number,
  district: string,
): Promise<Judged[]> {
  const decisions = due.map((row) => ({ ...row, ends_at: windowEnd(row), spoke: row.spoke === 1 }));
  const readings = await readingsAtSlots(store, new Set(decisions.flatMap(slotsJudged)), district);
  return decisions.map((decision) => {
    const bySlot = readings.get(decision.pocket_id);
    const judged = slotsJudged(decision).map((slot) => bySlot?.get(slot) ?? null);
    const counted = judged.slice(1).flatMap((reading) => reading?.footfall ?? []);
    return {
      decision,
      verdict: verdictPayload(decision, {
        calm: judged.map((reading) => reading?.calm ?? null),
        calm_state: judged.map((reading) => reading && isCalmState(reading.primary_state)),
      }),
      footfall: counted.length ? counted.reduce((sum, people) => sum + people, 0) / counted.length : null,
    };
  });
}

interface ReadingInWindow extends Pick<Reading, 'calm' | 'primary_state'> {
  footfall: number | null;
}

/**
 * By pocket and slot. Put together here, slot by slot: each table is read by its key, however many rows PostgreSQL expects of
 * slots that are new to it.
 */
async function readingsAtSlots(
  store: Reader,
  slots: ReadonlySet<number>,
  district: string,
): Promise<Map<string, Map<number, ReadingInWindow>>> {
  const found = await Promise.all(
    [...slots].map(async (slot) => {
      const [readings, measured] = await Promise.all([
        rowsAt<Pick<Reading, 'calm' | 'primary_state'>>(
          store,
          'atmosphere_readings',
          'calm, primary_state',
          slot,
          district,
        ),
        rowsAt<Pick<ReadingInWindow, 'footfall'>>(store, 'snapshots', 'footfall', slot, district),
      ]);
      return { slot, readings, measured };
    }),
  );
  const byPocket = new Map<string, Map<number, ReadingInWindow>>();
  for (const { slot, readings, measured } of found)
    for (const [pocket, { calm, primary_state }] of readings) {
      const own = byPocket.get(pocket) ?? new Map<number, ReadingInWindow>();
      byPocket.set(pocket, own);
      own.set(slot, { calm, primary_state, footfall: measured.get(pocket)?.footfall ?? null });
    }
  return byPocket;
}

/** Seals verdicts: a row, and its payload in the ledger, in one transaction. */
export async function writeVerdicts(
  tx: Transaction,
  ledger: LedgerLog,
  judged: readonly Judged[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'verdict',
    judged.map(({ verdict }) => ({ id: verdict.id, payload: verdict })),
  );
  const rows = judged.map(({ decision, verdict, footfall }, i) => ({
    leaf: sealed[i]?.leaf ?? -1,
    slot: decision.slot,
    window_ms: decision.ends_at - decision.slot,
    attention_hundredths: exactHundredths(
      'attention',
      !decision.spoke && verdict.served === false ? (attentionMinutes(footfall) ?? 0) : 0,
    ),
    spoke: decision.spoke ? 1 : 0,
    served: verdict.served === null ? null : verdict.served ? 1 : 0,
    reason: decision.reason && silenceReasonNumbers[decision.reason],
    outcome: outcomeNumbers[verdict.outcome],
    pocket_id: decision.pocket_id,
  }));
  await tx.insert('verdict_figures', rows);
}

/** The verdict on a decision as it is shown. */
export interface Verdict {
  /** Whether a line served, or would have; null where it could not be judged. */
  served: boolean | null;
  /** Whether the decision was right. */
  right: boolean | null;
  outcome: LineOutcome;
  reason: string;
  revealed_at: number;
  attention_minutes_preserved: number;
  payload: Sealed<VerdictPayload>;
}

/** The verdict on a decision; null until it is judged. */
export async function readVerdict(store: Reader, decision: string): Promise<Verdict | null> {
  const place = readDecisionId(decision);
  if (!place) return null;
  const row = await store.get<{
    spoke: number;
    served: number | null;
    outcome: LineOutcome;
    revealed_at: number;
    attention_minutes_preserved: number;
    leaf: number;
  }>(
    `select v.spoke, v.served, v.outcome, v.revealed_at, v.attention_minutes_preserved, v.leaf
     from verdicts v where v.pocket_id = ? and v.slot = ?`,
    place.pocket_id,
    place.slot,
  );
  if (!row) return null;
  const { spoke, outcome, revealed_at, attention_minutes_preserved } = row;
  const served = row.served === null ? null : row.served === 1;
  return {
    served,
    right: served === null ? null : served === (spoke === 1),
    outcome,
    reason: verdictText(spoke === 1, outcome),
    revealed_at,
    attention_minutes_preserved,
    payload: JSON.parse((await readEntries(store, [row.leaf]))(row.leaf).payload),
  };
}
