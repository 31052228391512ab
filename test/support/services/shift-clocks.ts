// For a module that is preloaded (`node --import`) into every process and thread of a service under test.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import timers from 'node:timers/promises';
import pg from 'pg';

/**
 * Lets the process live at another time: shifts all clocks that it can read by `shift(now)` milliseconds, where `now` is
 * the real time. A wall clock alone would not be believed (src/store/engine/clock.ts), so the time since boot and that
 * of the PostgreSQL server go with it. It sleeps for `longestSleep` milliseconds at most: the scheduler would see a new
 * time only after 20 seconds.
 */
export function shiftClocks(shift: (now: number) => number, longestSleep = Number.POSITIVE_INFINITY): void {
  const { now } = Date;
  const { uptime } = os;
  const { setTimeout } = timers;
  Date.now = () => now() + shift(now());
  os.uptime = () => uptime() + shift(now()) / 1000;
  timers.setTimeout = (ms, ...rest) => setTimeout(ms && Math.min(ms, longestSleep), ...rest);
  syncBuiltinESMExports();

  type Query = (sql: unknown, ...rest: unknown[]) => unknown;
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  const shifted = (sql: string) =>
    sql.replaceAll(
      'clock_timestamp()',
      () => `(clock_timestamp() + interval '${shift(now())} milliseconds')`,
    );
  client.query = function (this: object, sql, ...rest) {
    return query.call(this, typeof sql === 'string' ? shifted(sql) : sql, ...rest);
  };
}
