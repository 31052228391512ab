// For a module that is preloaded (`node --import`) into every process and thread of a service under test.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import pg from 'pg';

/**
 * Lets the process live at another time: shifts all clocks that it can read by `shift(now)` milliseconds, where `now` is
 * the real time. A wall clock alone would not be believed (src/store/engine/clock.ts), so the time since boot and that
 * of the PostgreSQL server go with it.
 */
export function shiftClocks(shift: (now: number) => number): void {
  const { now } = Date;
  const { uptime } = os;
  Date.now = () => now() + shift(now());
  os.uptime = () => uptime() + shift(now()) / 1000;
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
