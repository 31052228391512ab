import {
  indexFactors,
  indexReading,
  morningBefore,
  wakingDayBefore,
} from '../../domain/decision/legitimacy-index.ts';
import { momentMeans, writeLegitimacyIndex } from '../../store/decision/legitimacy-index.ts';
import type { JobContext } from '../core/context.ts';

/** The day's index of every pocket that was observed this morning. */
export async function composeIndex({ tx, zone, slot }: JobContext): Promise<void> {
  const days = await momentMeans(tx, wakingDayBefore(slot, zone));
  const mornings = await momentMeans(tx, morningBefore(slot));
  const date = zone.localDate(slot);
  const readings = [...mornings].map(([pocket, morning]) => {
    const factors = indexFactors(days.get(pocket) ?? null, morning);
    return { ...indexReading(pocket, date, factors), factors };
  });
  await writeLegitimacyIndex(tx, slot, readings);
}
