// Decisions as they are explained: silences, packages (`emit`) and pauses in one list, and each in detail.

import { decisionId, readDecisionId, type SilencePayload } from '../../domain/decision/silence.ts';
import type { PauseKind, Reason } from '../../domain/decision/silence-reason.ts';
import type { Package } from '../../domain/narration/package.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import type { PocketSum } from '../../domain/stats/rollup.ts';
import { slotSpan, type Window } from '../../domain/time/window.ts';
import type { LinePayload } from '../../domain/verdict/line-payload.ts';
import { afterPosition, type PocketPosition } from '../engine/pocket-position.ts';
import type { Reader, Value } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import { readTotals } from '../rollup/read-rollups.ts';
import { pocketRollup } from '../rollup/tables.ts';
import { byDay, windowAndDays, withinDays } from '../rows/day-index.ts';
import { pauseKindNumbers } from '../rows/decision-words.ts';

export type DecisionType = 'emit' | 'silence' | PauseKind;

export interface DecisionSummary {
  type: DecisionType;
  id: string;
  slot: number;
  pocket_id: string;
  /** Null when the candidate was said. */
  reason: Reason | null;
  legitimacy_score: number;
}

export interface DecisionFilter extends Window {
  pocket: string | undefined;
  types: readonly DecisionType[];
}

interface Table {
  name: string;
  reason: string;
  /** Which of its rows are of the type. */
  only?: string;
  /** Whether the rows of a pocket are in the order of days. */
  byDay?: true;
}

const pauseTable = (kind: PauseKind): Table => ({
  name: 'pauses',
  reason: 'kind',
  only: `kind_number = ${pauseKindNumbers[kind]}`,
  byDay: true,
});

const tables: Record<DecisionType, Table> = {
  silence: { name: 'silences', reason: 'reason', byDay: true },
  emit: { name: 'packages', reason: 'cast(null as text)' },
  quiet_hours: pauseTable('quiet_hours'),
  already_speaking: pauseTable('already_speaking'),
};

function selection(
  { after, until: end, pocket }: DecisionFilter,
  from: DecisionPosition | undefined,
): [where: string, ...Value[]] {
  const until = from ? Math.min(end, from.slot) : end;
  return pocket === undefined
    ? ['slot > ? and slot <= ?', after, until]
    : [`${withinDays('slot')} and pocket_id = ?`, ...windowAndDays({ after, until }), pocket];
}

const fromTable = ({ name, only }: Pick<Table, 'name' | 'only'>, where: string): string =>
  `from ${name} where ${only ? `${only} and ` : ''}${where}`;

export interface DecisionPosition extends PocketPosition {
  type: DecisionType;
}

/**
 * Decisions of the given types, newest first; those that follow `from`, if it is given. Each table is limited before the
 * union, so that no more than `limit` rows of each are merged.
 */
export async function listDecisions(
  store: Reader,
  filter: DecisionFilter,
  limit: number,
  from?: DecisionPosition,
): Promise<DecisionSummary[]> {
  const [own, ...values] = selection(filter, from);
  const newest: string[] = [];
  const params: Value[] = [];
  for (const type of filter.types) {
    const { reason, ...table } = tables[type];
    const bySlot = table.byDay && filter.pocket !== undefined ? byDay('desc') : 'slot desc';
    const [rest, ...position] = afterPosition(from, '', from && type > from.type ? '>=' : '>');
    newest.push(`select * from (
      select '${type}' as type, slot, pocket_id, ${reason} as reason, legitimacy_score
      ${fromTable(table, `${own} and ${rest}`)} order by ${bySlot}, pocket_id limit ?) as ${type}_rows`);
    params.push(...values, ...position, limit);
  }
  const rows = await store.all<Omit<DecisionSummary, 'id'>>(
    `${newest.join(' union all ')} order by slot desc, pocket_id, type limit ?`,
    ...params,
    limit,
  );
  return rows.map(({ type, slot, pocket_id, reason, legitimacy_score }) => ({
    type,
    slot,
    pocket_id,
    reason,
    legitimacy_score,
    id: decisionId(pocket_id, slot),
  }));
}

/** From rollups: a month of a large city has millions of decisions. */
export async function countDecisions(
  store: Reader,
  { pocket, types, ...window }: DecisionFilter,
): Promise<number> {
  const sums = types.map((type) => sumOf[type]);
  const totals = await readTotals(store, pocketRollup, slotSpan(window), {
    sums,
    only: { pocket_id: pocket },
  });
  return sums.reduce((count, sum) => count + totals[sum], 0);
}

const sumOf = {
  silence: 'silences',
  emit: 'emissions',
  quiet_hours: 'quiet_hours',
  already_speaking: 'already_speaking',
} as const satisfies Record<DecisionType, PocketSum>;

export interface SilenceDetail extends DecisionSummary {
  payload: Sealed<SilencePayload>;
  payload_hash: string;
  candidate_confidence: number;
  window_end: number;
}

/** A row before its entry is read. */
type Unsealed<T> = Omit<T, 'payload' | 'payload_hash'> & { leaf: number };

async function withSealed<T extends { leaf: number }>(store: Reader, { leaf, ...row }: T) {
  const { payload, payload_hash } = (await readEntries(store, [leaf]))(leaf);
  return { ...row, payload: JSON.parse(payload), payload_hash };
}

/** The row is found by the pocket and slot in the id. */
export async function silenceById(store: Reader, id: string): Promise<SilenceDetail | null> {
  const { pocket_id = '', slot = 0 } = readDecisionId(id) ?? {};
  const row = await store.get<Unsealed<SilenceDetail>>(
    `select 'silence' as type, s.id, s.slot, s.pocket_id, s.reason, s.legitimacy_score, s.candidate_confidence,
       s.window_end, s.leaf
     from silences s
     where s.pocket_id = ? and s.slot = ? and s.id = ?`,
    pocket_id,
    slot,
    id,
  );
  return row ? withSealed(store, row) : null;
}

export interface EmissionDetail
  extends DecisionSummary,
    Pick<Package, 'tier' | 'composed_text' | 'confidence' | 'expires_at'> {
  payload: Sealed<LinePayload>;
  payload_hash: string;
}

export async function emissionById(store: Reader, id: string): Promise<EmissionDetail | null> {
  const row = await store.get<Unsealed<EmissionDetail>>(
    `select 'emit' as type, p.id, p.slot, p.pocket_id, cast(null as text) as reason, p.legitimacy_score, p.tier,
       p.composed_text, p.confidence, p.expires_at, p.leaf
     from packages p where p.id = ?`,
    id,
  );
  return row ? withSealed(store, row) : null;
}

export interface PauseDetail extends DecisionSummary {
  type: PauseKind;
  reason: PauseKind;
  /** The package that was live; null in quiet hours. */
  package_id: string | null;
}

/** A pause with the newest package that was live at its slot. */
export async function pauseById(store: Reader, kind: PauseKind, id: string): Promise<PauseDetail | null> {
  const { pocket_id = '', slot = 0, rest } = readDecisionId(id) ?? {};
  const row = await store.get<{ legitimacy_score: number; package_id: string | null }>(
    `select legitimacy_score, (select max(k.id) from packages k
       where k.pocket_id = p.pocket_id and k.slot < p.slot and k.expires_at > p.slot) as package_id
     from pauses p where p.slot = ? and p.pocket_id = ? and p.kind = ?`,
    slot,
    pocket_id,
    kind,
  );
  return row && rest === '' ? { ...row, type: kind, reason: kind, id, slot, pocket_id } : null;
}
