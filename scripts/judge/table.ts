// The table of decisions and what became of them, from the rows of a store.

import { isCalmState, type PrimaryState } from '../../src/domain/atmosphere/primary-state.ts';
import {
  HORIZONS,
  type ProjectionPayload,
  projectionGenerator,
} from '../../src/domain/prediction/prediction.ts';
import { MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { isWaking } from '../../src/domain/time/waking-hours.ts';
import type { Zone } from '../../src/domain/time/zone.ts';
import { type Aftermath, hasServed, lineServes } from '../../src/domain/verdict/line-serves.ts';
import { type JudgedMoment, missedMoments } from '../../src/domain/verdict/missed-moments.ts';
import { slotsJudged } from '../../src/domain/verdict/verdict.ts';
import { between, judgedAt, type Outlook, WINDOW_START } from '../../src/domain/window/calm-window.ts';
import { calmHeld } from '../../src/domain/window/window-record.ts';
import { type WindowCounts, windowCounts } from '../../src/store/decision/window-outcomes.ts';
import type { Reader } from '../../src/store/engine/store.ts';
import { readEntries } from '../../src/store/ledger/entries.ts';

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
  /** The windows that were shown, by kind, as the service itself counted them. */
  shown: WindowCounts[];
  /** Calm readings within the open windows, and within those of a plain cut where the chance falls under 0.7. */
  covered: { windows: number; plain: number };
}

interface Row {
  pocket_id: string;
  slot: number;
  calm: number;
  primary_state: PrimaryState;
  usual_calm: number | null;
  calm_probability: number | null;
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
    `select r.pocket_id, r.slot, r.calm, r.primary_state, m.usual_calm, m.calm_probability, m.window_ends_at,
       case when m.slot is null then 0 else 1 end as has_moment
     from atmosphere_readings r left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id
     order by r.pocket_id, r.slot`,
  );
  const lines = Map.groupBy(await readLines(store), ({ pocket_id }) => pocket_id);
  const earlier = before && Map.groupBy(before, ({ pocket_id }) => pocket_id);
  const verdicts = await store.all<{ spoke: number; served: number | null; n: number }>(
    'select spoke, served, count(*) as n from verdicts group by spoke, served',
  );
  const countVerdicts = (spoke: number, served: number | null): number =>
    verdicts.find((row) => row.spoke === spoke && row.served === served)?.n ?? 0;
  const table: DecisionTable = {
    days: new Set(rows.map(({ slot }) => zone.localDate(slot))).size,
    lines: { served: countVerdicts(1, 1), failed: countVerdicts(1, 0), inconclusive: countVerdicts(1, null) },
    silences: {
      right: countVerdicts(0, 0),
      wrong: countVerdicts(0, 1),
      inconclusive: countVerdicts(0, null),
    },
    most_live: { pocket: '', share: 0 },
    live: 0,
    missed: 0,
    missed_before: before ? 0 : null,
    windows: { held: 0, n: 0 },
    shown: await windowCounts(store, ''),
    covered: { windows: 0, plain: 0 },
  };
  const chances = await forecastChances(store);
  let [liveSlots, wakingSlots] = [0, 0];
  for (const [pocket, own] of Map.groupBy(rows, ({ pocket_id }) => pocket_id)) {
    const bySlot = new Map(own.map((row) => [row.slot, row]));
    const waking = own.filter(({ slot, has_moment }) => has_moment && isWaking(slot, zone));
    const serves = new Map(waking.map((row) => [row.slot, servesAt(row, bySlot)]));
    const momentsWith = (said: readonly SaidLine[]): JudgedMoment[] => {
      const live = slotsWithLine(said);
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
      const plain = plainEnd(row, chances.get(`${pocket} ${row.slot}`));
      table.covered.plain += calmUntil(row, plain, bySlot);
      table.covered.windows += calmUntil(row, row.window_ends_at ?? row.slot, bySlot);
      if (row.window_ends_at === null) continue;
      const { calm_state } = observedAftermath(row, row.window_ends_at, bySlot);
      if (calm_state.includes(null)) continue;
      table.windows.n += 1;
      if (calmHeld(calm_state.slice(1).map((state) => state === true))) table.windows.held += 1;
    }
  }
  table.live = wakingSlots ? liveSlots / wakingSlots : 0;
  return table;
}

/** The sealed chances of calm 60, 120 and 180 minutes ahead, by pocket and slot. */
async function forecastChances(store: Reader): Promise<Map<string, Outlook[]>> {
  const rows = await store.all<{ pocket_id: string; slot: number; leaf: number }>(
    `select p.pocket_id, p.slot, p.leaf from predictions p
     where p.generator in (${HORIZONS.map(() => '?').join(', ')}) order by p.slot, p.reveal_at`,
    ...HORIZONS.map(projectionGenerator),
  );
  const entryAt = await readEntries(
    store,
    rows.map(({ leaf }) => leaf),
  );
  const known = new Map<string, Outlook[]>();
  for (const { pocket_id, slot, leaf } of rows) {
    const { horizon_minutes: minutes, forecast } = JSON.parse(entryAt(leaf).payload) as ProjectionPayload;
    const { calm_probability, expected_calm } = forecast;
    const key = `${pocket_id} ${slot}`;
    const ahead = known.get(key) ?? [];
    ahead.push({ minutes, calm_probability, expected_calm });
    known.set(key, ahead);
  }
  return known;
}

/** The last half hour up to which the chance is at least 0.7; the slot itself where it is not now. */
function plainEnd({ slot, calm_probability, calm }: Row, ahead: readonly Outlook[] = []): number {
  const outlook = [{ minutes: 0, calm_probability: calm_probability ?? 0, expected_calm: calm }, ...ahead];
  let minutes = 0;
  const reach = ahead.at(-1)?.minutes ?? 0;
  const likely = (at: number) => between(outlook, at, 'calm_probability') >= WINDOW_START;
  while (minutes + 30 <= reach && likely(minutes) && likely(minutes + 30)) minutes += 30;
  return slot + minutes * MINUTE;
}

function calmUntil({ slot }: Row, end: number, bySlot: ReadonlyMap<number, Row>): number {
  let calm = 0;
  for (let at = slot + SLOT; at <= end; at += SLOT) {
    const reading = bySlot.get(at);
    if (reading && isCalmState(reading.primary_state)) calm += 1;
  }
  return calm;
}

const slotsWithLine = (lines: readonly SaidLine[]): Set<number> =>
  new Set(
    lines.flatMap(({ slot, expires_at }) =>
      Array.from({ length: Math.ceil((expires_at - slot) / SLOT) }, (_, n) => slot + n * SLOT),
    ),
  );

function observedAftermath({ slot }: Row, ends_at: number, bySlot: ReadonlyMap<number, Row>): Aftermath {
  const readings = slotsJudged({ slot, ends_at }).map((at) => bySlot.get(at) ?? null);
  return {
    calm: readings.map((reading) => reading?.calm ?? null),
    calm_state: readings.map((reading) => reading && isCalmState(reading.primary_state)),
  };
}

/** Whether a line said at this reading would have served, at the end that it would have named. */
const servesAt = (row: Row, bySlot: ReadonlyMap<number, Row>): boolean | null =>
  hasServed(
    lineServes(observedAftermath(row, judgedAt(row.slot, row.window_ends_at), bySlot), row.usual_calm),
  );

/** Under this many lines nothing is judged. */
export const LEAST_LINES = 30;

/** Under this many windows of a kind nothing is judged. */
const LEAST_WINDOWS = 30;

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
    ...table.shown.map(
      ({ kind, shown, held }) =>
        `  shown, ${kind.padEnd(17)} ${shown ? percent(held / shown) : '-'} of ${shown}`,
    ),
    `calm time in windows       ${percent(table.covered.windows / Math.max(1, table.covered.plain))} of a plain cut at ${WINDOW_START}`,
  ];
}

/** What the decisions promise; `holds` is null where there are too few lines to judge. */
export function checkPromises(table: DecisionTable): { what: string; holds: boolean | null }[] {
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
    ...table.shown.map(({ kind, shown, held }) => ({
      what: `at least 80 % of the windows that were shown held: ${kind}`,
      holds: shown < LEAST_WINDOWS ? null : held / shown >= 0.8,
    })),
    // A history without sealed forecasts has no plain cut to compare with.
    ...(table.covered.plain
      ? [
          {
            what: 'windows cover at least four fifths of the calm time of a plain cut',
            holds: table.covered.windows / table.covered.plain >= 0.8,
          },
        ]
      : []),
  ];
}
