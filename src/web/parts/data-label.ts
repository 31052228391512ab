// Where the data comes from, beside something that was read on a day: for badges, cards, calendars and feeds, which are
// seen without the pages that say it. `date` is that of the reading in the city's zone; null where nothing was read.
import { dataName } from './page.ts';
import { formatDate } from './times.ts';

interface Origin {
  substrate: string;
}

/** 'simulated' or 'replay of 14 Dec 2024'; null for measured data. */
export function dataWords({ substrate }: Origin, date: string | null): string | null {
  if (substrate === 'live') return null;
  return substrate === 'replay' && date !== null ? `replay of ${formatDate(date)}` : substrate;
}

/** The same as a label: 'Simulated data' or 'Replay of 14 Dec 2024'. */
export function dataLabel({ substrate }: Origin, date: string | null): string | null {
  if (substrate === 'live') return null;
  return substrate === 'replay' && date !== null ? `Replay of ${formatDate(date)}` : dataName(substrate);
}
