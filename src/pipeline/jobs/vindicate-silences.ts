import { VINDICATION_WINDOW } from '../../domain/decision/silence.ts';
import { judge } from '../../domain/decision/vindication.ts';
import { SLOT } from '../../domain/time/sgt.ts';
import {
  lastWindow,
  silencesToJudge,
  type Unjudged,
  unjudgedOf,
  writeVindications,
} from '../../store/decision/vindications.ts';
import type { JobContext } from '../core/context.ts';
import type { Trail } from '../trail.ts';

/** Judges the silences whose window has just ended by what happened meanwhile. */
export async function vindicateSilences({
  tx,
  registry,
  slot,
  now,
  state: { trail },
}: JobContext): Promise<void> {
  const peaks = new Map(registry.pockets.map(({ id, character }) => [id, character.footfall_peak]));
  const then = slot - VINDICATION_WINDOW;
  const silences = silencesToJudge(then, onTrail(trail, then) ?? (await unjudgedOf(tx, then)));
  const verdicts = silences.map((silence) => {
    const footfall_peak = peaks.get(silence.pocket_id) ?? Number.POSITIVE_INFINITY;
    const verdict = judge({ ...silence, footfall_peak, spoke: silence.spoke > 0 });
    return { ...verdict, silence, revealed_at: now };
  });
  const written = await writeVindications(tx, verdicts);
  trail.leaveVerdicts(then, written);
}

function onTrail(trail: Trail, slot: number): Unjudged | undefined {
  const silences = trail.at(slot)?.silences;
  if (!silences?.length) return silences && { silences, readings: [], said: [] };
  const slots = trail.within(slot - SLOT, lastWindow(silences));
  return (
    slots && {
      silences,
      readings: slots.flatMap(({ slot, left }) =>
        Array.from(left.outcomes.values(), (seen) => ({ ...seen, slot })),
      ),
      said: slots.flatMap((later) =>
        later.slot > slot ? later.left.spoken.map((pocket_id) => ({ pocket_id, slot: later.slot })) : [],
      ),
    }
  );
}
