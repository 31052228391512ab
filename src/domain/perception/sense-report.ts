import { type SenseWord, senseWords } from '../signals/signal.ts';
import { printable } from '../text/printable.ts';
import { parseTime, timeFormats } from '../time/parse-time.ts';
import { DAY, slotStart } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/**
 * A count of people who chose a word for a pocket at a time, entered by an operator. It contains nothing about any
 * person.
 */
export interface SenseReport {
  pocket_id: string;
  word: SenseWord;
  at: number;
  people: number;
}

/** As the operator typed it. */
export type SenseReportInput = Record<keyof SenseReport, string>;

/** Limits of what an operator types: beyond them a slip is likelier than a report. */
const MAX_REPORT_AGE = 7 * DAY;
export const MAX_PEOPLE = 500;

/** What a report is checked against. */
export interface SensedCity {
  name: string;
  zone: Zone;
  isPocket(id: string): boolean;
}

export function parseSenseReport(
  given: SenseReportInput,
  now: number,
  city: SensedCity,
): SenseReport | { fault: string } {
  const word = senseWords.find((known) => known === given.word);
  const at = parseTime(given.at, now, city.zone);
  const people = /^\d{1,4}$/.test(given.people) ? Number(given.people) : 0;
  if (!city.isPocket(given.pocket_id)) return { fault: `unknown pocket: ${printable(given.pocket_id)}` };
  if (!word) return { fault: `word must be one of ${senseWords.join(', ')}` };
  if (at === undefined) return { fault: `time must be ${timeFormats(city.name)}` };
  if (at > now) return { fault: 'time must not be in the future' };
  if (at <= now - MAX_REPORT_AGE) return { fault: 'time must be within the last 7 days' };
  if (people < 1 || people > MAX_PEOPLE) return { fault: `people must be 1-${MAX_PEOPLE}` };
  return { pocket_id: given.pocket_id, word, at, people };
}

export interface SlotSenseCount extends Omit<SenseReport, 'at'> {
  slot: number;
}

/** People by quarter hour, pocket and word, in that order, as they are stored. */
export function sumBySlot(reports: readonly SenseReport[]): SlotSenseCount[] {
  const sums = new Map<string, SlotSenseCount>();
  for (const { pocket_id, word, at, people } of reports) {
    const slot = slotStart(at);
    const key = `${slot} ${pocket_id} ${word}`;
    sums.set(key, { slot, pocket_id, word, people: (sums.get(key)?.people ?? 0) + people });
  }
  return [...sums.values()].sort(
    (a, b) => a.slot - b.slot || order(a.pocket_id, b.pocket_id) || order(a.word, b.word),
  );
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
