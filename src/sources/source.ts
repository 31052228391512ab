import type { MomentBrief } from '../domain/merchant/brief.ts';
import type { Signal, Substrate } from '../domain/signals/signal.ts';

/** Where signals come from. One owner for each feed; the pipeline asks once a slot. */
export interface Source {
  substrate: Substrate;
  /** What is known of every pocket at `slot` (a quarter hour, epoch ms). A missing measurement is an absent signal. */
  observe(slot: number, commitments?: readonly Committed[]): Promise<Signal[]>;
  /** The same signals, of some pockets alone; given where that costs less than to observe the whole city. */
  part?(pockets: ReadonlySet<string>): Pick<Source, 'observe'>;
  /** Merchants that answer briefs by themselves, in a simulated city only; real ones answer through the operator. */
  merchants?: Merchants;
}

/** An outlet with a running commitment; in a simulated city it may attract visitors. */
export type Committed = Pick<MomentBrief, 'outlet_id' | 'window_end'>;

export interface Merchants {
  /** Null: the merchant does not answer, and the brief lapses. */
  answer(brief: Pick<MomentBrief, 'outlet_id' | 'slot'>): 'accepted' | 'declined' | null;
}
