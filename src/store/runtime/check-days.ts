// What the checks of the heartbeat found, counted by day: the history of the status page.
import type { CheckResults } from '../../domain/report/check-history.ts';
import type { Check, CheckName } from '../../domain/report/heartbeat.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** Counts the results of a quarter hour, once: another process may have counted it already. `day`: the start of its day. */
export const addCheckResults = (
  tx: Transaction,
  day: number,
  slot: number,
  checks: readonly Pick<Check, 'name' | 'status'>[],
): Promise<void> =>
  tx.insert(
    'check_days',
    checks.map(({ name, status }) => ({
      ...{ day, name },
      green: Number(status === 'green'),
      amber: Number(status === 'amber'),
      red: Number(status === 'red'),
      last_slot: slot,
    })),
    `on conflict (day, name) do update set
       green = check_days.green + excluded.green,
       amber = check_days.amber + excluded.amber,
       red = check_days.red + excluded.red,
       last_slot = excluded.last_slot
     where check_days.last_slot < excluded.last_slot`,
  );

export interface CheckDayRow extends CheckResults {
  day: number;
  name: CheckName;
}

/** The days that begin within the span. */
export const readCheckDays = (store: Reader, from: number, until: number): Promise<CheckDayRow[]> =>
  store.all<CheckDayRow>(
    'select day, name, green, amber, red from check_days where day >= ? and day <= ?',
    from,
    until,
  );
