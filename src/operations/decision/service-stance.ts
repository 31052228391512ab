// What the service itself would do about a moment now, beside what score_legitimacy recommends to a caller.
import { draftCandidate, weigh } from '../../domain/decision/decide.ts';
import type { Legitimacy } from '../../domain/decision/legitimacy.ts';
import { findSilenceReason, pauseAt, reasonText } from '../../domain/decision/silence-reason.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { SituationRecord } from '../../store/decision/situation.ts';

export interface ServiceStance {
  /** Null when the service would speak, else the reason in words. */
  silent_because: string | null;
  /** The score of the service's own decision. */
  legitimacy_score: number;
}

/** The service's decision for its own audience, by its own order of reasons. */
export function serviceStance(
  name: string,
  situation: SituationRecord,
  live_until: number | null,
  now: number,
  zone: Zone,
): ServiceStance {
  const own = { ...situation, ...situation.surroundings };
  const { legitimacy, gates } = weigh(own, situation);
  const { moment, layers } = situation;
  const reason =
    pauseAt(now, live_until, zone) ??
    findSilenceReason({ moment, layers, gates, line: draftCandidate(name, own, zone) });
  return {
    silent_because: reason && reasonText[reason],
    legitimacy_score: legitimacy.legitimacy_score,
  };
}

/** Why the recommendation to a caller and the service's own decision differ; null when they agree. */
export function whyDifferent(
  { recommendation, legitimacy_score }: Pick<Legitimacy, 'recommendation' | 'legitimacy_score'>,
  { silent_because, ...service }: ServiceStance,
): string | null {
  if (recommendation === 'emit' && silent_because !== null)
    return 'the recommendation follows from the score alone, while the service also needs every gate open, a waking hour and no line of its own that is live';
  if (recommendation !== 'emit' && silent_because === null)
    return `the service weighs its own line for its own audience (${service.legitimacy_score}); the action, channel and contexts given here make it ${legitimacy_score}, or override it`;
  return null;
}
