import { type NumberTable, numbersAt, tableEntries, withNumbers } from '../stats/number-table.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import type { PrimaryState } from './primary-state.ts';
import type { Reading } from './reading.ts';

/**
 * The recent past of a pocket that the next decision needs, carried from slot to slot. It is stored as JSON, so its
 * field names are part of the saved state.
 */
export interface PocketHistory {
  /** The last two hours, oldest first. */
  recent: { slot: number; calm: number }[];
  /** The slots of the last day in which the service spoke here. */
  spoken: number[];
  /** When the last line here expires; null when none is live. */
  live_until: number | null;
  /** When lines were live here in the last two weeks, oldest first. */
  lines: { from: number; to: number }[];
  /** The unbroken run of the present state, and the slot it began at. */
  spell: { state: PrimaryState; since: number };
  /** MQS of the last hour, oldest first. */
  qualities: { slot: number; mqs: number }[];
}

/**
 * How much longer a state lasted after each of its readings, by state and hour of the day: the number of readings with
 * one quarter hour left, with two and so on, the last with more than four hours (docs/formulas.md, "Half-life").
 */
export type SpellCounts = NumberTable;

/** The history with one more reading, and without what has become too old. */
export function updateHistory(before: PocketHistory | undefined, reading: Reading): PocketHistory {
  const { slot, calm, primary_state } = reading;
  const recent = (before?.recent ?? []).filter((past) => past.slot > slot - 2 * HOUR && past.slot < slot);
  // After a gap the state in between is unknown, so a new spell begins.
  const continues = before?.spell.state === primary_state && recent.at(-1)?.slot === slot - SLOT;
  return {
    recent: [...recent, { slot, calm }],
    spoken: (before?.spoken ?? []).filter((at) => at > slot - DAY),
    live_until: before?.live_until && before.live_until > slot ? before.live_until : null,
    lines: before?.lines ?? [],
    spell: continues && before ? before.spell : { state: primary_state, since: slot },
    qualities: (before?.qualities ?? []).filter((past) => past.slot >= slot - HOUR && past.slot < slot),
  };
}

/** Adds the spell that ended with this slot; null when none did. */
export function learnSpell(
  spells: SpellCounts,
  before: PocketHistory | undefined,
  after: PocketHistory,
  zone: Zone,
): SpellCounts | null {
  if (!before || before.spell.since === after.spell.since) return null;
  const last = before.recent.at(-1)?.slot;
  // A gap hides when the spell ended, so what was left of it is unknown.
  if (last === undefined || last !== after.spell.since - SLOT) return null;
  const { state, since } = before.spell;
  let learned = spells;
  for (let slot = since; slot <= last; slot += SLOT) {
    const key = spellKey(state, slot, zone);
    const left = (after.spell.since - slot) / SLOT;
    const counts = addReading(numbersAt(learned, key) ?? [], Math.min(left, LONGEST_LEFT + 1) - 1);
    learned = withNumbers(learned, key, counts);
  }
  return learned;
}

/** The most quarter hours that are told apart: four hours. */
const LONGEST_LEFT = 16;
/** From this many readings on, older ones lose weight: an hour of sixty days. */
const MEMORY = 240;

/** The counts are whole numbers and no longer than needed, since each pocket stores those of every state and hour. */
function addReading(counts: readonly number[], at: number): number[] {
  const full = totalCount(counts) >= MEMORY;
  return Array.from({ length: Math.max(counts.length, at + 1) }, (_, left) => {
    const count = counts[left] ?? 0;
    return (full ? Math.round(count / 2) : count) + (left === at ? 1 : 0);
  });
}

/** Three hours of readings; with fewer, a state is assumed to last three quarter hours. */
const MIN_READINGS = 12;
const UNKNOWN_MINUTES = 45;
/**
 * The share of readings that outlives the half-life. Less than half: long spells are learned when they end, so that those
 * known at any time are too short, and a half-life at the beginning of a night is cut off.
 */
const OUTLIVED = 0.46;

/**
 * The half-life of a state at a slot: the time, in whole quarter hours up to four hours, after which half of such spells
 * were over. From the readings of that state and hour of the day, from all of the state while those are few.
 */
export function halfLifeMinutes(spells: SpellCounts, state: PrimaryState, slot: number, zone: Zone): number {
  const ofHour = numbersAt(spells, spellKey(state, slot, zone)) ?? [];
  const counts = totalCount(ofHour) >= MIN_READINGS ? ofHour : countsOfState(spells, state);
  const all = totalCount(counts);
  if (all < MIN_READINGS) return UNKNOWN_MINUTES;
  let outlived = all;
  let best = { quarters: 1, miss: 1 };
  for (let quarters = 1; quarters <= LONGEST_LEFT && outlived > 0; quarters++) {
    outlived -= counts[quarters - 1] ?? 0;
    const miss = Math.abs(outlived / all - OUTLIVED);
    // Of shares as near, the later: in a night most spells last for longer than is told.
    if (miss <= best.miss) best = { quarters, miss };
  }
  return (best.quarters * SLOT) / MINUTE;
}

function countsOfState(spells: SpellCounts, state: PrimaryState): number[] {
  const sums: number[] = [];
  for (const [, counts] of tableEntries(spells, `${state} `))
    for (const [n, count] of counts.entries()) sums[n] = (sums[n] ?? 0) + count;
  return sums;
}

const totalCount = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const spellKey = (state: PrimaryState, slot: number, zone: Zone): string =>
  `${state} ${Math.floor(zone.hourOfDay(slot))}`;
