import { isCalmState, type PrimaryState } from '../../atmosphere/primary-state.ts';
import { closeCountdown, type Hours } from '../../time/opening-hours.ts';
import {
  confidenceOf,
  DailyRatios,
  LEAST_DAYS,
  type Pattern,
  type PocketQuarter,
  percent,
} from './pattern.ts';

/** Share of the pocket's calm hours, and of its social hours, that fall into the outlet's opening hours. */
export function hoursOverlap(outlet: Hours, streets: readonly PocketQuarter[]): Pattern | null {
  const [calm, social, all] = [new DailyRatios(), new DailyRatios(), new DailyRatios()];
  const left = closeCountdown(outlet);
  let n = 0;
  for (const { slot, primary_state } of streets) {
    if (primary_state === null) continue;
    const open = left(slot) > 0 ? 1 : 0;
    n += 1;
    all.add(slot, open, 1);
    if (isCalmState(primary_state)) calm.add(slot, open, 1);
    if (isSocial(primary_state)) social.add(slot, open, 1);
  }
  const [calmly, socially] = [calm.ratio(), social.ratio()];
  if (all.count < LEAST_DAYS || (calmly === null && socially === null)) return null;
  const shares = [
    ...(calmly === null ? [] : [`${percent(calmly)} of the calm hours`]),
    ...(socially === null ? [] : [`${percent(socially)} of the sociable hours`]),
  ];
  return {
    kind: 'hours_overlap',
    text: `open for ${shares.join(' and ')} of its pocket (n=${n}).`,
    confidence: confidenceOf((calmly === null ? social : calm).ratios()),
    basis: `${n} readings of the pocket on ${all.count} days, held against its opening hours`,
  };
}

const isSocial = (state: PrimaryState): boolean => state.endsWith('-social');
