/** Differences in words, as sentences of a report; voice-locked (src/domain/text/voice.ts). The figures stand beside them. */

import { MUCH } from '../atmosphere/usual-calm.ts';
import type { PocketSignal } from '../signals/signal.ts';
import type { Cause, Difference } from './difference.ts';
import type { ComparedQuality } from './part-means.ts';

export const differenceText = (
  difference: Difference,
  period: 'week' | 'month',
  onHoliday: boolean,
): string =>
  difference.against === 'network' ? networkText(difference) : usualText(difference, period, onHoliday);

const words: Record<ComparedQuality, { more: string; less: string; most: string; least: string }> = {
  calm: { more: 'calmer', less: 'less calm', most: 'the calmest', least: 'the least calm' },
  social: { more: 'more social', less: 'less social', most: 'the most social', least: 'the least social' },
  productive: {
    more: 'more productive',
    less: 'less productive',
    most: 'the most productive',
    least: 'the least productive',
  },
};

/** "in the evenings it was much less calm than the other pockets, the least calm of 18, with about twice as many people for its size." */
function networkText(found: Difference): string {
  const { quality, part, rank, of_pockets, cause } = found;
  const { most, least } = words[quality];
  const place =
    rank === 1 ? `, ${most} of ${of_pockets}` : rank === of_pockets ? `, ${least} of ${of_pockets}` : '';
  const through = cause ? `, ${causeText(cause, null)}` : '';
  return `${part === 'midday' ? 'at midday' : `in the ${part}s`} it was ${comparative(found)} than the other pockets${place}${through}.`;
}

/** "on monday afternoon it was much calmer than usual, with about half as many people as on other mondays." */
function usualText(found: Difference, period: 'week' | 'month', onHoliday: boolean): string {
  const { day, part, cause } = found;
  const months = period === 'month';
  const when = `on ${day} ${part}${months ? 's' : ''}${onHoliday ? ', a public holiday,' : ''}`;
  const through = cause ? `, ${causeText(cause, months ? 'in earlier months' : `on other ${day}s`)}` : '';
  return `${when} it was ${comparative(found)} than usual${through}${elsewhere(found)}.`;
}

const comparative = ({ quality, difference }: Difference): string =>
  `${Math.abs(difference) >= MUCH ? 'much ' : ''}${words[quality][difference > 0 ? 'more' : 'less']}`;

/** Whether the whole city moved or this pocket alone. Half as far in the same direction counts as the whole city. */
function elsewhere({ difference, network_difference }: Difference): string {
  if (network_difference === null) return '';
  return network_difference / difference >= 0.5
    ? '; the other pockets changed the same way'
    : '; the other pockets did not change as much';
}

/**
 * The measurement behind a difference, to complete a sentence after a comma. `others` are the hours of the same pocket
 * that it is held against, such as 'on other mondays'; null for other pockets, which differ in size.
 */
export function causeText(cause: Cause, others: string | null): string {
  if (cause.signal === 'footfall') {
    const [as, words] = crowdWords(cause);
    return `with ${words} ${others === null ? 'for its size' : `${as} ${others}`}`;
  }
  const [more, less] = signalWords[cause.signal];
  return `mainly through ${cause.value > cause.reference ? more : less}`;
}

const signalWords: Record<Exclude<PocketSignal, 'footfall'>, [more: string, less: string]> = {
  rain_mm: ['more rain', 'less rain'],
  temperature_c: ['warmer air', 'cooler air'],
  humidity_pct: ['damper air', 'drier air'],
  pm25: ['hazier air', 'cleaner air'],
  transit_crowding: ['fuller trains and buses', 'emptier trains and buses'],
  traffic_speed_kmh: ['faster traffic', 'slower traffic'],
  carpark_occupancy: ['fuller car parks', 'emptier car parks'],
};

/** Lower bounds of how many times the crowd of the reference. */
const shares: [from: number, as: 'as' | 'than', words: string][] = [
  [2.75, 'as', 'several times as many people'],
  [1.75, 'as', 'about twice as many people'],
  [1.1, 'than', 'more people'],
  [0.9, 'as', 'about as many people'],
  [0.65, 'than', 'fewer people'],
  [0.4, 'as', 'about half as many people'],
  [0, 'as', 'less than half as many people'],
];

/** A crowd is a share of the pocket's ordinary peak, so that pockets of any size compare. */
function crowdWords({ value, reference }: Cause): [as: string, words: string] {
  const times = reference > 0 ? value / reference : Number.POSITIVE_INFINITY;
  const [, as, words] = shares.find(([from]) => times >= from) ?? [0, 'as', ''];
  return [as, words];
}
