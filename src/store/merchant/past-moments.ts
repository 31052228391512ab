import type { Surroundings } from '../../domain/decision/decide.ts';
import { type LayerScores, resonanceLayers } from '../../domain/decision/resonance.ts';
import type { PastMoment } from '../../domain/merchant/replay.ts';
import { type MomentValues, readMomentValues } from '../decision/moments.ts';
import type { Reader } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';
import { ofOutlets, outletsTwice } from '../rows/outlet-groups.ts';

/** A past moment of a pocket, with the share of an outlet's capacity in use then. */
export interface OutletMoment extends PastMoment {
  activity: number;
}

interface Row extends MomentValues, Omit<Surroundings, 'spare_capacity'> {
  slot: number;
  usefulness: number;
  user_need: number;
  calm: number;
  stress: number;
  activity: number;
  line_live: number;
  [layer: `layer_${string}`]: number | null;
}

const layers = resonanceLayers.map((layer) => `m.layer_${layer}`).join(', ');

/** The moments in the window (after, until] at which somebody was in the outlet, oldest first. */
export async function outletMoments(
  store: Reader,
  outlet: { id: string; pocket_id: string },
  after: number,
  until: number,
): Promise<OutletMoment[]> {
  const rows = await store.all<Row>(
    `select m.slot, m.pocket_id, m.primary_state, m.calm_probability, m.calm_level, m.calm_change, m.signal_saturation,
       m.movement_friction, m.fragility, m.half_life_minutes, m.expires_at, m.usefulness, m.user_need,
       m.window_ends_at, m.window_held_share, m.window_expected_calm, m.usual_stress, m.usual_calm, m.network_calm, m.fatigue, ${layers}, r.calm, r.stress, a.activity,
       case when p.kind = 'already_speaking' then 1 else 0 end as line_live
     from counted_outlets a
     join moments m on m.slot = a.slot and m.pocket_id = ?
     join atmosphere_readings r on r.slot = m.slot and r.pocket_id = m.pocket_id
     left join pauses p on p.slot = m.slot and p.pocket_id = m.pocket_id
     where ${ofOutlets('a', 1)} and ${withinDays('a.slot')} and a.activity > 0 order by a.slot`,
    outlet.pocket_id,
    ...outletsTwice([outlet.id]),
    ...windowAndDays({ after, until }),
  );
  return rows.map(fromRow);
}

function fromRow(row: Row): OutletMoment {
  const { slot, calm, stress, usefulness, user_need, usual_stress, usual_calm, network_calm } = row;
  return {
    moment: readMomentValues(row),
    factors: { usefulness, user_need },
    layers: Object.fromEntries(resonanceLayers.map((layer) => [layer, row[`layer_${layer}`]])) as LayerScores,
    reading: { slot, calm, stress },
    usual_stress,
    usual_calm,
    network_calm,
    fatigue: row.fatigue,
    activity: row.activity,
    line_live: row.line_live === 1,
  };
}
