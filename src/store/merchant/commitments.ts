// Commitments: accepted briefs, read from brief_answers. Declined ones have no window.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { COMMITMENT_MEMORY, type CommitmentWindow } from '../../domain/decision/moment.ts';
import type { AnsweredBy, BriefWindow, MomentBrief } from '../../domain/merchant/brief.ts';
import type { Reader } from '../engine/store.ts';
import { ofDistrict } from '../rows/district-rows.ts';

/** An accepted brief whose window is running. */
export interface Commitment
  extends BriefWindow,
    Pick<MomentBrief, 'pocket_id' | 'outlet_id' | 'value_stack'> {
  answered_by: AnsweredBy;
}

/** The commitments of a pocket, or of all, that run at `now`, the one that ends first at the top. Only time ends one. */
export async function liveCommitments(
  store: Reader,
  pocket: string | undefined,
  now: number,
): Promise<Commitment[]> {
  const rows = await store.all<Omit<Commitment, 'value_stack'> & { value_stack: string }>(
    `select a.pocket_id, a.outlet_id, a.answered_by, a.window_start, a.window_end, b.value_stack
     from brief_answers a
     join moment_briefs b on b.id = a.brief_id
     where a.answer = 'accepted' and a.answered_at <= ? and a.window_start <= ? and a.window_end > ?
       ${pocket === undefined ? '' : 'and a.pocket_id = ?'}
     order by a.window_end, a.brief_id`,
    now,
    now,
    now,
    ...(pocket === undefined ? [] : [pocket]),
  );
  return rows.map(({ value_stack, ...row }) => ({ ...row, value_stack: JSON.parse(value_stack) }));
}

/** The starts, past or agreed, of the commitments of a pocket, or of all, that end after `since`. */
export const commitmentStarts = (
  store: Reader,
  pocket: string | undefined,
  since: number,
  now: number,
): Promise<{ pocket_id: string; window_start: number }[]> =>
  store.all<{ pocket_id: string; window_start: number }>(
    `select pocket_id, window_start from brief_answers
     where window_end > ? and answered_at <= ? and answer = 'accepted'
       ${pocket === undefined ? '' : 'and pocket_id = ?'}
     order by window_start`,
    since,
    now,
    ...(pocket === undefined ? [] : [pocket]),
  );

/** By an expression: for the order of the ids themselves SQLite reads all answers there ever were. */
const inOrder = "order by brief_id || ''";

/** A commitment that has ended and can be settled. */
export interface EndedCommitment extends BriefWindow, Pick<MomentBrief, 'pocket_id' | 'outlet_id'> {
  brief_id: string;
}

/** The commitments whose window ended in (after, until]. */
export const endedCommitments = (store: Reader, after: number, until: number): Promise<EndedCommitment[]> =>
  store.all<EndedCommitment>(
    `select brief_id, pocket_id, outlet_id, window_start, window_end from brief_answers
     where window_end > ? and window_end <= ? and answer = 'accepted' ${inOrder}`,
    after,
    until,
  );

/** The commitments that run through the quarter hour that ends with `slot`. */
export const commitmentsRunningAt = (
  store: Reader,
  slot: number,
): Promise<Pick<EndedCommitment, 'outlet_id' | 'window_end'>[]> =>
  store.all(
    `select outlet_id, window_end from brief_answers
     where window_end >= ? and window_start < ? and answer = 'accepted'`,
    slot,
    slot,
  );

/** The windows of each pocket of a district that still take attention at `now`: those that run, and those that ended lately. */
export async function recentCommitmentWindows(
  store: Reader,
  now: number,
  district = WHOLE_CITY,
): Promise<Map<string, CommitmentWindow[]>> {
  const { and, params } = ofDistrict('pocket_id', district);
  const rows = await store.all<CommitmentWindow & { pocket_id: string }>(
    `select pocket_id, window_start, window_end from brief_answers
     where window_end > ? and window_start <= ? and answered_at <= ? and answer = 'accepted' ${and} ${inOrder}`,
    now - COMMITMENT_MEMORY,
    now,
    now,
    ...params,
  );
  return Map.groupBy(rows, ({ pocket_id }) => pocket_id);
}
