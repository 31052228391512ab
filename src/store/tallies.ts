import type { ClosedGate } from '../domain/decision-lines.ts';
import type { Tier } from '../domain/tier.ts';
import type { Window } from '../domain/window.ts';
import type { Reader } from './store.ts';

export interface SilenceTally {
  pocket_id: string;
  gate: ClosedGate;
  /** Days since the epoch, in Singapore. */
  day: number;
  count: number;
}

/** Silences by pocket, gate and day. Eight hours stand in the text: a parameter would make the division inexact. */
export const tallySilences = (store: Reader, { after, until }: Window): Promise<SilenceTally[]> =>
  store.all<SilenceTally>(
    `select pocket_id, gate, (slot + 28800000) / 86400000 as day, count(*) as count
     from silences where slot > ? and slot <= ? group by pocket_id, gate, day`,
    after,
    until,
  );

export interface VerdictTally {
  pocket_id: string;
  gate: ClosedGate;
  vindicated: 0 | 1 | null;
  count: number;
  minutes: number;
}

/** What became of the silences of a window, as far as is known. */
export const tallyVerdicts = (store: Reader, { after, until }: Window): Promise<VerdictTally[]> =>
  store.all<VerdictTally>(
    `select pocket_id, gate, vindicated, count(*) as count, sum(attention_minutes_preserved) as minutes
     from vindications where slot > ? and slot <= ? group by pocket_id, gate, vindicated`,
    after,
    until,
  );

export const tallyEmissions = (
  store: Reader,
  { after, until }: Window,
): Promise<{ tier: Tier; count: number }[]> =>
  store.all(
    'select tier, count(*) as count from packages where slot > ? and slot <= ? group by tier order by tier',
    after,
    until,
  );
