import { FELT_HOURS, JUDGED_HOURS, type Lately } from '../../domain/decision/equilibrium.ts';
import { HOUR } from '../../domain/time/sgt.ts';
import {
  type ByPocket,
  type Felt,
  feltInHalfHour,
  HALF_HOUR,
  type Judged,
  judgedInHalfHour,
  nothingJudged,
} from '../../store/report/half-hours.ts';
import type { JobContext } from '../core/context.ts';

type LatelyContext = Pick<JobContext, 'tx' | 'registry' | 'slot' | 'now' | 'state'>;

/** What people said in each pocket over the last hours. */
export async function sensedLately(tick: LatelyContext): Promise<(pocket: string) => Lately['senses']> {
  const sensed = new Map<string, Lately['senses']>();
  for await (const half of feltLately(tick))
    for (const [pocket, { senses }] of Object.entries(half))
      if (senses.length) sensed.set(pocket, [...(sensed.get(pocket) ?? []), ...senses]);
  return (pocket) => sensed.get(pocket) ?? [];
}

/** What the equilibrium of each pocket is made from. */
export async function latelyOf(tick: LatelyContext): Promise<(pocket: string) => Lately> {
  const lately = new Map<string, Lately>();
  const of = (pocket: string): Lately => {
    let own = lately.get(pocket);
    if (!own) {
      own = nothing();
      lately.set(pocket, own);
    }
    return own;
  };
  for await (const half of feltLately(tick)) {
    for (const [pocket, found] of Object.entries(half)) {
      const own = of(pocket);
      own.readings += found.readings;
      own.calm += found.calm;
      if (found.senses.length) own.senses = [...own.senses, ...found.senses];
    }
  }
  for await (const half of halfHours<Judged>(tick, 'judged and settled', JUDGED_HOURS, judgedInHalfHour)) {
    for (const [pocket, found] of Object.entries(half)) {
      const own = of(pocket);
      own.judged += found.judged;
      own.vindicated += found.vindicated;
      own.revealed += found.revealed;
      own.hits += found.hits;
      own.after += found.after;
      own.held += found.held;
      own.idle += found.idle;
      own.reclaimed += found.reclaimed;
    }
  }
  return of;
}

const nothing = (): Lately => ({ readings: 0, calm: 0, senses: [], ...nothingJudged });

const feltLately = (tick: LatelyContext) => halfHours<Felt>(tick, 'felt', FELT_HOURS, feltInHalfHour);

/**
 * The last hours as half hours, newest first. A day of rows is too much to read again twice an hour, so each half hour
 * is read once and kept in the state, in as many places as the window has half hours.
 */
async function* halfHours<T>(
  { tx, slot, state }: LatelyContext,
  name: string,
  hours: number,
  read: (store: LatelyContext['tx'], slot: number) => Promise<ByPocket<T>>,
): AsyncGenerator<ByPocket<T>> {
  const places = (hours * HOUR) / HALF_HOUR;
  for (let end = slot; end > slot - hours * HOUR; end -= HALF_HOUR) {
    const key = `half hour ${name} ${(end / HALF_HOUR) % places}`;
    await state.load(tx, [key]);
    let kept = state.get<{ end: number; pockets: ByPocket<T> }>(key);
    if (kept?.end !== end) {
      kept = { end, pockets: await read(tx, end) };
      state.set(key, kept);
    }
    yield kept.pockets;
  }
}
