// What briefs are drafted from: the moments that justify one, and the outlets with enough spare capacity.

import type { Outlet } from '../../domain/city/city.ts';
import {
  type BriefMoment,
  LEAST_IDLE,
  LEAST_SPARE_CAPACITY,
  openBands,
  type ReadyOutlet,
} from '../../domain/merchant/brief.ts';
import { causes } from '../../domain/merchant/readiness.ts';
import { rainPressure } from '../../domain/signals/scales.ts';
import { clamp } from '../../domain/stats/unit-scale.ts';
import { storiesAt } from '../decision/live-stories.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader } from '../engine/store.ts';
import { outletActivityAt } from '../observation/outlet-activity.ts';
import { readinessRecordsAt } from './readiness.ts';

interface Row
  extends Omit<BriefMoment, 'moment' | 'rain'>,
    Omit<BriefMoment['moment'], 'should_stay_silent'> {
  rain_mm: number | null;
}

/**
 * The moments of a slot that have no reason for silence, an MQS band that allows briefs, and a live story. The decision
 * of the slot is a silence or a package, so its legitimacy comes from whichever of the two exists.
 */
export async function momentsForBriefs(store: Reader, slot: number): Promise<BriefMoment[]> {
  const rows = await store.all<Row>(
    `select m.pocket_id, m.primary_state, m.half_life_minutes, m.band, r.calm, e.rain_mm,
       coalesce(s.legitimacy_score, p.legitimacy_score, 0) as legitimacy_score
     from moments m
     join atmosphere_readings r on ${sameSlotAndPocket('r', 'm')}
     left join snapshots e on ${sameSlotAndPocket('e', 'm')}
     left join silences s on ${sameSlotAndPocket('s', 'm')}
     left join packages p on ${sameSlotAndPocket('p', 'm')}
     where m.slot = ? and m.silence_reasons = '[]' and m.band in (${openBands.map(() => '?').join(', ')})
     order by m.pocket_id`,
    slot,
    ...openBands,
  );
  const asked = new Set(rows.map(({ pocket_id }) => pocket_id));
  const told = new Set((await storiesAt(store, slot, asked)).map(({ pocket_id }) => pocket_id));
  return rows
    .filter(({ pocket_id }) => told.has(pocket_id))
    .map(({ pocket_id, primary_state, half_life_minutes, rain_mm, ...rest }) => ({
      ...rest,
      moment: { pocket_id, primary_state, half_life_minutes, should_stay_silent: false },
      rain: rainPressure(rain_mm ?? 0),
    }));
}

/**
 * Of some outlets those that are idle enough at a slot to be offered a brief, with what they are ready for. A closed outlet
 * has no idle pressure; one with nobody in it may be shut.
 */
export async function idleOutlets(
  store: Reader,
  slot: number,
  outlets: readonly Pick<Outlet, 'id' | 'pocket_id'>[],
): Promise<({ outlet_id: string } & Pick<ReadyOutlet, 'readiness' | 'spare_capacity'>)[]> {
  const counted = await outletActivityAt(
    store,
    slot,
    outlets.map(({ id }) => id),
  );
  const use = new Map(counted.map(({ outlet_id, activity }) => [outlet_id, activity]));
  const pockets = new Set(outlets.map(({ pocket_id }) => pocket_id));
  return (await readinessRecordsAt(store, slot, pockets)).flatMap(({ outlet_id, cause, idle_pressure }) => {
    const activity = use.get(outlet_id) ?? 0;
    if (idle_pressure === null || idle_pressure < LEAST_IDLE) return [];
    if (activity <= 0 || activity > 1 - LEAST_SPARE_CAPACITY) return [];
    return [
      {
        outlet_id,
        readiness: { state: causes[cause].state, idle_pressure },
        spare_capacity: clamp(1 - activity),
      },
    ];
  });
}
