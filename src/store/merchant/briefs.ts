// Briefs and their answers. Both tables are append-only: an answer is a row of its own, and the key allows one a brief.
import type { AnsweredBy, BriefWindow, MomentBrief } from '../../domain/merchant/brief.ts';
import { DAY } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Reader, Transaction } from '../engine/store.ts';

export interface BriefAnswer {
  answer: 'accepted' | 'declined';
  answered_at: number;
  answered_by: AnsweredBy;
  /** The window that was accepted; null for a decline. */
  window: BriefWindow | null;
}

export interface BriefRecord extends MomentBrief {
  answer: BriefAnswer | null;
}

export type RefusalCode = 'unknown' | 'expired' | 'answered' | 'overlap' | 'window';

/** The answer to a brief was refused; nothing was written. */
export class BriefRefused extends Error {
  override name = 'BriefRefused';
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const writeBriefs = (tx: Transaction, briefs: readonly MomentBrief[]): Promise<void> =>
  tx.insert(
    'moment_briefs',
    briefs.map((brief) => ({ ...brief, value_stack: JSON.stringify(brief.value_stack) })),
  );

interface BriefRow extends Omit<MomentBrief, 'value_stack'> {
  value_stack: string;
  answer: BriefAnswer['answer'] | null;
  answered_at: number | null;
  answered_by: AnsweredBy | null;
  agreed_start: number | null;
  agreed_end: number | null;
}

const briefs = `select b.*, a.answer, a.answered_at, a.answered_by,
    a.window_start as agreed_start, a.window_end as agreed_end
  from moment_briefs b left join brief_answers a on a.brief_id = b.id`;

function fromRow({
  answer,
  answered_at,
  answered_by,
  agreed_start,
  agreed_end,
  value_stack,
  ...brief
}: BriefRow): BriefRecord {
  const window =
    agreed_start === null || agreed_end === null
      ? null
      : { window_start: agreed_start, window_end: agreed_end };
  return {
    ...brief,
    value_stack: JSON.parse(value_stack),
    answer: answer && answered_by && { answer, answered_at: answered_at ?? 0, answered_by, window },
  };
}

/** An upper bound on how long a brief stays open, so that only a day of slots is read. */
const LONGEST_OPEN = DAY;

/** The briefs that can still be answered, oldest first. */
export async function openBriefs(
  store: Reader,
  now: number,
  { pocket, limit = 500 }: { pocket?: string | undefined; limit?: number } = {},
): Promise<BriefRecord[]> {
  const rows = await store.all<BriefRow>(
    `${briefs} where b.slot > ? and b.slot <= ? and b.expires_at > ? and a.brief_id is null
     ${pocket === undefined ? '' : 'and b.pocket_id = ?'} order by b.slot, b.id limit ?`,
    now - LONGEST_OPEN,
    now,
    now,
    ...(pocket === undefined ? [] : [pocket]),
    limit,
  );
  return rows.map(fromRow);
}

export async function findBrief(store: Reader, id: string): Promise<BriefRecord | null> {
  const row = await store.get<BriefRow>(`${briefs} where b.id = ?`, id);
  return row ? fromRow(row) : null;
}

/** A brief, answered or not, as drafting needs it: which outlets have an offer or a commitment already. */
export interface BriefStatus extends Pick<BriefRow, 'outlet_id' | 'slot' | 'expires_at' | 'answer'> {
  window_end: number | null;
}

export const briefStatusesSince = (store: Reader, since: number): Promise<BriefStatus[]> =>
  store.all<BriefStatus>(
    `select b.outlet_id, b.slot, b.expires_at, a.answer, a.window_end
     from moment_briefs b left join brief_answers a on a.brief_id = b.id where b.slot >= ?`,
    since,
  );

/** The briefs drafted at a slot that are not answered. */
export async function unansweredBriefsAt(store: Reader, slot: number): Promise<BriefRecord[]> {
  const rows = await store.all<BriefRow>(
    `${briefs} where b.slot = ? and a.brief_id is null order by b.id`,
    slot,
  );
  return rows.map(fromRow);
}

/** When an answer is given, and the zone of the times in a refusal. */
export interface AnswerContext {
  now: number;
  zone: Zone;
}

/**
 * Records the merchant's acceptance. The commitment starts now, or later within the offered window. Refuses a brief
 * that is unknown, expired or answered, a window outside the offer, and one that overlaps another commitment of the
 * outlet.
 */
export async function acceptBrief(
  tx: Transaction,
  id: string,
  { now, zone }: AnswerContext,
  window?: BriefWindow,
  by: AnsweredBy = 'operator',
): Promise<BriefRecord> {
  const brief = await answerable(tx, id, { now, zone });
  const { window_start: from, window_end } = window ?? brief;
  const window_start = Math.max(from, now);
  if (window_end <= from) throw new BriefRefused('window', 'the window must end after it begins');
  if (window_end <= now) throw new BriefRefused('window', 'the window is already over');
  if (from < brief.window_start || window_end > brief.window_end)
    throw new BriefRefused(
      'window',
      `the window must lie within ${zone.localClock(brief.window_start)}-${zone.clockWithZone(brief.window_end)}, as offered`,
    );
  const other = await tx.get<{ brief_id: string }>(
    'select brief_id from brief_answers where outlet_id = ? and window_end > ? and window_start < ? limit 1',
    brief.outlet_id,
    window_start,
    window_end,
  );
  if (other) throw new BriefRefused('overlap', `the outlet is committed to ${other.brief_id} at that time`);
  return answer(tx, brief, {
    answer: 'accepted',
    answered_at: now,
    answered_by: by,
    window: { window_start, window_end },
  });
}

export async function declineBrief(
  tx: Transaction,
  id: string,
  { now, zone }: AnswerContext,
  by: AnsweredBy = 'operator',
): Promise<BriefRecord> {
  const brief = await answerable(tx, id, { now, zone });
  return answer(tx, brief, { answer: 'declined', answered_at: now, answered_by: by, window: null });
}

async function answerable(tx: Transaction, id: string, { now, zone }: AnswerContext): Promise<BriefRecord> {
  // Locks a row, so that concurrent answers wait here for each other and each sees what the other wrote.
  await tx.run('update store_revision set revision = revision');
  const brief = await findBrief(tx, id);
  if (!brief || brief.slot > now) throw new BriefRefused('unknown', 'there is no such brief');
  if (brief.answer) throw new BriefRefused('answered', `the brief was already ${brief.answer.answer}`);
  if (brief.expires_at <= now)
    throw new BriefRefused('expired', `the brief expired at ${zone.clockWithZone(brief.expires_at)}`);
  return brief;
}

async function answer(tx: Transaction, brief: BriefRecord, given: BriefAnswer): Promise<BriefRecord> {
  const { window, ...rest } = given;
  await tx.insert('brief_answers', [
    {
      brief_id: brief.id,
      pocket_id: brief.pocket_id,
      outlet_id: brief.outlet_id,
      ...rest,
      window_start: window?.window_start ?? null,
      window_end: window?.window_end ?? null,
    },
  ]);
  return { ...brief, answer: given };
}
