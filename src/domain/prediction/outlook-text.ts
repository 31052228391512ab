/** The lines of the outlook. They are served: their wording is part of the contract. */
import { type PrimaryState, withUnderscores } from '../atmosphere/primary-state.ts';
import type { Zone } from '../time/zone.ts';
import { type Scenario, scenarioDetails } from './scenario.ts';

/** Words for a confidence. None of them promises an outcome. */
const hedge = (confidence: number): string =>
  confidence >= 0.7 ? 'likely' : confidence >= 0.45 ? 'perhaps' : 'hard to tell, possibly';

/** A smaller change of pulse reads as "much as now". */
const MIN_CHANGE = 0.1;

/** `delta` is the expected pulse less the pulse now; pulse is 1 − calm. */
const direction = (delta: number): string =>
  delta >= MIN_CHANGE ? 'livelier than now' : delta <= -MIN_CHANGE ? 'calmer than now' : 'much as now';

export const outlookLine = (
  revealAt: number,
  state: PrimaryState,
  confidence: number,
  delta: number,
  zone: Zone,
): string =>
  `around ${zone.clockWithZone(revealAt)} ${hedge(confidence)} ${withUnderscores(state)}, ${direction(delta)} (confidence ${confidence}).`;

export const nowLine = (slot: number, state: PrimaryState, calm: number, zone: Zone): string =>
  `at ${zone.clockWithZone(slot)} ${withUnderscores(state)}, calm level ${calm}.`;

export const scenarioLine = (scenario: Scenario, state: PrimaryState, revealAt: number, zone: Zone): string =>
  `${scenarioDetails[scenario].words}, perhaps ${withUnderscores(state)} around ${zone.clockWithZone(revealAt)}.`;
