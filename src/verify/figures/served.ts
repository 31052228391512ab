// The figures that the service publishes over REST, as it serves them now.
import type { FetchBytes } from '../source.ts';
import { parseSeconds } from '../times.ts';
import type { SlotWindow } from './tally.ts';

/** The addresses that are compared, under /api. */
const ADDRESSES = {
  history: 'ledger/history',
  accuracy: 'accuracy?since=all',
  silence: 'silence?window=30d',
  verdicts: 'silence-vindications?since=all&limit=1',
  board: 'benchmark/scores?limit=200',
  restraint: 'state-of-restraint?limit=60',
} as const;

/** The service controls all of it: read it with the functions below. `months` are the reports, each in full. */
export type Served = Record<keyof typeof ADDRESSES, unknown> & { months: unknown[] };

const MAX_ANSWER = 4_000_000;

/** All figures, or why there are none. */
export async function readServed(api: FetchBytes): Promise<Served | string> {
  const served: Record<string, unknown> = {};
  for (const [name, address] of Object.entries(ADDRESSES)) {
    const answer = await readAnswer(api, address);
    if (typeof answer === 'string') return answer;
    served[name] = answer;
  }
  const months: unknown[] = [];
  for (const report of rowsAt(served.restraint, 'reports')) {
    const month = encodeURIComponent(String(valueAt(report, 'month_iso')));
    const answer = await readAnswer(api, `state-of-restraint?month=${month}`);
    if (typeof answer === 'string') return answer;
    months.push(...rowsAt(answer, 'reports'));
  }
  return { ...served, months } as Served;
}

/** An answer, or why there is none. */
async function readAnswer(api: FetchBytes, address: string): Promise<object | string> {
  const bytes = await api(address, MAX_ANSWER);
  if (bytes === undefined) return `nothing at /api/${address}`;
  const answer = parseJson(bytes);
  return typeof answer === 'object' && answer !== null ? answer : `no JSON at /api/${address}`;
}

/** Undefined for bytes that are no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The value at a path such as `headline.revealed_count`; undefined where there is none. */
export function valueAt(answer: unknown, path: string): unknown {
  let value = answer;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return value;
}

export function rowsAt(answer: unknown, path: string): unknown[] {
  const rows = valueAt(answer, path);
  return Array.isArray(rows) ? rows : [];
}

/** When the service computed an answer, in seconds. */
export const computedAt = (answer: unknown): number => parseSeconds(valueAt(answer, '_meta.computed_at'));

export const SLOT = 15 * 60;
const SILENCE_DAYS = 30;

export const slotStart = (time: number): number => Math.floor(time / SLOT) * SLOT;

/** The slots that the served count of silences covers. */
export function silenceWindow(served: Served | undefined): SlotWindow | undefined {
  const now = computedAt(served?.silence);
  if (Number.isNaN(now)) return undefined;
  return { from: slotStart(now - SILENCE_DAYS * 24 * 60 * 60) + SLOT, to: slotStart(now) };
}

/** The hours that the service judges apart; only the city's zone is taken from the answer. */
const WAKING = { from: 7, to: 23 };

/** The zone that the accuracy report states. */
export function statedZone(served: Served | undefined): string | undefined {
  const zone = valueAt(served?.accuracy, 'waking.zone');
  return typeof zone === 'string' && wakingIn(zone) ? zone : undefined;
}

/** The month of a time, in seconds, by the clock of a zone, as 2026-11. */
export function monthIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit' });
  const known = new Map<number, string>();
  return (time) => {
    let month = known.get(time);
    if (month === undefined) {
      const parts = new Map(format.formatToParts(1000 * time).map(({ type, value }) => [type, value]));
      month = `${parts.get('year')}-${parts.get('month')}`;
      known.set(time, month);
    }
    return month;
  };
}

const tests = new Map<string, ((time: number) => boolean) | undefined>();

/** Whether a time, in seconds, is in waking hours by the clock of a zone; undefined if there is no such zone. */
export function wakingIn(timeZone: string): ((time: number) => boolean) | undefined {
  if (!tests.has(timeZone)) tests.set(timeZone, newWakingTest(timeZone));
  return tests.get(timeZone);
}

function newWakingTest(timeZone: string): ((time: number) => boolean) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  } catch {
    return undefined;
  }
  // Forecasts of all pockets are for the same slots, in order: few times are formatted.
  const known = new Map<number, boolean>();
  return (time) => {
    let isWaking = known.get(time);
    if (isWaking === undefined) {
      const hour = Number(format.format(1000 * time));
      isWaking = hour >= WAKING.from && hour < WAKING.to;
      known.set(time, isWaking);
    }
    return isWaking;
  };
}
