import type { Signal, Substrate } from '../domain/signal.ts';

/** Where signals come from. One owner for each feed; the pipeline asks once a slot. */
export interface Source {
  substrate: Substrate;
  /** What is known of every pocket at `slot` (a quarter hour, epoch ms). A missing measurement is an absent signal. */
  observe(slot: number): Promise<Signal[]>;
}
