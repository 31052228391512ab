import { FELT_HOURS, JUDGED_HOURS, type Lately } from '../domain/equilibrium.ts';
import { HOUR } from '../domain/sgt.ts';
import {
  type ByPocket,
  type Felt,
  feltInHalfHour,
  HALF_HOUR,
  type Judged,
  judgedInHalfHour,
} from '../store/half-hours.ts';
import type { Tick } from './tick.ts';

/** What people said in each pocket over the last hours. */
export async function sensedLately(tick: Tick): Promise<(pocket: string) => Lately['senses']> {
  const felt = await feltLately(tick);
  return (pocket) => felt.flatMap((half) => half[pocket]?.senses ?? []);
}

/** What the equilibrium of each pocket is made from. */
export async function latelyOf(tick: Tick): Promise<(pocket: string) => Lately> {
  const felt = await feltLately(tick);
  const judged = await halfHours<Judged>(tick, 'judged', JUDGED_HOURS, judgedInHalfHour);
  return (pocket) => {
    const lately = {
      readings: 0,
      calm: 0,
      judged: 0,
      vindicated: 0,
      revealed: 0,
      hits: 0,
      after: 0,
      held: 0,
    };
    for (const half of felt) {
      lately.readings += half[pocket]?.readings ?? 0;
      lately.calm += half[pocket]?.calm ?? 0;
    }
    for (const half of judged) {
      const found = half[pocket];
      if (!found) continue;
      lately.judged += found.judged;
      lately.vindicated += found.vindicated;
      lately.revealed += found.revealed;
      lately.hits += found.hits;
      lately.after += found.after;
      lately.held += found.held;
    }
    return { ...lately, senses: felt.flatMap((half) => half[pocket]?.senses ?? []) };
  };
}

const feltLately = (tick: Tick) => halfHours<Felt>(tick, 'felt', FELT_HOURS, feltInHalfHour);

/**
 * The last hours as half hours, newest first. A day of rows is too much to read again twice an hour, so each half hour
 * is read once and kept in the memory, in as many places as the window has half hours.
 */
async function halfHours<T>(
  { tx, slot, memory }: Tick,
  name: string,
  hours: number,
  read: (store: Tick['tx'], slot: number) => Promise<ByPocket<T>>,
): Promise<ByPocket<T>[]> {
  const places = (hours * HOUR) / HALF_HOUR;
  const halves: ByPocket<T>[] = [];
  for (let end = slot; halves.length < places; end -= HALF_HOUR) {
    const key = `half hour ${name} ${(end / HALF_HOUR) % places}`;
    let kept = memory.get<{ end: number; pockets: ByPocket<T> }>(key);
    if (kept?.end !== end) {
      kept = { end, pockets: await read(tx, end) };
      memory.set(key, kept);
    }
    halves.push(kept.pockets);
  }
  return halves;
}
