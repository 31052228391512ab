// Makes a store larger by SQL: the rows of a simulated day are copied to earlier days, or those of its last hour to more
// pockets. The copies have other times, ids and leaves and otherwise the same contents, so that a statement finds in
// them what it would find in a city that is larger, or has been watched for longer.

import type { Registry } from '../../../src/domain/city/city.ts';
import { DAY, HOUR } from '../../../src/domain/time/slot.ts';
import type { Zone } from '../../../src/domain/time/zone.ts';
import type { Row, Store, Transaction } from '../../../src/store/engine/store.ts';
import { GROUP_WIDTH } from '../../../src/store/rows/outlet-groups.ts';
import { type Copies, copyEntries, LEAVES, lastEntries } from './grow-ledger.ts';

/** What is copied: `time` is the column that says of when a row is; `rest` are other columns that hold a time. */
interface Table {
  name: string;
  time?: string;
  rest?: readonly string[];
}

const ofPockets: readonly Table[] = [
  { name: 'env_snapshots', time: 'slot' },
  { name: 'citizen_senses', time: 'slot', rest: ['said_slot', 'countable_from'] },
  { name: 'reading_figures', time: 'slot' },
  { name: 'moment_figures', time: 'slot', rest: ['expires_at'] },
  { name: 'silence_figures', time: 'slot' },
  { name: 'packages', time: 'slot', rest: ['expires_at'] },
  { name: 'verdict_figures', time: 'slot' },
  { name: 'equilibrium_figures', time: 'slot' },
  { name: 'hour_changes', time: 'slot' },
  { name: 'silence_comparisons', time: 'slot' },
  { name: 'moment_briefs', time: 'slot', rest: ['window_start', 'window_end', 'expires_at'] },
  { name: 'brief_answers', time: 'answered_at', rest: ['window_start', 'window_end'] },
  { name: 'commitment_outcomes', time: 'slot' },
  { name: 'sustainability_events', time: 'slot' },
  { name: 'rollup_pockets', time: 'period_end' },
  { name: 'rollup_forecasts', time: 'period_end' },
];
const ofNoPocket: readonly Table[] = [
  { name: 'benchmark_references', time: 'slot', rest: ['scored_at'] },
  { name: 'job_claims', time: 'slot', rest: ['ran_at'] },
  { name: 'provenance_packs', time: 'slot' },
  // Of many pockets together: a copy of a pocket has no story and no readiness.
  { name: 'story_packs', time: 'slot' },
  { name: 'readiness_packs', time: 'slot' },
  { name: 'rollup_reasons', time: 'period_end' },
  { name: 'rollup_tiers', time: 'period_end' },
  { name: 'rollup_outcomes', time: 'period_end' },
  { name: 'rollup_calm', time: 'period_end' },
  { name: 'check_days', time: 'day', rest: ['last_slot'] },
];

const outletActivity: Table = { name: 'outlet_activity', time: 'slot' };
const predictions: Table = { name: 'forecast_sets', time: 'slot' };
const reveals: Table = { name: 'reveal_figures' };

/** More than the numbers of pockets or outlets that are copied, and whole groups of outlets. */
const NUMBERS = 10_000;
const numbered = (pockets: string): string =>
  `pocket in (select number from forecast_pockets where pocket_id in (${pockets}))`;

const isOutlet = (ids: readonly string[]): string =>
  `outlet_id in (${ids.map((id) => `'${id}'`).join(', ')})`;
/** Rows of their groups. */
const numberedOutlets = (ids: readonly string[]): string =>
  `first_outlet / ${GROUP_WIDTH} in (select number / ${GROUP_WIDTH} from outlet_numbers where ${isOutlet(ids)})`;

const leafColumns = ['leaf', 'prediction_leaf'];
const numberColumns = ['pocket', 'first_outlet', 'number'];
const idColumns = ['id', 'brief_id'];
export interface Grown {
  /** The end of the day that is copied. */
  now: number;
  zone: Zone;
}

/** Ids of what is watched for longer. */
export interface Watched {
  pockets: readonly string[];
  outlets: readonly string[];
}

const copies = ({ from, to }: Copies): string =>
  `with recursive copies (n) as (select cast(${from} as bigint) union all select n + 1 from copies where n < ${to})`;

/** Copies the day of these pockets and outlets to the `to` days before it; `from`: the first day that is not there yet. */
export const addDays = (
  store: Store,
  { now, zone }: Grown,
  days: Copies,
  { pockets, outlets }: Watched,
): Promise<void> =>
  store.transaction(async (tx) => {
    const only = pockets.map((id) => `'${id}'`).join(', ');
    const shift: Change = { time: (column) => `${column} - n * ${DAY}`, leaf: (c) => `${c} - n * ${LEAVES}` };
    const change = { ...shift, id: (column: string) => `${column} || '.' || n` };
    for (const table of ofPockets) {
      const both = table.name.startsWith('rollup_') ? `${only}, ''` : only;
      await copy(tx, days, table, change, `${table.time} > ${now - DAY} and pocket_id in (${both})`);
    }
    for (const table of ofNoPocket) await copy(tx, days, table, change, `${table.time} > ${now - DAY}`);
    await copy(tx, days, outletActivity, change, `slot > ${now - DAY} and ${numberedOutlets(outlets)}`);
    const sealed = `slot > ${now - DAY} and ${numbered(only)}`;
    await copy(
      tx,
      days,
      reveals,
      change,
      `prediction_leaf in (select leaf from predictions where ${sealed})`,
    );
    await copy(tx, days, predictions, change, sealed);
    await addDatedRows(tx, { now, zone }, days);
  });

/** The names of the pockets of a copy. */
const copyOf = (id: string, n: number): string => `${id}-${n}`;
/** Outlets have ids of one length. */
const copyOfOutlet = (id: string, n: number): string => id.slice(0, -4) + String(10_000 + n).slice(1);

/** The registry with so many copies of each of its pockets, with their outlets, each a little further north. */
export function addPocketsTo(registry: Registry, count: number): Registry {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const pockets = numbers.flatMap((n) =>
    registry.pockets.map((pocket) => ({
      ...pocket,
      id: copyOf(pocket.id, n),
      name: `${pocket.name} ${n}`,
      lat: pocket.lat + n / 1000,
      aliases: [],
    })),
  );
  const outlets = numbers.flatMap((n) =>
    registry.outlets.map((outlet) => ({
      ...outlet,
      id: copyOfOutlet(outlet.id, n),
      pocket_id: copyOf(outlet.pocket_id, n),
    })),
  );
  return {
    ...registry,
    pockets: [...registry.pockets, ...pockets],
    outlets: [...registry.outlets, ...outlets],
  };
}

/** Copies the last hour of each pocket of the registry to its copies, and what is usual there. */
export async function addPockets(
  store: Store,
  { now }: Grown,
  numbers: Copies,
  { pockets, outlets }: Registry,
): Promise<void> {
  const only = pockets.map(({ id }) => `'${id}'`).join(', ');
  const renamed = (column: string) => `replace(${column}, pocket_id, pocket_id || '-' || n)`;
  const change: Change = {
    pocket: (column) => `${column} || '-' || n`,
    outlet: (column) => `substr(${column}, 1, 32) || substr(cast(10000 + n as text), 2)`,
    leaf: (column) => `${column} + n * ${LEAVES}`,
    number: (column) => `${column} + n * ${NUMBERS}`,
    id: renamed,
  };
  const entries = await lastEntries(store);
  await store.transaction(async (tx) => {
    for (const table of ofPockets)
      await copy(
        tx,
        numbers,
        table,
        change,
        `${table.time} >= ${await newestOf(tx, table)} - ${HOUR} and pocket_id in (${only})`,
      );
    await copy(tx, numbers, { name: 'norms' }, evenings(change), `pocket_id in (${only})`);
    await copy(tx, numbers, { name: 'scenario_outlooks' }, change, `pocket_id in (${only})`);
    await copy(
      tx,
      numbers,
      reveals,
      change,
      `prediction_leaf in (select leaf from predictions
         where slot > ${now - 5 * HOUR} and slot <= ${now - 3 * HOUR} and ${numbered(only)})`,
    );
    const sealed = `slot >= ${await newestOf(tx, predictions)} - ${HOUR} and ${numbered(only)}`;
    await copy(tx, numbers, predictions, change, sealed);
    await copy(tx, numbers, { name: 'forecast_pockets' }, change, `pocket_id in (${only})`);
    for (const { name, column } of dated) {
      const newest = await tx.get<{ at: string | null }>(`select max(${column}) as at from ${name}`);
      if (newest?.at)
        await copy(tx, numbers, { name }, change, `${column} = '${newest.at}' and pocket_id in (${only})`);
    }
    const own = outlets.map(({ id }) => id);
    await copy(tx, numbers, outletActivity, change, `slot > ${now - HOUR} and ${numberedOutlets(own)}`);
    await copy(tx, numbers, { name: 'outlet_numbers' }, change, isOutlet(own));
    await copyEntries(
      tx,
      numbers,
      entries,
      pockets.map(({ id }) => id),
    );
  });
}

/** Evenings are usually calm there. */
const evenings = (change: Change): Change => ({
  ...change,
  share: (column) => `case when hour_of_week % 24 >= 20 then 0.9 else ${column} end`,
});

const newestOf = async (tx: Transaction, { name, time }: Table): Promise<number> =>
  (await tx.get<{ at: number | null }>(`select max(${time}) as at from ${name}`))?.at ?? 0;

type Expression = (column: string) => string;
/** How the columns of a copy differ. */
interface Change {
  time?: Expression;
  pocket?: Expression;
  outlet?: Expression;
  leaf?: Expression;
  number?: Expression;
  id?: Expression;
  share?: Expression;
}

async function copy(
  tx: Transaction,
  numbers: Copies,
  { name, time, rest = [] }: Table,
  change: Change,
  where: string,
): Promise<void> {
  const row = await tx.get<Row>(`select * from ${name} limit 1`);
  if (!row) return;
  const columns = Object.keys(row);
  const changed = columns.map((column) => {
    const is = (names: readonly (string | undefined)[]) => names.includes(column);
    if (is([time, ...rest])) return change.time?.(column) ?? column;
    if (is(['pocket_id'])) return change.pocket?.(column) ?? column;
    if (is(['outlet_id'])) return change.outlet?.(column) ?? column;
    if (is(['calm_share'])) return change.share?.(column) ?? column;
    if (is(numberColumns)) return change.number?.(column) ?? column;
    if (is(leafColumns)) return change.leaf?.(column) ?? column;
    if (is(idColumns) && typeof row[column] === 'string') return change.id?.(column) ?? column;
    // Running totals were smaller before.
    if (name.startsWith('rollup_') && change.time && typeof row[column] === 'number' && !is(rollupKeys))
      return `${column} - n * 1000`;
    return column;
  });
  await tx.run(
    `insert into ${name} (${columns.join(', ')}) ${copies(numbers)} select ${changed.join(', ')} from ${name}, copies where ${where}`,
  );
}
const rollupKeys = ['shadow', 'waking', 'tenth'];

/** Tables whose rows are of a local day. */
const dated = [
  { name: 'window_outcomes', column: 'date' },
  { name: 'legitimacy_index', column: 'reading_date' },
] as const;

async function addDatedRows(tx: Transaction, { now, zone }: Grown, { from, to }: Copies): Promise<void> {
  for (const { name, column } of dated) {
    const rows = await tx.all<Row>(
      `select * from ${name} where ${column} >= ?`,
      zone.localDate(now - DAY / 2),
    );
    for (let n = from; n <= to; n++)
      await tx.insert(
        name,
        rows.map((row) => ({
          ...row,
          [column]: zone.localDate(zone.atLocal(String(row[column]), '12:00') - n * DAY),
          ...('slot' in row && { slot: Number(row.slot) - n * DAY }),
        })),
        'on conflict do nothing',
      );
  }
}
