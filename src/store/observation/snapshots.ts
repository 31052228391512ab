// Writes what the sources measured at a slot: a snapshot for each pocket, outlets' activity, citizens' words.
import type { Signal, Substrate } from '../../domain/signals/signal.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { SLOT } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { thousandthColumns, thousandthsOrWhole } from '../engine/thousandths.ts';
import { senseWordNumbers, toSenseSource } from '../rows/sense-words.ts';
import { substrateNumbers } from '../rows/word-numbers.ts';
import { writeOutletActivity } from './outlet-activity.ts';
import { writeProvenance } from './provenance.ts';

export async function writeSnapshots(
  tx: Transaction,
  snapshots: Snapshot[],
  substrate: Substrate,
): Promise<void> {
  const packOf = await writeProvenance(tx, snapshots);
  await tx.insert(
    'env_snapshots',
    snapshots.map((snapshot) => {
      const { slot, pocket_id, values, crowd, crowd_gap, completeness } = snapshot;
      return {
        ...{ slot, pocket_id, crowd, crowd_gap, pm25: values.pm25, footfall: values.footfall },
        ...thousandthsOrWhole('rain_mm', values.rain_mm),
        ...thousandthsOrWhole('temperature_c', values.temperature_c, 'integer'),
        ...thousandthsOrWhole('humidity_pct', values.humidity_pct, 'integer'),
        ...thousandthsOrWhole('transit_crowding', values.transit_crowding),
        ...thousandthsOrWhole('traffic_speed_kmh', values.traffic_speed_kmh, 'integer'),
        ...thousandthsOrWhole('carpark_occupancy', values.carpark_occupancy),
        ...thousandthColumns({ completeness }),
        ...{ substrate: substrateNumbers[substrate], provenance: packOf(snapshot) },
      };
    }),
  );
}

/** Where the signals of the newest snapshot came from; null before the first. */
export const newestSubstrate = async (store: Reader): Promise<Substrate | null> =>
  (await store.get<{ substrate: Substrate }>('select substrate from snapshots order by slot desc limit 1'))
    ?.substrate ?? null;

/**
 * The signals that are no part of a pocket's snapshot. Activity older than two slots is dropped as stale; of two
 * measurements of one outlet the first is stored.
 */
export async function writeOutletAndCitizenSignals(
  tx: Transaction,
  slot: number,
  signals: readonly Signal[],
): Promise<void> {
  const activity = [];
  const senses = [];
  for (const { kind, pocket_id, outlet_id, word, value, source, observed_at } of signals) {
    if (kind === 'outlet_activity' && outlet_id && slot - observed_at <= 2 * SLOT) {
      activity.push({ slot, outlet_id, activity: value });
    } else if (kind === 'citizen_sense' && word && value > 0) {
      senses.push({
        ...{ slot, pocket_id, word: senseWordNumbers[word], people: value },
        source: toSenseSource(source),
      });
    }
  }
  await writeOutletActivity(tx, activity);
  await tx.insert('citizen_senses', senses);
}
