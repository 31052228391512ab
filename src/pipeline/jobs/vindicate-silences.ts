import { VINDICATION_WINDOW } from '../../domain/decision/silence.ts';
import { judgeSilence } from '../../domain/decision/vindication.ts';
import { silenceAftermaths, writeVindications } from '../../store/decision/vindications.ts';
import type { JobContext } from '../core/context.ts';

/** Judges the silences whose window has just ended by what happened in it. */
export async function vindicateSilences({ tx, slot, now }: JobContext): Promise<void> {
  const silences = await silenceAftermaths(tx, slot - VINDICATION_WINDOW);
  const verdicts = silences.map((silence) => {
    const verdict = judgeSilence({ ...silence, spoke: silence.spoke > 0 });
    return { ...verdict, silence, revealed_at: now };
  });
  await writeVindications(tx, verdicts);
}
