// Simulated merchants: how they answer briefs, and the visitors that their commitments attract.
import type { Signal } from '../../domain/signals/signal.ts';
import { SLOT } from '../../domain/time/slot.ts';
import type { Committed, Merchants } from '../source.ts';
import { roundTo } from './numbers.ts';
import { hashText, mix, uniform } from './random/random.ts';

/** Range of the merchants' probability of accepting a brief. */
const LEAST_WILLING = 0.2;
const MOST_WILLING = 0.7;
/** Share of the briefs not accepted that are declined; the others lapse. */
const DECLINES = 0.5;

export function simulateMerchants(seed: string): Merchants {
  return {
    answer({ outlet_id, slot }) {
      const own = hashText(`${seed}/merchant/${outlet_id}`);
      const willing = LEAST_WILLING + (MOST_WILLING - LEAST_WILLING) * uniform(own);
      const asked = mix(own, slot / SLOT);
      if (uniform(asked) < willing) return 'accepted';
      return uniform(mix(asked, 1)) < DECLINES ? 'declined' : null;
    },
  };
}

/** Probability that a commitment attracts no visitors, and the range of the share of spare capacity that others fill. */
const NO_VISITORS = 0.35;
const LEAST_DRAWN = 0.05;
const MOST_DRAWN = 0.4;

/** The signals of a slot with the visitors that running commitments attract. */
export function withVisitors(signals: Signal[], commitments: readonly Committed[], seed: string): Signal[] {
  if (!commitments.length) return signals;
  const drawn = new Map(commitments.map((one) => [one.outlet_id, commitmentAppeal(one, seed)]));
  return signals.map((signal) => {
    const appeal = signal.outlet_id === undefined ? undefined : drawn.get(signal.outlet_id);
    // A closed outlet attracts no visitors.
    if (!appeal || signal.value <= 0) return signal;
    return { ...signal, value: roundTo(signal.value + appeal * (1 - signal.value), 100) };
  });
}

function commitmentAppeal({ outlet_id, window_end }: Committed, seed: string): number {
  const own = mix(hashText(`${seed}/commitment/${outlet_id}`), window_end / SLOT);
  if (uniform(own) < NO_VISITORS) return 0;
  return LEAST_DRAWN + (MOST_DRAWN - LEAST_DRAWN) * uniform(mix(own, 1));
}
