// Restraint in time from the lines and the moments themselves, without the counts of decisions.
import type { WakingTime } from '../../../src/domain/stats/waking-time.ts';
import type { Span } from '../../../src/domain/time/window.ts';
import type { Zone } from '../../../src/domain/time/zone.ts';

interface Place {
  pocket_id: string;
  slot: number;
}

/** A quarter hour of a pocket counts where it has a moment from 07:00 to 23:00, and as said where a line was live. */
export function referenceWakingTime(
  lines: readonly (Place & { expires_at: number })[],
  moments: readonly Place[],
  { from, to }: Span,
  zone: Zone,
): WakingTime {
  const linesOf = Map.groupBy(lines, ({ pocket_id }) => pocket_id);
  const waking = moments.filter(({ slot }) => {
    if (slot < from || slot >= to) return false;
    const hour = Number(zone.localClock(slot).slice(0, 2));
    return hour >= 7 && hour < 23;
  });
  const said = waking.filter(({ pocket_id, slot }) =>
    linesOf.get(pocket_id)?.some((line) => line.slot <= slot && slot < line.expires_at),
  ).length;
  return {
    minutes_said: 15 * said,
    minutes_silent: 15 * (waking.length - said),
    share_said: waking.length ? Math.round((1000 * said) / waking.length) / 1000 : null,
  };
}
