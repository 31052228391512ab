import { isCalmState, type PrimaryState } from '../../atmosphere/primary-state.ts';
import { isSleepHour } from '../../decision/moment.ts';
import { percentText } from '../../text/figures.ts';
import { closeCountdown, type Hours } from '../../time/opening-hours.ts';
import type { Zone } from '../../time/zone.ts';
import type { Confidence } from '../confidence.ts';
import { DailyRatios, LEAST_DAYS, type Pattern, type PocketQuarter, sampleDeviation } from './pattern.ts';

/**
 * Share of the pocket's calm hours, and of its social hours, that fall into the outlet's opening hours. Nights are left
 * out: every pocket is calm then and nearly every outlet closed.
 */
export function hoursOverlap(outlet: Hours, streets: readonly PocketQuarter[], zone: Zone): Pattern | null {
  const [calm, social, all] = [new DailyRatios(zone), new DailyRatios(zone), new DailyRatios(zone)];
  const left = closeCountdown(outlet, zone);
  let n = 0;
  for (const { slot, primary_state } of streets) {
    if (primary_state === null || isSleepHour(zone.hourOfDay(slot))) continue;
    const open = left(slot) > 0 ? 1 : 0;
    n += 1;
    all.add(slot, open, 1);
    if (isCalmState(primary_state)) calm.add(slot, open, 1);
    if (isSocial(primary_state)) social.add(slot, open, 1);
  }
  const shares = [
    { days: calm, name: 'calm' },
    { days: social, name: 'sociable' },
  ].flatMap(({ days, name }) => {
    const share = days.ratio();
    return share === null
      ? []
      : [{ daily: days.ratios(), words: `${percentText(share)} of the ${name} hours` }];
  });
  if (all.count < LEAST_DAYS || !shares.length) return null;
  const spread = Math.max(...shares.map(({ daily }) => sampleDeviation(daily)));
  const fewest = Math.min(...shares.map(({ daily }) => daily.length));
  return {
    kind: 'hours_overlap',
    text: `open for ${shares.map(({ words }) => words).join(' and ')} of its pocket between 07:00 and 23:00 (n = ${n}).`,
    confidence: confidenceOfShares(fewest, spread),
    basis: `${n} readings of the pocket on ${all.count} days, compared with its opening hours; from day to day the share varies by ${Math.round(100 * spread)} points`,
  };
}

const isSocial = (state: PrimaryState): boolean => state.endsWith('-social');

/** By how far a single day may lie from the share: a mean over many days is exact even where no day is like it. */
function confidenceOfShares(days: number, spread: number): Confidence {
  if (days < LEAST_DAYS) return 'low';
  if (days >= 7 && spread <= 0.15) return 'high';
  return spread <= 0.25 ? 'medium' : 'low';
}
