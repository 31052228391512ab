import type { HourNorm } from '../../domain/atmosphere/anomaly.ts';
import {
  addCalmReading,
  type CalmOutcomes,
  calmCondition,
  noCalmOutcomes,
} from '../../domain/atmosphere/calm-probability.ts';
import {
  halfLifeMinutes,
  learnSpell,
  type PocketHistory,
  type SpellCounts,
  updateHistory,
} from '../../domain/atmosphere/pocket-history.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import type { Category, Pocket } from '../../domain/city/city.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { openKindsByPocket } from '../../domain/city/pocket-outlets.ts';
import { cityCalendar } from '../../domain/city/rest-day.ts';
import { pocketFatigue } from '../../domain/decision/attention.ts';
import { assessMoment, decide, weigh } from '../../domain/decision/decide.ts';
import { type CommitmentWindow, computeMoment, type Moment } from '../../domain/decision/moment.ts';
import { type SilencePayload, silencePayload } from '../../domain/decision/silence.ts';
import { gateClosedBy, pauseAt } from '../../domain/decision/silence-reason.ts';
import type { Forecast } from '../../domain/forecaster/index.ts';
import {
  outletActivity,
  pocketSpareCapacity,
  pocketsWithAllClosed,
} from '../../domain/merchant/spare-capacity.ts';
import { composePackage } from '../../domain/narration/package.ts';
import type { KnownPressures } from '../../domain/signals/pressures.ts';
import type { Scales } from '../../domain/signals/scales.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { MIN_SAMPLES } from '../../domain/stats/norm.ts';
import { readTable } from '../../domain/stats/number-table.ts';
import { linePayload } from '../../domain/verdict/line-payload.ts';
import { judgedAt, type Outlook } from '../../domain/window/calm-window.ts';
import { windowKeys } from '../../domain/window/open-windows.ts';
import { recentLines } from '../../domain/window/said-time.ts';
import type { SaidLine } from '../../store/decision/decisions.ts';
import { type DecidedMoment, writeMoments } from '../../store/decision/moments.ts';
import type { ShownWindow } from '../../store/decision/window-outcomes.ts';
import { recentCommitmentWindows } from '../../store/merchant/commitments.ts';
import type { JobContext } from '../core/context.ts';
import {
  learnWindows,
  openWindowsKey,
  outlooksAhead,
  type UsualAhead,
  usualAhead,
  windowRecord,
} from '../core/windows-ahead.ts';

/** A pocket with its reading of the slot, for the steps that follow. */
export interface ReadPocket {
  reading: Reading;
  snapshot: Snapshot;
  pressures: KnownPressures;
  scales: Scales;
  norm: HourNorm;
}

/** A pocket with its decision; nulls where no moment could be composed. */
export interface DecidedPocket extends ReadPocket {
  moment: Moment | null;
  friction: number | null;
  spare_capacity: number | null;
  /** The gate that closed; null when the service spoke and when nothing was decided. */
  gate: string | null;
}

/** What is computed once for all pockets of a slot. */
interface SlotInputs {
  outlooks: ReadonlyMap<string, readonly Outlook[]>;
  usual: UsualAhead;
  pockets: ReadonlyMap<string, Pocket>;
  spareCapacity: ReadonlyMap<string, number>;
  allClosed: ReadonlySet<string>;
  openKinds: ReadonlyMap<string, readonly Category[]>;
  commitments: ReadonlyMap<string, readonly CommitmentWindow[]>;
  network_calm: number | null;
}

/** Decides for each pocket whether to speak; writes its moment, and a package, a sealed silence or a pause. */
export async function decidePockets(
  context: JobContext,
  read: readonly ReadPocket[],
  forecasts: readonly (readonly Forecast[])[],
): Promise<DecidedPocket[]> {
  const { tx, registry, zone, slot, state, district } = context;
  const inputs: SlotInputs = {
    outlooks: outlooksAhead(registry, forecasts),
    usual: await usualAhead(context, cityCalendar(registry)),
    pockets: new Map(registry.pockets.map((pocket) => [pocket.id, pocket])),
    spareCapacity: pocketSpareCapacity(registry.outlets, outletActivity(context.signals, slot), slot, zone),
    allClosed: pocketsWithAllClosed(registry.outlets, slot, zone),
    openKinds: openKindsByPocket(registry.outlets, slot, zone),
    commitments: await recentCommitmentWindows(tx, slot, district),
    // Of a district the mean of the city a slot before: what the others read at this one may not be there yet.
    network_calm:
      district === WHOLE_CITY
        ? read.reduce((sum, { reading }) => sum + reading.calm, 0) / read.length
        : (context.network_calm ?? null),
  };
  const decided: DecidedPocket[] = [];
  const keys = ({ reading: { pocket_id } }: ReadPocket) => [
    `pocket ${pocket_id}`,
    `spells ${pocket_id}`,
    `calm ${pocket_id}`,
    openWindowsKey(pocket_id),
    ...Object.values(windowKeys),
  ];
  for await (const batch of state.inBatches(tx, read, keys))
    for (const pocket of await decideBatch(context, batch, inputs)) decided.push(pocket);
  return decided;
}

async function decideBatch(
  context: JobContext,
  read: readonly ReadPocket[],
  { outlooks, usual, pockets, spareCapacity, allClosed, openKinds, commitments, network_calm }: SlotInputs,
): Promise<DecidedPocket[]> {
  const { tx, registry, zone, slot, state, seal } = context;
  const moments: DecidedMoment[] = [];
  const silences: SilencePayload[] = [];
  const packages: SaidLine[] = [];
  const ended: ShownWindow[] = [];
  const decided: DecidedPocket[] = [];

  for (const { reading, snapshot, pressures, scales, norm } of read) {
    const pocket = pockets.get(reading.pocket_id);
    if (!pocket) continue;
    const { id } = pocket;
    const { now, spells } = pocketHistory(context, reading);
    const { recent, spoken, qualities } = now;
    const spare_capacity = spareCapacity.get(id) ?? null;
    const calm_outcomes = learnCalm(context, reading, recent);
    const ahead = outlooks.get(id) ?? [];
    const usual_stress = norm.stress.samples >= MIN_SAMPLES ? norm.stress.mean : null;
    const moment = computeMoment({
      ...{ zone, reading, pressures, recent, calm_outcomes, spoken },
      ahead,
      windows: windowRecord(context, 'now'),
      half_life_minutes: halfLifeMinutes(spells, reading.primary_state, slot, zone),
      commitments: commitments.get(id) ?? [],
      usual_until: (end) => usual.mean(id, end),
      lines: now.lines,
    });
    for (const { kind, start, held } of learnWindows(context, reading, moment, ahead, usual.at(id)))
      ended.push({ date: zone.localDate(start), pocket_id: id, kind, held });
    let gate: DecidedPocket['gate'] = null;
    if (moment) {
      const surroundings = {
        usual_stress,
        usual_calm: usual.mean(id, judgedAt(slot, moment.window_ends_at)),
        network_calm,
        spare_capacity,
        fatigue: pocketFatigue(spoken, slot),
      };
      const situation = {
        zone,
        pocket,
        intents: registry.intents,
        open_kinds: openKinds.get(id) ?? null,
        moment,
        reading,
        pressures,
        ...surroundings,
        merchants_known: spare_capacity !== null || allClosed.has(id),
        since: now.spell.since,
        previous: {
          mqs: qualities.at(-1)?.mqs ?? null,
          recent_high: qualities.reduce((high, { mqs }) => Math.max(high, mqs), 0),
        },
      };
      const kind = pauseAt(slot, now.live_until, zone);
      const decision = kind === null ? decide(situation) : null;
      const scores = decision ?? assessMoment(situation);
      qualities.push({ slot, mqs: scores.quality.mqs });
      moments.push({
        ...{ slot, moment, surroundings, decision: scores },
        pause: kind && { kind, legitimacy_score: weigh(situation, scores).legitimacy.legitimacy_score },
      });
      if (decision?.reason) {
        const { reason } = decision;
        gate = gateClosedBy(reason);
        silences.push(
          silencePayload(reading, snapshot, moment, situation.usual_calm, { ...decision, reason }),
        );
      } else if (decision) {
        spoken.push(slot);
        const item = composePackage(pocket, slot, moment, decision);
        now.live_until = item.expires_at;
        now.lines = [...recentLines(now.lines, slot), { from: slot, to: item.expires_at }];
        packages.push({ item, payload: linePayload(item, moment, situation.usual_calm) });
      }
    }
    state.set(`pocket ${id}`, now);
    const friction = moment?.movement_friction ?? null;
    decided.push({ reading, snapshot, pressures, scales, norm, moment, friction, spare_capacity, gate });
  }
  await writeMoments(tx, moments);
  await seal('silences', silences);
  await seal('lines', packages);
  await seal('windows', ended);
  return decided;
}

function pocketHistory(
  { state, zone }: JobContext,
  reading: Reading,
): { now: PocketHistory; spells: SpellCounts } {
  const id = reading.pocket_id;
  const before = state.get<PocketHistory>(`pocket ${id}`);
  const now = updateHistory(before, reading);
  const known = readTable(state.get<SpellCounts>(`spells ${id}`));
  const learned = learnSpell(known, before, now, zone);
  if (learned) state.set(`spells ${id}`, learned);
  return { now, spells: learned ?? known };
}

/** Learns whether the half hour that ends with this reading was calm. */
function learnCalm({ state }: JobContext, reading: Reading, recent: PocketHistory['recent']): CalmOutcomes {
  const key = `calm ${reading.pocket_id}`;
  const known = state.get<CalmOutcomes>(key) ?? noCalmOutcomes;
  const learned = addCalmReading(known, calmCondition(reading, recent));
  state.set(key, learned);
  return learned;
}
