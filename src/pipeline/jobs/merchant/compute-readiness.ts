import { neighbourActivity, neighbours, type OutletActivity } from '../../../domain/city/neighbours.ts';
import { cityCalendar, isRestDay } from '../../../domain/city/rest-day.ts';
import { computeReadiness } from '../../../domain/merchant/compute-readiness.ts';
import { outletActivity } from '../../../domain/merchant/spare-capacity.ts';
import { emptyNorm, type Norm, updateNorm } from '../../../domain/stats/norm.ts';
import { timeUntilClose } from '../../../domain/time/opening-hours.ts';
import { writeReadiness } from '../../../store/merchant/readiness.ts';
import type { JobContext } from '../../core/context.ts';
import type { DecidedPocket } from '../decide.ts';

/** Computes the readiness of every active outlet against its own usual activity at this hour. */
export async function computeAllReadiness(
  context: JobContext,
  decided: readonly DecidedPocket[],
): Promise<void> {
  const { tx, registry, zone, slot, state } = context;
  const hour = zone.hourOfDay(slot);
  const rest = isRestDay(slot, cityCalendar(registry));
  const key = `usual ${rest ? 'rest' : 'work'} ${Math.floor(hour)}`;
  await state.load(tx, [key]);
  const norms = state.get<Record<string, Norm>>(key) ?? {};
  const activity = outletActivity(context.signals, slot);
  const outlets = registry.outlets
    .filter(({ active }) => active)
    .map((outlet) => ({
      outlet,
      pocket_id: outlet.pocket_id,
      open_for: timeUntilClose(outlet, slot, zone),
      activity: activity.get(outlet.id) ?? null,
      usual: norms[outlet.id] ?? emptyNorm,
    }));
  const pockets = new Map(decided.map((pocket) => [pocket.reading.pocket_id, readinessPocket(pocket)]));
  const around = neighbourActivity(neighbours(registry.pockets), outlets, pocketCrowds(decided));
  const readiness = outlets.map((outlet) => {
    const pocket = pockets.get(outlet.pocket_id) ?? null;
    return computeReadiness({ ...outlet, slot, hour, rest, pocket, around: around(outlet) });
  });
  await writeReadiness(tx, readiness, context.district);
  state.set(key, Object.fromEntries(outlets.map((one) => [one.outlet.id, updatedNorm(one)])));
}

const readinessPocket = ({ reading, snapshot, moment }: DecidedPocket) => ({
  reading,
  moment,
  rain_mm: snapshot.values.rain_mm,
});

const pocketCrowds = (decided: readonly DecidedPocket[]): Map<string, number> =>
  new Map(
    decided.flatMap(({ snapshot: { pocket_id, crowd } }) => (crowd === null ? [] : [[pocket_id, crowd]])),
  );

/** Nothing is learned while the outlet is closed or not measured. */
const updatedNorm = ({ open_for, activity, usual }: OutletActivity): Norm =>
  open_for && activity !== null ? updateNorm(usual, activity) : usual;
