// The table of decisions and what became of them, from the rows of a store.
import { isCalmState, type PrimaryState } from '../../src/domain/atmosphere/primary-state.ts';
import { SLOT } from '../../src/domain/time/slot.ts';
import { isWaking } from '../../src/domain/time/waking-hours.ts';
import type { Zone } from '../../src/domain/time/zone.ts';
import { type Aftermath, hasServed, lineServes } from '../../src/domain/verdict/line-serves.ts';
import { type JudgedMoment, missedMoments } from '../../src/domain/verdict/missed-moments.ts';
import { slotsJudged } from '../../src/domain/verdict/verdict.ts';
import { judgedAt } from '../../src/domain/window/calm-window.ts';
import { calmHeld } from '../../src/domain/window/window-record.ts';
import type { Reader } from '../../src/store/engine/store.ts';

/** A line, and until when it was live. */
export interface SaidLine {
  pocket_id: string;
  slot: number;
  expires_at: number;
}

export interface DecisionTable {
  days: number;
  lines: { served: number; failed: number; inconclusive: number };
  silences: { right: number; wrong: number; inconclusive: number };
  /** The pocket in which lines were live for the largest share of its waking readings. */
  most_live: { pocket: string; share: number };
  /** The share of all waking readings at which a line was live. */
  live: number;
  missed: number;
  /** With the lines of an earlier version on the same readings; null where none are given. */
  missed_before: number | null;
  /** Windows that were open at a waking reading, and those of them that held. */
  windows: { held: number; n: number };
}

interface Row {
  pocket_id: string;
  slot: number;
  calm: number;
  primary_state: PrimaryState;
  usual_calm: number | null;
  window_ends_at: number | null;
  has_moment: number;
}

const readLines = (store: Reader): Promise<SaidLine[]> =>
  store.all<SaidLine>('select pocket_id, slot, expires_at from packages order by pocket_id, slot');

export async function decisionTable(
  store: Reader,
  zone: Zone,
  before?: readonly SaidLine[],
): Promise<DecisionTable> {
  const rows = await store.all<Row>(
    `select r.pocket_id, r.slot, r.calm, r.primary_state, m.usual_calm, m.window_ends_at,
       case when m.slot is null then 0 else 1 end as has_moment
     from atmosphere_readings r left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id
     order by r.pocket_id, r.slot`,
  );
  const lines = Map.groupBy(await readLines(store), ({ pocket_id }) => pocket_id);
  const earlier = before && Map.groupBy(before, ({ pocket_id }) => pocket_id);
  const verdicts = await store.all<{ spoke: number; served: number | null; n: number }>(
    'select spoke, served, count(*) as n from verdicts group by spoke, served',
  );
  const judged = (spoke: number, served: number | null): number =>
    verdicts.find((row) => row.spoke === spoke && row.served === served)?.n ?? 0;
  const table: DecisionTable = {
    days: new Set(rows.map(({ slot }) => zone.dateOf(slot))).size,
    lines: { served: judged(1, 1), failed: judged(1, 0), inconclusive: judged(1, null) },
    silences: { right: judged(0, 0), wrong: judged(0, 1), inconclusive: judged(0, null) },
    most_live: { pocket: '', share: 0 },
    live: 0,
    missed: 0,
    missed_before: before ? 0 : null,
    windows: { held: 0, n: 0 },
  };
  let [liveSlots, wakingSlots] = [0, 0];
  for (const [pocket, own] of Map.groupBy(rows, ({ pocket_id }) => pocket_id)) {
    const bySlot = new Map(own.map((row) => [row.slot, row]));
    const waking = own.filter(({ slot, has_moment }) => has_moment && isWaking(slot, zone));
    const serves = new Map(waking.map((row) => [row.slot, servesAt(row, bySlot)]));
    const momentsWith = (said: readonly SaidLine[]): JudgedMoment[] => {
      const live = liveSlotsOf(said);
      return waking.map(({ slot }) => ({ slot, serves: serves.get(slot) ?? null, live: live.has(slot) }));
    };
    const moments = momentsWith(lines.get(pocket) ?? []);
    const live = moments.filter((moment) => moment.live).length;
    if (live / moments.length > table.most_live.share)
      table.most_live = { pocket, share: live / moments.length };
    liveSlots += live;
    wakingSlots += moments.length;
    table.missed += missedMoments(moments);
    if (earlier && table.missed_before !== null)
      table.missed_before += missedMoments(momentsWith(earlier.get(pocket) ?? []));
    for (const row of waking) {
      if (row.window_ends_at === null) continue;
      const { calm_state } = aftermathOf(row, row.window_ends_at, bySlot);
      if (calm_state.includes(null)) continue;
      table.windows.n += 1;
      if (calmHeld(calm_state.slice(1).map((state) => state === true))) table.windows.held += 1;
    }
  }
  table.live = wakingSlots ? liveSlots / wakingSlots : 0;
  return table;
}

const liveSlotsOf = (lines: readonly SaidLine[]): Set<number> =>
  new Set(
    lines.flatMap(({ slot, expires_at }) =>
      Array.from({ length: Math.ceil((expires_at - slot) / SLOT) }, (_, n) => slot + n * SLOT),
    ),
  );

function aftermathOf({ slot }: Row, ends_at: number, bySlot: ReadonlyMap<number, Row>): Aftermath {
  const readings = slotsJudged({ slot, ends_at }).map((at) => bySlot.get(at) ?? null);
  return {
    calm: readings.map((reading) => reading?.calm ?? null),
    calm_state: readings.map((reading) => reading && isCalmState(reading.primary_state)),
  };
}

/** Whether a line said at this reading would have served, at the end that it would have named. */
const servesAt = (row: Row, bySlot: ReadonlyMap<number, Row>): boolean | null =>
  hasServed(lineServes(aftermathOf(row, judgedAt(row.slot, row.window_ends_at), bySlot), row.usual_calm));

/** Under this many lines nothing is judged. */
export const LEAST_LINES = 30;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The table in lines of text. */
export function tableLines(table: DecisionTable): string[] {
  const { lines, silences, most_live, windows } = table;
  const said = lines.served + lines.failed;
  const silent = silences.right + silences.wrong;
  return [
    `${table.days} days`,
    `spoke and it served        ${lines.served}`,
    `spoke and it did not       ${lines.failed}`,
    `silent and right           ${silences.right}`,
    `silent and wrong           ${silences.wrong}`,
    `inconclusive               ${lines.inconclusive} lines, ${silences.inconclusive} silences`,
    said >= LEAST_LINES
      ? `lines that served          ${percent(lines.served / said)} of ${said}`
      : `lines that served          not judged: ${said} lines, at least ${LEAST_LINES} are needed`,
    `silences that were right   ${silent ? percent(silences.right / silent) : '-'} of ${silent}`,
    `waking time with a line    ${percent(table.live)}, at most ${percent(most_live.share)} (${most_live.pocket || 'none'})`,
    `missed moments             ${table.missed}${table.missed_before === null ? '' : `, before ${table.missed_before}`}`,
    `windows that held          ${windows.n ? percent(windows.held / windows.n) : '-'} of ${windows.n}`,
  ];
}

/** What the decisions promise; `holds` is null where there are too few lines to judge. */
export function promisesOf(table: DecisionTable): { what: string; holds: boolean | null }[] {
  const said = table.lines.served + table.lines.failed;
  return [
    {
      what: 'at least 80 % of the lines served',
      holds: said < LEAST_LINES ? null : table.lines.served / said >= 0.8,
    },
    {
      what: 'a line was live in at most 15 % of the waking readings of every pocket',
      holds: table.most_live.share <= 0.15,
    },
    {
      what: 'at most a tenth more missed moments than before',
      holds: table.missed_before === null ? null : table.missed <= 1.1 * table.missed_before,
    },
    {
      what: 'at least 80 % of the windows held',
      holds: table.windows.n ? table.windows.held / table.windows.n >= 0.8 : null,
    },
  ];
}
