/** Differences in words, as sentences of a report; voice-locked (src/domain/text/voice.ts). */
import type { PocketSignal } from '../atmosphere/signal.ts';
import { partLabel } from '../time/waking-hours.ts';
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

/** "from 18:00 to 23:00 it was less calm than the other pockets: 0.25 against 0.58 in 17 others, the least calm of 18." */
function networkText(found: Difference): string {
  const { quality, part, value, reference, rank, of_pockets, cause } = found;
  const { most, least } = words[quality];
  const place =
    rank === 1 ? `, ${most} of ${of_pockets}` : rank === of_pockets ? `, ${least} of ${of_pockets}` : '';
  const others = (of_pockets ?? 1) - 1;
  return `from ${partLabel(part).replace('-', ' to ')} it was ${comparative(found)} than the other pockets: ${value} against ${reference} in ${others} others${place}${through(cause)}.`;
}

/** "on tuesday afternoon (14:00-18:00), a public holiday, it was calmer than usual: 0.81 where 0.62 is usual." */
function usualText(found: Difference, period: 'week' | 'month', onHoliday: boolean): string {
  const { day, part, value, reference, cause } = found;
  const when = `on ${day} ${part}${period === 'month' ? 's' : ''}`;
  return `${when} (${partLabel(part)})${onHoliday ? ', a public holiday,' : ''} it was ${comparative(found)} than usual: ${value} where ${reference} is usual${through(cause)}${elsewhere(found)}.`;
}

const comparative = ({ quality, difference }: Difference): string =>
  words[quality][difference > 0 ? 'more' : 'less'];

/** Whether the whole city moved or this pocket alone. Half as far in the same direction counts as the whole city. */
function elsewhere({ difference, network_difference }: Difference): string {
  if (network_difference === null) return '';
  const by = `${network_difference < 0 ? 'down' : 'up'} ${Math.abs(network_difference)} on average`;
  return network_difference / difference >= 0.5
    ? `; the other pockets changed the same way (${by})`
    : `; the other pockets did not change as much (${by})`;
}

const through = (cause: Cause | null): string =>
  cause ? `, mainly through ${causeText[cause.signal](cause)}` : '';

const causeText: Record<PocketSignal, (cause: Cause) => string> = {
  rain_mm: ({ value, reference }) => `rain (${value} mm a quarter hour against ${reference})`,
  temperature_c: ({ value, reference }) => `heat (${value} degrees against ${reference})`,
  humidity_pct: ({ value, reference }) => `humidity (${value}\u00a0% against ${reference}\u00a0%)`,
  pm25: ({ value, reference }) => `the air (pm2.5 at ${value} against ${reference})`,
  footfall: ({ value, reference }) => `the crowd (${value} of an ordinary peak against ${reference})`,
  transit_crowding: ({ value, reference }) => `transit (${value} full against ${reference})`,
  traffic_speed_kmh: ({ value, reference }) => `traffic (${value} km/h against ${reference})`,
  carpark_occupancy: ({ value, reference }) => `car parks (${value} full against ${reference})`,
};
