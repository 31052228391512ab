import { emptyNorm, learn, type Norm } from '../stats/norm.ts';
import { DAY, HOUR, hourOfDay, MINUTE, SLOT } from '../time/sgt.ts';
import type { PrimaryState } from './primary-state.ts';
import type { Reading } from './reading.ts';

/** What is remembered of a pocket from one slot to the next. Plain data, kept in the store. */
export interface PocketHistory {
  /** The last two hours, oldest first. */
  recent: { slot: number; calm: number }[];
  /** When the service spoke here, within a day. */
  spoken: number[];
  spell: { state: PrimaryState; since: number };
  /** MQS of the last hour, oldest first. */
  qualities: { slot: number; mqs: number }[];
}

/** How long spells of a state have lasted, by state and part of the day. */
export type SpellNorms = Record<string, Norm>;

export function remember(memory: PocketHistory | undefined, reading: Reading): PocketHistory {
  const { slot, calm, primary_state } = reading;
  const recent = (memory?.recent ?? []).filter((past) => past.slot > slot - 2 * HOUR && past.slot < slot);
  // After a gap nobody knows what the pocket did meanwhile: the spell begins anew.
  const goesOn = memory?.spell.state === primary_state && recent.at(-1)?.slot === slot - SLOT;
  return {
    recent: [...recent, { slot, calm }],
    spoken: (memory?.spoken ?? []).filter((at) => at > slot - DAY),
    spell: goesOn && memory ? memory.spell : { state: primary_state, since: slot },
    qualities: (memory?.qualities ?? []).filter((past) => past.slot >= slot - HOUR && past.slot < slot),
  };
}

/** Learns the spell that has just ended, if one has. */
export function learnSpell(
  spells: SpellNorms,
  before: PocketHistory | undefined,
  after: PocketHistory,
): SpellNorms | null {
  if (!before || before.spell.since === after.spell.since) return null;
  const last = before.recent.at(-1)?.slot;
  // A spell cut short by a gap says nothing of how long such spells last.
  if (last === undefined || last !== after.spell.since - SLOT) return null;
  const key = spellKey(before.spell.state, before.spell.since);
  const minutes = (after.spell.since - before.spell.since) / MINUTE;
  return { ...spells, [key]: learn(spells[key] ?? emptyNorm, minutes) };
}

const LEAST_SPELLS = 3;

export function usualSpell(spells: SpellNorms, { state, since }: PocketHistory['spell']): number | null {
  const norm = spells[spellKey(state, since)];
  return norm && norm.samples >= LEAST_SPELLS ? norm.mean : null;
}

/** Eight parts of three hours. */
const spellKey = (state: PrimaryState, since: number): string =>
  `${state} ${Math.floor(hourOfDay(since) / 3)}`;
