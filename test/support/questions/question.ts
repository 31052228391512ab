// What a question of docs/questions.md is checked with: the texts of its answers, and the stored rows. No check sees more
// of an answer than a client that hands a model the text alone.

import assert from 'node:assert/strict';
import type { PrimaryState } from '../../../src/domain/atmosphere/primary-state.ts';
import type { Registry } from '../../../src/domain/city/city.ts';
import { slotStart } from '../../../src/domain/time/slot.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { storedEntry } from '../stores/stored-entries.ts';

export interface Recorded {
  store: Store;
  registry: Registry;
  now: number;
}

export type TextCheck = (texts: string[], recorded: Recorded) => Promise<void> | void;

export const count = async (
  { store }: Pick<Recorded, 'store'>,
  sql: string,
  ...params: (string | number)[]
): Promise<number> => (await store.get<{ n: number }>(sql, ...params))?.n ?? Number.NaN;

export interface StoredMoment {
  pocket_id: string;
  primary_state: PrimaryState;
  calm_probability: number;
  silence_reasons: string;
}

/** The moments of the current quarter hour, as answers rank them. */
export const currentMoments = ({ store, now }: Recorded): Promise<StoredMoment[]> =>
  store.all<StoredMoment>(
    'select * from moments where slot = ? order by calm_probability desc, half_life_minutes desc',
    slotStart(now),
  );

/** The sealed forecast of a pocket for so many minutes ahead. */
export async function sealedAhead(
  { store, now }: Recorded,
  pocket: string,
  minutes: number,
): Promise<{
  confidence: number;
  forecast: { expected_state: PrimaryState; calm_probability: number };
}> {
  const sealed = await store.get<{ leaf: number }>(
    `select p.leaf from predictions p
     where p.pocket_id = ? and p.slot = ? and p.generator = ?`,
    pocket,
    slotStart(now),
    `pocket_projection_${minutes}m`,
  );
  const { payload } = await storedEntry(store, sealed?.leaf ?? assert.fail(`no forecast of ${pocket}`));
  return JSON.parse(payload);
}

/** The line of a text that is about a pocket. */
export const pocketLine = (text: string, pocket: string): string =>
  text.split('\n').find((line) => line.includes(`(${pocket})`)) ??
  assert.fail(`${pocket} is not in: ${text}`);

/** The groups of a pattern that the text must match. */
export const matchGroups = (text: string, pattern: RegExp): string[] =>
  pattern.exec(text)?.slice(1) ?? assert.fail(`${pattern} in: ${text}`);

/** Whether '82 %', or 'under 1 %', is this share, rounded. */
export function assertPercent(percent: string, share: number, what: string): void {
  if (percent === 'under 1 %') assert.ok(share > 0 && share < 0.01, `${what}: ${share}`);
  else
    assert.ok(Math.abs(Number.parseFloat(percent) / 100 - share) <= 0.0051, `${what}: ${share}, ${percent}`);
}

export const PERCENT = /(under 1 %|\d+(?:\.\d+)? %)/;

export const share = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 1000;
