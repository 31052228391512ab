// Decisions as they are explained: silences and packages (`emit`) in one list, and each in detail.
import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { readDecisionId, type SilencePayload } from '../../domain/decision/silence.ts';
import type { Tier } from '../../domain/decision/tier.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader, Value } from '../engine/store.ts';

export type DecisionType = 'emit' | 'silence';

export interface DecisionSummary {
  type: DecisionType;
  id: string;
  slot: number;
  pocket_id: string;
  /** The closed gate; null when the candidate was said. */
  gate: ClosedGate | null;
  legitimacy_score: number;
}

export interface DecisionFilter extends Window {
  pocket: string | undefined;
  types: readonly DecisionType[];
}

const tables = {
  silence: { name: 'silences', gate: 'gate' },
  emit: { name: 'packages', gate: 'cast(null as text)' },
} as const;

const selection = ({ after, until, pocket }: DecisionFilter): [where: string, ...Value[]] =>
  pocket === undefined
    ? ['slot > ? and slot <= ?', after, until]
    : ['slot > ? and slot <= ? and pocket_id = ?', after, until, pocket];

/**
 * Decisions of the given types, newest first. Each table is limited before the union, so that no more than `limit` rows
 * of each are merged.
 */
export function listDecisions(
  store: Reader,
  filter: DecisionFilter,
  limit: number,
): Promise<DecisionSummary[]> {
  const [where, ...params] = selection(filter);
  const newest = filter.types.map((type) => {
    const { name, gate } = tables[type];
    return `select * from (
      select '${type}' as type, id, slot, pocket_id, ${gate} as gate, legitimacy_score
      from ${name} where ${where} order by slot desc, pocket_id limit ?) as ${name}`;
  });
  return store.all<DecisionSummary>(
    `${newest.join(' union all ')} order by slot desc, pocket_id limit ?`,
    ...filter.types.flatMap(() => [...params, limit]),
    limit,
  );
}

export async function countDecisions(store: Reader, filter: DecisionFilter): Promise<number> {
  const [where, ...params] = selection(filter);
  let count = 0;
  for (const type of filter.types) {
    const row = await store.get<{ count: number }>(
      `select count(*) as count from ${tables[type].name} where ${where}`,
      ...params,
    );
    count += row?.count ?? 0;
  }
  return count;
}

export interface SilenceDetail extends DecisionSummary {
  payload: Sealed<SilencePayload>;
  payload_hash: string;
  candidate_confidence: number;
  window_end: number;
}

/** The row is found by the pocket and slot in the id. */
export async function silenceById(store: Reader, id: string): Promise<SilenceDetail | null> {
  const { pocket_id = '', slot = 0 } = readDecisionId(id) ?? {};
  const row = await store.get<Omit<SilenceDetail, 'payload'> & { payload: string }>(
    `select 'silence' as type, s.id, s.slot, s.pocket_id, s.gate, s.legitimacy_score, s.candidate_confidence,
       s.window_end, e.payload, e.payload_hash
     from silences s join ledger_entries e on e.leaf = s.leaf
     where s.pocket_id = ? and s.slot = ? and s.id = ?`,
    pocket_id,
    slot,
    id,
  );
  return row ? { ...row, payload: JSON.parse(row.payload) } : null;
}

export interface EmissionDetail extends DecisionSummary {
  tier: Tier;
  composed_text: string;
  confidence: number;
  expires_at: number;
  superseded_by: string | null;
}

export async function emissionById(store: Reader, id: string): Promise<EmissionDetail | null> {
  const row = await store.get<EmissionDetail>(
    `select 'emit' as type, p.id, p.slot, p.pocket_id, cast(null as text) as gate, p.legitimacy_score, p.tier,
       p.composed_text, p.confidence, p.expires_at, s.superseded_by
     from packages p left join package_supersessions s on s.package_id = p.id where p.id = ?`,
    id,
  );
  return row ?? null;
}
