import { SLOT } from '../../../domain/time/slot.ts';
import {
  acceptBrief,
  BriefRefused,
  declineBrief,
  unansweredBriefsAt,
} from '../../../store/merchant/briefs.ts';
import type { JobContext } from '../../core/context.ts';

/** Simulated merchants answer the briefs drafted a quarter hour ago; real ones answer through the operator. */
export async function simulateBriefAnswers({ tx, zone, slot, now, merchants }: JobContext): Promise<void> {
  if (!merchants) return;
  for (const brief of await unansweredBriefsAt(tx, slot - SLOT)) {
    const answer = merchants.answer(brief);
    try {
      if (answer === 'accepted') await acceptBrief(tx, brief.id, { now, zone }, undefined, 'simulated');
      if (answer === 'declined') await declineBrief(tx, brief.id, { now, zone }, 'simulated');
    } catch (error) {
      // It lapsed during an outage, or the outlet has another commitment: then it stays unanswered.
      if (!(error instanceof BriefRefused)) throw error;
    }
  }
}
