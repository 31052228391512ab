/** Backtest: what the service would have said for one outlet (docs/formulas.md, "Autopilot backtest"). */

import type { Outlet } from '../city/city.ts';
import type { ClosedGate } from '../decision/decision-text.ts';
import {
  gateClosedBy,
  type PauseKind,
  pauseAt,
  reasonText,
  type SilenceReason,
} from '../decision/silence-reason.ts';
import { round } from '../stats/unit-scale.ts';
import { DAY } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import { decideAgain, type PastMoment } from './replay.ts';
import { spareCapacity } from './spare-capacity.ts';
import { PLACES_WITHOUT_SEATS } from './sustainability.ts';

/** Result of a backtest so far. Plain data, so that a long history can be replayed in steps. */
export interface Backtest {
  /** First slot that was decided on; null while there is none. */
  first: number | null;
  surfaced: Surfaced[];
  /** How often each reason withheld a line. */
  withheld: Partial<Record<SilenceReason, number>>;
  /** Slots at which nothing was decided, by kind. */
  paused: Record<PauseKind, number>;
}

export interface Surfaced {
  slot: number;
  line: string;
  legitimacy_score: number;
  spare_capacity: number;
  expires_at: number;
}

export const emptyBacktest: Backtest = {
  first: null,
  surfaced: [],
  withheld: {},
  paused: { quiet_hours: 0, already_speaking: 0 },
};

export type BacktestOutlet = Pick<Outlet, 'opens_at' | 'closes_at' | 'seats' | 'typical_spend' | 'margin'>;

/** Replays the moments that follow those of `before`, oldest first. What it would have said counts as said from then on. */
export function replay(
  before: Backtest,
  name: string,
  outlet: BacktestOutlet,
  moments: readonly (PastMoment & { activity: number })[],
  zone: Zone,
): Backtest {
  let { first } = before;
  const surfaced = [...before.surfaced];
  const withheld = { ...before.withheld };
  const paused = { ...before.paused };
  for (const past of moments) {
    const { slot } = past.reading;
    const spare_capacity = spareCapacity(outlet, past.activity, slot, zone);
    // Nothing is decided for an outlet that is closed.
    if (spare_capacity === null) continue;
    first ??= slot;
    // Its own line or the service's: as in the service, nothing is said while one is live.
    const own = surfaced.at(-1)?.expires_at ?? null;
    const pause = pauseAt(slot, past.line_live ? Number.POSITIVE_INFINITY : own, zone);
    if (pause) {
      paused[pause] += 1;
      continue;
    }
    const spoken = saidWithin(surfaced, slot - DAY);
    const again = decideAgain(name, past, { spare_capacity, tier: 'experience', spoken }, zone);
    if (again.reason === null) {
      const { line, legitimacy_score } = again;
      const { expires_at } = past.moment;
      surfaced.push({ slot, line, legitimacy_score, spare_capacity, expires_at });
    } else withheld[again.reason] = (withheld[again.reason] ?? 0) + 1;
  }
  return { first, surfaced, withheld, paused };
}

/** Slots of the lines surfaced after `after`, as the pipeline's saturation counts them. */
function saidWithin(surfaced: readonly Surfaced[], after: number): number[] {
  const slots: number[] = [];
  for (let at = surfaced.length - 1; at >= 0; at--) {
    const slot = surfaced[at]?.slot ?? 0;
    if (slot <= after) break;
    slots.unshift(slot);
  }
  return slots;
}

export interface ReasonCount {
  gate: ClosedGate;
  reason: SilenceReason;
  reason_text: string;
  count: number;
}

/** Why lines were withheld, most frequent first. */
export function withholdingReasons({ withheld }: Backtest): ReasonCount[] {
  return (Object.entries(withheld) as [SilenceReason, number][])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason, count]) => ({
      gate: gateClosedBy(reason),
      reason,
      reason_text: reasonText[reason],
      count,
    }));
}

export const withheldCount = ({ withheld }: Backtest): number =>
  Object.values(withheld).reduce((sum, count) => sum + count, 0);

/** Assumed, not observed: the share of free places that one line fills. */
export const RESPONSE_RATES = { low: 0.02, midpoint: 0.05, high: 0.08 };

/** Gross margin, in the city's currency, of the visits that the lines might have brought. */
export function economicRange(
  { surfaced }: Pick<Backtest, 'surfaced'>,
  outlet: BacktestOutlet,
): Record<keyof typeof RESPONSE_RATES, number> {
  const places = outlet.seats || PLACES_WITHOUT_SEATS;
  const free = surfaced.reduce((sum, { spare_capacity }) => sum + places * spare_capacity, 0);
  const worth = (response: number) => round(free * response * outlet.typical_spend * outlet.margin, 2);
  return {
    low: worth(RESPONSE_RATES.low),
    midpoint: worth(RESPONSE_RATES.midpoint),
    high: worth(RESPONSE_RATES.high),
  };
}
