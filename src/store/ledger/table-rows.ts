// What the tables beside the log say of its entries: the columns that follow from them, so that a verifier can compare
// both. Answers and figures are made from these columns; whoever changes one in the database changes what is published.
import { SMALLEST_COUNT } from '../../domain/stats/small-count-suppression.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Row, Value } from '../engine/store.ts';
import { signalsKeptFrom } from '../observation/signal-retention.ts';
import { byForecastLeaf, forecastRange, forecastsWithin } from '../rows/forecast-leaves.ts';
import { endOfReveals, revealRange, revealsWithin } from '../rows/reveal-leaves.ts';
import { readArchive, refuseArchivedBundle, type ToldArchive, tellArchive } from './archived.ts';
import { countEntries } from './entries.ts';

export interface TableRows {
  /** The first one is the leaf of the entry that a row is about. */
  columns: string[];
  rows: Value[][];
}

interface Source {
  columns: string;
  /** The SQL after the columns; it takes the first leaf, and the one after the last, unless `params` says otherwise. */
  from: string;
  params?: (first: number, end: number) => Value[];
}

const within = (leaf: string): string => `where ${leaf} >= ? and ${leaf} < ?`;

/** The observation behind a sealed row: that of its pocket and slot. */
const joinObserved = (table: string, sealed: string): string =>
  `from ${sealed} s join ${table} x on ${sameSlotAndPocket('x', 's')} ${within('s.leaf')}`;

/** The forecasts of all horizons are made from the same observation: one of them is compared. */
const joinForecast = (table: string): Pick<Source, 'from' | 'params'> => ({
  from: `from predictions s join ${table} x on ${sameSlotAndPocket('x', 's')}
    where ${forecastsWithin('s.leaf', 's.first_leaf')} and s.generator = 'pocket_projection_60m'`,
  params: forecastRange,
});

const reading =
  's.leaf, x.stress, x.calm, x.social_energy, x.productive, x.primary_state, x.anomaly_flag, x.completeness';
const momentOfBoth =
  's.leaf, x.primary_state, x.calm_probability, x.window_held_share, x.window_expected_calm, x.usual_calm';
/** A count of a few people is sealed as null, and is not told here either. */
const footfall = `case when x.footfall >= ${SMALLEST_COUNT} then x.footfall end as footfall`;

/** By the name that a verifier knows each by. `…_of_…`: rows of a table, by the entry that they point to. */
const sources: Record<string, Source> = {
  ledger_keys: {
    columns: 'leaf, number, origin, key_id, verifier_key',
    from: `from ledger_keys ${within('leaf')}`,
  },
  predictions: {
    columns: 'leaf, slot, pocket_id, generator, prediction_type, reveal_at, confidence, completeness, shadow',
    from: `from predictions where ${forecastsWithin('leaf', 'first_leaf')}`,
    params: forecastRange,
  },
  reveals: {
    columns: 'leaf, prediction_leaf, was_calm, accuracy_score, baseline_score, error_type',
    from: `from reveals r where ${revealsWithin}`,
    params: revealRange,
  },
  reveals_of_predictions: {
    columns: 'prediction_leaf, leaf as own_leaf, waking, expected_calm, calm_probability',
    from: `from reveals ${within('prediction_leaf')}`,
  },
  silences: {
    columns:
      'leaf, id, slot, pocket_id, gate, reason, candidate_confidence, legitimacy_score, band, usual_calm, near_miss, window_end',
    from: `from silences ${within('leaf')}`,
  },
  packages: {
    columns:
      'leaf, id, slot, pocket_id, tier, composed_text, json_ld, confidence, legitimacy_score, mqs, resonance, expires_at, usual_calm',
    from: `from packages ${within('leaf')}`,
  },
  verdicts: {
    columns: 'leaf, slot, pocket_id, spoke, revealed_at, served, outcome, attention_minutes_preserved',
    from: `from verdicts ${within('leaf')}`,
  },
  verdicts_of_silences: {
    columns: 's.leaf, v.leaf as own_leaf, v.reason',
    from: `from silences s join verdicts v on ${sameSlotAndPocket('v', 's')} ${within('s.leaf')}`,
  },
  submissions: {
    columns:
      'leaf, id, submitter_name, sealed_at, scored_from, window_start, window_end, prediction_count, items_hash',
    from: `from submissions ${within('leaf')}`,
  },
  atmosphere_readings_of_silences: {
    columns: reading,
    from: joinObserved('atmosphere_readings', 'silences'),
  },
  atmosphere_readings_of_predictions: {
    columns: 's.leaf, x.calm, x.primary_state, x.completeness',
    ...joinForecast('atmosphere_readings'),
  },
  env_snapshots_of_silences: {
    columns: `s.leaf, x.rain_mm, x.temperature_c, x.humidity_pct, x.pm25, ${footfall}, x.transit_crowding, x.traffic_speed_kmh, x.carpark_occupancy`,
    from: joinObserved('snapshots', 'silences'),
  },
  env_snapshots_of_predictions: {
    columns: 's.leaf, x.rain_mm',
    ...joinForecast('snapshots'),
  },
  moments_of_silences: {
    columns: `${momentOfBoth}, x.signal_saturation, x.movement_friction, x.fragility, x.half_life_minutes, x.window_ends_at, x.silence_reasons`,
    from: joinObserved('moments', 'silences'),
  },
  moments_of_packages: {
    columns: `${momentOfBoth}, x.mqs, x.resonance`,
    from: joinObserved('moments', 'packages'),
  },
};

export interface EntryRows {
  /** In no order; what says nothing of the entries is left out. */
  tables: Record<string, TableRows>;
  /** The slot from which on there are snapshots: earlier ones may have been let go. Null: all are there. */
  signals_from: number | null;
}

/** All that the tables say of the entries of a tile; an ArchivedError is thrown where they have left the store. */
export async function tableRows(store: Reader, tile: number, width: number): Promise<EntryRows> {
  const first = tile * TILE_WIDTH;
  const found: Record<string, TableRows> = {};
  const end = first + width;
  for (const [name, { columns, from, params }] of Object.entries(sources)) {
    const rows = await store.all<Row>(`select ${columns} ${from}`, ...(params?.(first, end) ?? [first, end]));
    if (rows[0]) found[name] = rowArrays(rows);
  }
  // Rows leave with their entries.
  if (!(await hasEntries(store, tile))) await refuseArchivedBundle(store, tile);
  // Asked last: a snapshot that was not found was let go before.
  return { tables: found, signals_from: await signalsKeptFrom(store) };
}

const hasEntries = async (store: Reader, tile: number): Promise<boolean> =>
  (await store.get('select 1 from ledger_bundles where idx = ?', tile)) !== undefined;

/** The names once, then the values of each row: a third of the bytes. */
export function rowArrays(rows: readonly Row[]): TableRows {
  const columns = Object.keys(rows[0] ?? {});
  // By name: `Object.values` of these rows takes six times as long.
  return { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) };
}

/** The tables that have a row for each entry of a type. */
const ownTables = ['predictions', 'reveals', 'silences', 'packages', 'verdicts', 'submissions'];

/** The first and the last leaf that each of these tables has a row for: beyond the log there must be none. */
export async function tableEnds(
  store: Reader,
): Promise<Record<string, { first: number | null; last: number | null }>> {
  const { first, last } = await countEntries(store);
  const ends: Awaited<ReturnType<typeof tableEnds>> = { ledger_entries: { first, last } };
  for (const table of ownTables) {
    // Not by `min` and `max`: of a view PostgreSQL would read all rows.
    const [first, last] = await Promise.all(
      (['asc', 'desc'] as const).map((order) => store.get<{ leaf: number }>(endOf(table, order))),
    );
    ends[table] = { first: first?.leaf ?? null, last: last?.leaf ?? null };
  }
  return ends;
}

function endOf(table: string, order: 'asc' | 'desc'): string {
  if (table === 'reveals') return endOfReveals(order);
  const byLeaf = table === 'predictions' ? byForecastLeaf('t', order) : `t.leaf ${order}`;
  return `select t.leaf from ${table} t order by ${byLeaf} limit 1`;
}

/** The entries that have left the store with their rows; nothing while none has. */
export async function archivedEnds(store: Reader): Promise<{ archived?: ToldArchive }> {
  const archive = await readArchive(store);
  return archive ? { archived: tellArchive(archive) } : {};
}
