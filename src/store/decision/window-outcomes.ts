// How many of the calm windows that were shown held, by day, pocket and kind; and what was learned from all of them.
import { type WindowKind, windowKeys, windowKinds } from '../../domain/window/open-windows.ts';
import type { WindowRecords } from '../../domain/window/pocket-outlook.ts';
import { noWindows, type WindowRecord } from '../../domain/window/window-record.ts';
import type { Reader, Transaction } from '../engine/store.ts';
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

export function addWindowOutcomes(tx: Transaction, windows: readonly ShownWindow[]): Promise<void> {
  const rows = Map.groupBy(windows, ({ date, pocket_id, kind }) => `${date} ${pocket_id} ${kind}`);
  return tx.insert(
    'window_outcomes',
    [...rows.values()].flatMap(([first, ...others]): Row[] => {
      if (!first) return [];
      const all = [first, ...others];
      return [{ ...first, shown: all.length, held: all.filter(({ held }) => held).length }];
    }),
    `on conflict (date, pocket_id, kind) do update set
       shown = window_outcomes.shown + excluded.shown, held = window_outcomes.held + excluded.held`,
  );
}

/** The counts of each kind from one local day on, of a pocket or of all. */
export async function windowCounts(store: Reader, since: string, pocket?: string): Promise<WindowCounts[]> {
  const rows = await store.all<WindowCounts>(
    `select kind, cast(sum(shown) as integer) as shown, cast(sum(held) as integer) as held from window_outcomes
     where date >= ?${pocket === undefined ? '' : ' and pocket_id = ?'} group by kind`,
    since,
    ...(pocket === undefined ? [] : [pocket]),
  );
  return windowKinds.map((kind) => rows.find((row) => row.kind === kind) ?? { kind, shown: 0, held: 0 });
}

/** How many windows held, as the pipeline has learned it. */
export async function readWindowRecords(store: Reader): Promise<WindowRecords> {
  const entries = await readEntries(store, [windowKeys.later, windowKeys.usual]);
  const record = (kind: WindowKind) =>
    (entries.get(windowKeys[kind]) as WindowRecord | undefined) ?? noWindows;
  return { later: record('later'), usual: record('usual') };
}
