import { type PrimaryState, withUnderscores } from '../atmosphere/primary-state.ts';
import { clockOf } from '../time/sgt.ts';
import { type Scenario, supposing } from './scenario.ts';

/** How sure a forecast may sound. None is ever a promise. */
export const hedge = (confidence: number): string =>
  confidence >= 0.7 ? 'likely' : confidence >= 0.45 ? 'perhaps' : 'hard to tell, possibly';

const MOVED = 0.1;

/** `delta` is the change of pulse against now. */
const direction = (delta: number): string =>
  delta >= MOVED ? 'livelier than now' : delta <= -MOVED ? 'calmer than now' : 'much as now';

export const outlookLine = (
  revealAt: number,
  state: PrimaryState,
  confidence: number,
  delta: number,
): string =>
  `around ${clockOf(revealAt)} SGT ${hedge(confidence)} ${withUnderscores(state)}, ${direction(delta)} (confidence ${confidence}).`;

export const nowLine = (slot: number, state: PrimaryState, calm: number): string =>
  `at ${clockOf(slot)} SGT ${withUnderscores(state)}, calm ${calm}.`;

export const turningLine = (supposition: Scenario, state: PrimaryState, revealAt: number): string =>
  `${supposing[supposition].words}, perhaps ${withUnderscores(state)} around ${clockOf(revealAt)} SGT.`;
