// What was measured of one pocket in some quarter hours, for charts.
import type { MeasuredSlot } from '../../domain/signals/hourly-signals.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';

type Row = MeasuredSlot['values'] & Pick<MeasuredSlot, 'slot' | 'crowd'>;

/** Oldest first. */
export async function measuredSlots(
  store: Reader,
  pocket: string,
  { from, to }: Span,
): Promise<MeasuredSlot[]> {
  const rows = await store.all<Row>(
    `select slot, rain_mm, temperature_c, traffic_speed_kmh, footfall, crowd from snapshots
     where pocket_id = ? and ${withinDays('slot')} order by slot`,
    pocket,
    ...windowAndDays({ after: from - 1, until: to - 1 }),
  );
  return rows.map(({ slot, crowd, rain_mm, temperature_c, traffic_speed_kmh, footfall }) => ({
    slot,
    crowd,
    values: { rain_mm, temperature_c, traffic_speed_kmh, footfall },
  }));
}
