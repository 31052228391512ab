import { neighbours, type OutletActivity, surroundings } from '../../../domain/city/neighbours.ts';
import { computeReadiness } from '../../../domain/merchant/compute-readiness.ts';
import { emptyNorm, type Norm, updateNorm } from '../../../domain/stats/norm.ts';
import { timeUntilClose } from '../../../domain/time/opening-hours.ts';
import { isRestDay } from '../../../domain/time/rest-day.ts';
import { hourOfDay, SLOT } from '../../../domain/time/sgt.ts';
import { writeReadiness } from '../../../store/merchant/readiness.ts';
import type { JobContext } from '../../core/context.ts';
import type { DecidedPocket } from '../decide.ts';

/** Computes the readiness of every active outlet against its own usual activity at this hour. */
export async function computeAllReadiness(
  context: JobContext,
  decided: readonly DecidedPocket[],
): Promise<void> {
  const { tx, registry, slot, state } = context;
  const rest = isRestDay(slot, registry.holidays);
  const key = `usual ${rest ? 'rest' : 'work'} ${Math.floor(hourOfDay(slot))}`;
  await state.load(tx, [key]);
  const known = state.get<Record<string, Norm>>(key) ?? {};
  const activity = activityOf(context);
  const counted = registry.outlets
    .filter(({ active }) => active)
    .map((outlet) => ({
      outlet,
      pocket_id: outlet.pocket_id,
      open_for: timeUntilClose(outlet, slot),
      activity: activity.get(outlet.id) ?? null,
      usual: known[outlet.id] ?? emptyNorm,
    }));
  const pockets = new Map(decided.map((pocket) => [pocket.reading.pocket_id, readyPocket(pocket)]));
  const around = surroundings(neighbours(registry.pockets), counted, crowdsOf(context, decided));
  const ready = counted.map((one) => {
    const pocket = pockets.get(one.pocket_id) ?? null;
    return computeReadiness({ ...one, slot, rest, pocket, around: around(one) });
  });
  await writeReadiness(tx, ready);
  state.set(key, Object.fromEntries(counted.map((one) => [one.outlet.id, learned(one)])));
}

function activityOf({ signals, slot }: JobContext): Map<string, number> {
  const activity = new Map<string, number>();
  for (const { kind, outlet_id, value, observed_at } of signals) {
    if (kind !== 'outlet_activity' || !outlet_id || slot - observed_at > 2 * SLOT) continue;
    if (!activity.has(outlet_id)) activity.set(outlet_id, value);
  }
  return activity;
}

const readyPocket = ({ reading, snapshot, moment }: DecidedPocket) => ({
  reading,
  moment,
  rain_mm: snapshot.values.rain_mm,
});

function crowdsOf({ registry }: JobContext, decided: readonly DecidedPocket[]): Map<string, number> {
  const peaks = new Map(registry.pockets.map(({ id, character }) => [id, character.footfall_peak]));
  const crowds = new Map<string, number>();
  for (const { reading, snapshot } of decided) {
    const { footfall } = snapshot.values;
    const peak = peaks.get(reading.pocket_id);
    if (footfall !== null && peak) crowds.set(reading.pocket_id, footfall / peak);
  }
  return crowds;
}

/** Nothing is learned while the outlet is closed or not measured. */
const learned = ({ open_for, activity, usual }: OutletActivity): Norm =>
  open_for && activity ? updateNorm(usual, activity) : usual;
