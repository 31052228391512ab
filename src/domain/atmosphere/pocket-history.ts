import { emptyNorm, type Norm, updateNorm } from '../stats/norm.ts';
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
  /** The unbroken run of the present state, and the slot it began at. */
  spell: { state: PrimaryState; since: number };
  /** MQS of the last hour, oldest first. */
  qualities: { slot: number; mqs: number }[];
}

/** Minutes that spells of a state last, by state and part of the day (docs/formulas.md, "Spells"). */
export type SpellNorms = Record<string, Norm>;

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
    spell: continues && before ? before.spell : { state: primary_state, since: slot },
    qualities: (before?.qualities ?? []).filter((past) => past.slot >= slot - HOUR && past.slot < slot),
  };
}

/** Adds the spell that ended with this slot; null when none did. */
export function updateSpellNorms(
  spells: SpellNorms,
  before: PocketHistory | undefined,
  after: PocketHistory,
  zone: Zone,
): SpellNorms | null {
  if (!before || before.spell.since === after.spell.since) return null;
  const last = before.recent.at(-1)?.slot;
  // A gap hides when the spell ended, so its length is unknown.
  if (last === undefined || last !== after.spell.since - SLOT) return null;
  const key = spellKey(before.spell, zone);
  const minutes = (after.spell.since - before.spell.since) / MINUTE;
  return { ...spells, [key]: updateNorm(spells[key] ?? emptyNorm, minutes) };
}

const MIN_SPELLS = 3;

/** The mean length of such spells; null before enough of them have ended. */
export function usualSpellMinutes(
  spells: SpellNorms,
  spell: PocketHistory['spell'],
  zone: Zone,
): number | null {
  const norm = spells[spellKey(spell, zone)];
  return norm && norm.samples >= MIN_SPELLS ? norm.mean : null;
}

/** The day has eight parts of three hours. */
const spellKey = ({ state, since }: PocketHistory['spell'], zone: Zone): string =>
  `${state} ${Math.floor(zone.hourOfDay(since) / 3)}`;
