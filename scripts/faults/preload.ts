// Preloaded (`node --import`) into every process and thread of a service under trial. It shifts the clocks by
// FAULTS_CLOCK_SHIFT_MS, so that each start finds a quarter hour that is due; it writes a line to standard error when a
// job has claimed its slot and when that transaction is committed, so that a kill can be aimed at it; and it keeps the
// pipeline at normal priority, because on a busy machine ticks at idle priority would hardly begin.
import child_process from 'node:child_process';
import { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { shiftClocks } from '../../test/support/services/shift-clocks.ts';

const shift = Number(process.env.FAULTS_CLOCK_SHIFT_MS);
shiftClocks(() => shift);
os.setPriority = () => undefined;
const { spawnSync } = child_process;
child_process.spawnSync = ((command: string, ...rest: never[]) =>
  spawnSync(command === 'chrt' ? 'true' : command, ...rest)) as typeof spawnSync;
syncBuiltinESMExports();

/** Connections with a transaction that has claimed a slot. */
const claiming = new WeakSet<object>();
const isClaim = (sql: unknown) =>
  typeof sql === 'string' && sql.startsWith('insert into job_claims') && sql.includes('returning');

function began(connection: object, [job, slot]: readonly unknown[]): void {
  claiming.add(connection);
  trace(`claim ${job} ${slot}`);
}
function traceCommit(connection: object): void {
  if (claiming.delete(connection)) trace('commit');
}
/** Written at once, past the streams of Node: a line that is still in memory would die with the process. */
const trace = (line: string) => void writeSync(2, `faults ${process.pid} ${line}\n`);

const { prepare, exec } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql, ...options) {
  const statement = prepare.call(this, sql, ...options);
  if (!isClaim(sql)) return statement;
  const get = statement.get.bind(statement);
  statement.get = (...params: unknown[]) => {
    began(this, params);
    return get(...(params as SQLInputValue[]));
  };
  return statement;
};
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql);
  if (sql === 'commit') traceCommit(this);
};

type Query = (sql: unknown, ...rest: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const { query } = client;
client.query = function (this: object, sql, ...rest) {
  if (isClaim(sql)) began(this, rest[0] as unknown[]);
  const result = query.call(this, sql, ...rest);
  if (sql === 'commit')
    (result as Promise<unknown>).then(
      () => traceCommit(this),
      () => undefined,
    );
  return result;
};
