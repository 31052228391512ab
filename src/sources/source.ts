import type { Signal, Substrate } from '../domain/atmosphere/signal.ts';
import type { MomentBrief } from '../domain/merchant/brief.ts';

/** Where signals come from. One owner for each feed; the pipeline asks once a slot. */
export interface Source {
  substrate: Substrate;
  /** What is known of every pocket at `slot` (a quarter hour, epoch ms). A missing measurement is an absent signal. */
  observe(slot: number, commitments?: readonly Committed[]): Promise<Signal[]>;
  /** Only a made-up city has merchants that answer by themselves; real ones answer through the operator. */
  merchants?: Merchants;
}

/** An outlet whose commitment runs at the slot: in a made-up city that may draw people. */
export type Committed = Pick<MomentBrief, 'outlet_id' | 'window_end'>;

export interface Merchants {
  /** Null: the merchant does not answer, and the offer lapses. */
  answer(brief: Pick<MomentBrief, 'outlet_id' | 'slot'>): 'accepted' | 'declined' | null;
}
