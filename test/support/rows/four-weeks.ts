// Four weeks of one outlet and its pocket, regular enough to compute by hand: the example of docs/formulas.md.
import type { OutletUse, PocketQuarter } from '../../../src/domain/merchant/patterns/pattern.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeOutletActivity } from '../../../src/store/observation/outlet-activity.ts';
import { writeReadings } from '../../../src/store/observation/readings.ts';

const { hourOfDay, weekday } = singapore;

/** A Monday. */
export const start = Date.parse('2026-10-12T00:00:00+08:00');
export const end = start + 28 * DAY - SLOT;
const slots = Array.from({ length: 28 * 96 }, (_, n) => start + n * SLOT);

export const hours = { opens_at: '12:00', closes_at: '18:00' };
const isOpen = (slot: number) => hourOfDay(slot) >= 12 && hourOfDay(slot) < 18;
const within = (slot: number, day: number, from: number, to: number) =>
  weekday(slot) === day && hourOfDay(slot) >= from && hourOfDay(slot) < to;

const isRainy = (slot: number) => within(slot, 3, 12, 13);

function activityAt(slot: number): number {
  if (isRainy(slot)) return 0.4;
  if (within(slot, 1, 14, 16)) return 0.2;
  return hourOfDay(slot) >= 17 ? 0.7 : 0.5;
}

/** Tuesdays from two to four are quiet, Thursdays from twelve to one are wet, the hour before closing is the fullest. */
export const outletUses: OutletUse[] = slots
  .filter(isOpen)
  .map((slot) => ({ slot, activity: activityAt(slot) }));

export const pocketQuarters: PocketQuarter[] = slots.map((slot) => {
  const hour = hourOfDay(slot);
  return {
    slot,
    rain_mm: isRainy(slot) ? 2 : 0,
    footfall: hour >= 17 && hour < 18 ? 300 : 100,
    calm: hour >= 13 && hour < 14 ? 0.8 : 0.6,
    primary_state:
      hour >= 12 && hour < 15 ? 'calm-productive' : isOpen(slot) ? 'lively-social' : 'calm-restful',
  };
});

export const patternTexts = {
  quiet:
    'quiet on tuesdays, 14:00 to 16:00, in 4 of 4 weeks: 60\u00a0% under the same hours of other days, 61\u00a0% under its mean while open (n = 32).',
  rain: 'rain takes 20\u00a0% of its use (n = 16).',
  dna: 'an evening place: 70\u00a0% of its room in use then, 52\u00a0% overall; fullest when the pocket is lively-social (n = 672).',
  hours:
    'open for 23\u00a0% of the calm hours and 100\u00a0% of the sociable hours of its pocket between 07:00 and 23:00 (n = 1792).',
};

/** Writes them as the pipeline does: the outlet has a row also while it is closed. */
export function writeFourWeeks(store: Store, pocket_id: string, outlet_id: string): Promise<void> {
  const activity = new Map(outletUses.map((use) => [use.slot, use.activity]));
  return store.transaction(async (tx) => {
    await writeOutletActivity(
      tx,
      slots.map((slot) => ({ slot, outlet_id, activity: activity.get(slot) ?? 0 })),
    );
    await tx.insert(
      'env_snapshots',
      pocketQuarters.map(({ slot, rain_mm, footfall }) => ({
        ...{ slot, pocket_id, rain_mm, footfall },
        ...{ completeness_milli: 1000, substrate: 1, provenance: '{}' },
      })),
    );
    await writeReadings(
      tx,
      pocketQuarters.flatMap(({ slot, calm, primary_state }) => {
        if (calm === null || primary_state === null) return [];
        const rest = { stress: 0.25, social_energy: 0.25, productive: 0.25, anomaly_flag: false };
        return [{ slot, pocket_id, calm, primary_state, completeness: 1, ...rest }];
      }),
    );
  });
}
