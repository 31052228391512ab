// The queue of human reviews: withheld lines and near misses, and the verdicts on them.

import type { Gate } from '../../domain/decision/gates.ts';
import { NEAR_MISS_REVIEW_TIME, type Review, type ReviewVerdict } from '../../domain/decision/review.ts';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import { packageQuality } from '../../domain/narration/package.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { localSlot } from '../engine/local-slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import { gateNumbers } from '../rows/decision-words.ts';

export interface OpenReview extends Review {
  /** Since it was withheld, in milliseconds. */
  age: number;
}

/** The oldest of each origin. */
const MOST_PER_ORIGIN = 500;

/** Withheld lines and near misses without a verdict, the oldest first. */
export async function openReviews(store: Reader, now: number, zone: Zone): Promise<OpenReview[]> {
  const found = [
    ...(await withheldAnswers(store)),
    ...(await withheldDrafts(store, zone)),
    ...(await nearMisses(store, now)),
  ];
  const resolved = await resolvedIds(store, now);
  return found
    .filter(({ id }) => !resolved.has(id))
    .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
    .map((review) => ({ ...review, age: now - review.since }));
}

async function withheldAnswers(store: Reader): Promise<Review[]> {
  const rows = await store.all<{ id: string; at: number; operation: string; faults: string; line: string }>(
    `select id, at, operation, faults, line from withheld_lines l
     where not exists (select 1 from review_verdicts v where v.review_id = l.id) order by at, id limit ?`,
    MOST_PER_ORIGIN,
  );
  return rows.map(({ id, at, operation, faults, line }) => ({
    id,
    origin: 'answer',
    since: at,
    lapses_at: null,
    subject: operation,
    reasons: JSON.parse(faults),
    line,
    pqs: null,
  }));
}

interface SilenceRow {
  id: string;
  slot: number;
  pocket_id: string;
  leaf: number;
}

/** Drafts that broke the voice. The next drafts usually break it too, so only the first of each pocket and local day. */
async function withheldDrafts(store: Reader, zone: Zone): Promise<Review[]> {
  const span = await store.get<{ first: number | null; last: number | null }>(
    // Each of the two alone is one look-up.
    `select (select min(slot) from silence_figures where gate = ${gateNumbers.voice}) as first,
       (select max(slot) from silence_figures where gate = ${gateNumbers.voice}) as last`,
  );
  if (!span || span.first === null || span.last === null) return [];
  const day = `${localSlot(zone, { from: span.first, to: span.last + SLOT })} / ${DAY}`;
  const rows = await store.all<SilenceRow>(
    `select s.id, s.slot, s.pocket_id, s.leaf from silences s
     join (select pocket_id, min(slot) as slot from silence_figures where gate = ${gateNumbers.voice}
           group by pocket_id, ${day}) f on f.slot = s.slot and f.pocket_id = s.pocket_id
     where s.gate_number = ${gateNumbers.voice} and not exists (select 1 from review_verdicts v where v.review_id = s.id)
     order by s.slot, s.pocket_id limit ?`,
    MOST_PER_ORIGIN,
  );
  const silenceAt = await readSilences(store, rows);
  return rows.map(({ id, slot, pocket_id, leaf }) => {
    const silence = silenceAt(leaf);
    const line = silence.candidate_emission_text;
    return {
      id,
      origin: 'voice_gate',
      since: slot,
      lapses_at: null,
      subject: pocket_id,
      reasons: voiceFaults(line, 'emit'),
      line,
      pqs: silenceQuality(silence),
    };
  });
}

async function readSilences(
  store: Reader,
  rows: readonly SilenceRow[],
): Promise<(leaf: number) => SilencePayload> {
  const entryAt = await readEntries(
    store,
    rows.map(({ leaf }) => leaf),
  );
  return (leaf) => JSON.parse(entryAt(leaf).payload);
}

const silenceQuality = ({ candidate_confidence, legitimacy_score, gates }: SilencePayload): number =>
  packageQuality({ confidence: candidate_confidence, legitimacy_score, resonance: gates.resonance });

/** Narrowly closed gates. One that stays closed like this for several slots is a single case: the first of them. */
async function nearMisses(store: Reader, now: number): Promise<Review[]> {
  const rows = await store.all<SilenceRow & { near_miss: Gate }>(
    `select s.id, s.slot, s.pocket_id, s.near_miss, s.leaf from silences s
     where s.near_miss_number > 0 and s.slot > ? and s.slot <= ? order by s.slot, s.pocket_id`,
    now - NEAR_MISS_REVIEW_TIME - SLOT,
    now,
  );
  const before = new Map<string, number>();
  const begun = rows.filter(({ slot, pocket_id, near_miss }) => {
    const key = `${pocket_id} ${near_miss}`;
    const continues = before.get(key) === slot - SLOT;
    before.set(key, slot);
    return !continues && slot + NEAR_MISS_REVIEW_TIME > now;
  });
  const listed = begun.slice(0, MOST_PER_ORIGIN);
  const silenceAt = await readSilences(store, listed);
  return listed.map(({ id, slot, pocket_id, near_miss, leaf }) => {
    const silence = silenceAt(leaf);
    const { gates, reason_text, candidate_emission_text: line } = silence;
    return {
      id,
      origin: 'near_miss',
      since: slot,
      lapses_at: slot + NEAR_MISS_REVIEW_TIME,
      subject: pocket_id,
      reasons: [`${reason_text} (${near_miss} ${gates[near_miss]})`],
      line,
      pqs: silenceQuality(silence),
    };
  });
}

/** Reviews with a verdict. Only near misses need it, and their verdicts cannot be older than they are. */
async function resolvedIds(store: Reader, now: number): Promise<Set<string>> {
  const rows = await store.all<{ review_id: string }>(
    'select review_id from review_verdicts where at > ?',
    now - NEAR_MISS_REVIEW_TIME - SLOT,
  );
  return new Set(rows.map(({ review_id }) => review_id));
}

export interface ResolvedReview {
  review_id: string;
  verdict: ReviewVerdict;
  note: string;
  at: number;
}

export const verdictOn = (store: Reader, id: string): Promise<ResolvedReview | undefined> =>
  store.get<ResolvedReview>(
    'select review_id, verdict, note, at from review_verdicts where review_id = ?',
    id,
  );

/** The caller holds the operator lock. */
export const writeVerdict = (tx: Transaction, verdict: ResolvedReview): Promise<void> =>
  tx.insert('review_verdicts', [verdict]);

export interface WithheldLine {
  id: string;
  at: number;
  operation: string;
  faults: string[];
  line: string;
}

/** Lines that are stored already are left unchanged. */
export const writeWithheld = (tx: Transaction, lines: readonly WithheldLine[]): Promise<void> =>
  tx.insert(
    'withheld_lines',
    lines.map((line) => ({ ...line, faults: JSON.stringify(line.faults) })),
    'on conflict (id) do nothing',
  );
