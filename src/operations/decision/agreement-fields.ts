// Why the scores of a moment differ from what was decided at it, for every answer that has such a score.
import Type from 'typebox';
import { disagreements, type PublishedScores } from '../../domain/decision/agreement.ts';
import { legitimacyBandAt } from '../../domain/decision/legitimacy.ts';
import { readIndexBand } from '../../store/decision/legitimacy-index.ts';
import type { MomentRecord } from '../../store/decision/moments.ts';
import { pocketsWithLivePackage } from '../../store/decision/packages.ts';
import { decidedAt } from '../../store/decision/reasons.ts';
import type { OperationContext } from '../core/define.ts';

export const disagreementsField = Type.Array(Type.String(), {
  description:
    'a sentence for each score that calls for the opposite of what was decided, with the reason that decided; empty where all agree',
});

/** What was decided at a moment, and the index of its day. */
export type Decided = Pick<PublishedScores, 'reason' | 'legitimacy_band' | 'index_band'>;

export async function readDecided(
  { store, zone }: Pick<OperationContext, 'store' | 'zone'>,
  pocket: string,
  slot: number,
): Promise<Decided | null> {
  const [decided, index_band] = await Promise.all([
    decidedAt(store, pocket, slot),
    readIndexBand(store, pocket, zone.localDate(slot)),
  ]);
  if (!decided) return null;
  // A line may last into the quiet hours, which are named first as the reason why nothing new is decided.
  const isLive = decided.reason === 'quiet_hours' && (await pocketsWithLivePackage(store, slot)).has(pocket);
  const reason = isLive ? 'already_speaking' : decided.reason;
  return { reason, legitimacy_band: legitimacyBandAt(decided.legitimacy_score), index_band };
}

/** The scores that an answer shows; null where it shows none of them. */
type ShownScores = Pick<MomentRecord, 'moment'> & { [S in 'quality' | 'resonance']: MomentRecord[S] | null };

/** `record` is null where the rows of the moment are no longer stored. */
export const findDisagreements = (record: ShownScores | null, decided: Decided | null): string[] =>
  decided
    ? disagreements({
        ...decided,
        should_stay_silent: record?.moment.should_stay_silent ?? null,
        mqs_band: record?.quality?.band ?? null,
        resonance: record?.resonance ?? null,
      })
    : [];
