// How many of the calm windows that were shown held, by day, pocket and kind; and what was learned from all of them.
import { type WindowKind, windowKeys, windowKinds } from '../../domain/window/open-windows.ts';
import type { WindowRecords } from '../../domain/window/pocket-outlook.ts';
import { noWindows, type WindowRecord } from '../../domain/window/window-record.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { districtsOf } from '../runtime/districts.ts';
import { readEntries } from '../runtime/pipeline-state.ts';

export interface WindowCounts {
  kind: WindowKind;
  shown: number;
  held: number;
}

interface Row extends WindowCounts {
  date: string;
  pocket_id: string;
}

/** A window that was shown and whose end has come. */
export interface ShownWindow extends Omit<Row, 'shown' | 'held'> {
  held: boolean;
}

/** Each window is counted twice: for its pocket, and for all pockets together. */
export async function addWindowOutcomes(tx: Transaction, windows: readonly ShownWindow[]): Promise<void> {
  const add = (table: string, key: string, rows: readonly object[]) =>
    tx.insert(
      table,
      rows,
      `on conflict (${key}) do update set shown = ${table}.shown + excluded.shown, held = ${table}.held + excluded.held`,
    );
  const ofPocket = countUp(windows, ({ date, pocket_id, kind }) => ({ date, pocket_id, kind }));
  await add('window_outcomes', 'date, pocket_id, kind', ofPocket);
  const ofAll = countUp(windows, ({ date, kind }) => ({ date, kind }));
  await add('network_window_outcomes', 'date, kind', ofAll);
}

const countUp = <Key extends object>(windows: readonly ShownWindow[], keyOf: (window: ShownWindow) => Key) =>
  [...Map.groupBy(windows, (window) => JSON.stringify(keyOf(window))).values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ ...keyOf(first), shown: all.length, held: all.filter(({ held }) => held).length }] : [];
  });

/** The counts of each kind from one local day on, of a pocket or of all. */
export async function windowCounts(store: Reader, since: string, pocket?: string): Promise<WindowCounts[]> {
  const [rowsOf, params] =
    pocket === undefined
      ? ['network_window_outcomes where date >= ?', [since]]
      : ['window_outcomes where pocket_id = ? and date >= ?', [pocket, since]];
  const rows = await store.all<WindowCounts>(
    `select kind, cast(sum(shown) as integer) as shown, cast(sum(held) as integer) as held from ${rowsOf} group by kind`,
    ...params,
  );
  return windowKinds.map((kind) => rows.find((row) => row.kind === kind) ?? { kind, shown: 0, held: 0 });
}

/** How many windows held, as the districts of these pockets have learned it. */
export async function readWindowRecords(
  store: Reader,
  pockets: readonly string[],
): Promise<Map<string, WindowRecords>> {
  const districtOf = await districtsOf(store, pockets);
  const learned = new Map<string, WindowRecords>();
  for (const district of new Set(pockets.map(districtOf))) {
    const entries = await readEntries(store, [windowKeys.later, windowKeys.usual], district);
    const record = (kind: WindowKind) =>
      (entries.get(windowKeys[kind]) as WindowRecord | undefined) ?? noWindows;
    learned.set(district, { later: record('later'), usual: record('usual') });
  }
  return new Map(
    pockets.flatMap((pocket) => {
      const records = learned.get(districtOf(pocket));
      return records ? [[pocket, records]] : [];
    }),
  );
}
