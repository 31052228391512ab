// What the service itself would do about a moment now, beside what score_legitimacy recommends to a caller.
import { draftCandidate, weigh } from '../../domain/decision/decide.ts';
import { closedGateText } from '../../domain/decision/decision-text.ts';
import { closedGate } from '../../domain/decision/gates.ts';
import type { Legitimacy } from '../../domain/decision/legitimacy.ts';
import { isSleepHour } from '../../domain/decision/moment.ts';
import { voiced } from '../../domain/text/voice.ts';
import { clockOf } from '../../domain/time/sgt.ts';
import type { SituationRecord } from '../../store/decision/situation.ts';

export interface ServiceStance {
  /** Null when the service would speak, else what keeps it silent, worded as the end of a sentence. */
  silent_because: string | null;
  /** The score of the service's own decision. */
  legitimacy_score: number;
}

/** The service's decision for its own audience; the first cause of silence in the order of its own decisions. */
export function serviceStance(
  name: string,
  situation: SituationRecord,
  live_until: number | null,
  now: number,
): ServiceStance {
  const own = { ...situation, ...situation.surroundings };
  const { legitimacy, gates } = weigh(own, situation);
  const isVoiced = voiced(draftCandidate(name, own), 'emit') !== null;
  const gate = closedGate(gates) ?? (isVoiced ? null : 'voice');
  const { legitimacy_score } = legitimacy;
  if (isSleepHour(now))
    return { silent_because: 'it does not speak at this hour of the night', legitimacy_score };
  if (live_until !== null)
    return {
      silent_because: `its own line is live until about ${clockOf(live_until)} SGT`,
      legitimacy_score,
    };
  const { should_stay_silent, silence_reasons } = situation.moment;
  if (should_stay_silent) return { silent_because: silence_reasons.join('; '), legitimacy_score };
  return {
    silent_because: gate === null ? null : `${closedGateText[gate]} (gate ${gate})`,
    legitimacy_score,
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
