import { VINDICATION_WINDOW } from '../../domain/decision/silence.ts';
import { judgeSilence } from '../../domain/decision/vindication.ts';
import { silenceAftermaths, writeVindications } from '../../store/decision/vindications.ts';
import type { JobContext } from '../core/context.ts';

/** Judges the silences whose window has just ended by what happened in it. */
export async function vindicateSilences({ tx, registry, slot, now }: JobContext): Promise<void> {
  const peaks = new Map(registry.pockets.map(({ id, character }) => [id, character.footfall_peak]));
  const silences = await silenceAftermaths(tx, slot - VINDICATION_WINDOW);
  const verdicts = silences.map((silence) => {
    const footfall_peak = peaks.get(silence.pocket_id) ?? Number.POSITIVE_INFINITY;
    const verdict = judgeSilence({ ...silence, footfall_peak, spoke: silence.spoke > 0 });
    return { ...verdict, silence, revealed_at: now };
  });
  await writeVindications(tx, verdicts);
}
