// A PgBouncer in transaction mode in front of a test's PostgreSQL server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverVersion, sparePort } from './postgres-cluster.ts';

export const noPgBouncer = 'no PgBouncer';

export const hasPgBouncer = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

const deployed = join(import.meta.dirname, '../../../ops/compose/pgbouncer.ini');

/**
 * The address of the same database through a PgBouncer with the settings of `ops`, at other addresses. `poolSize` is the
 * number of server connections, given up after every transaction.
 */
export async function startPgBouncer(
  t: Pick<TestContext, 'after'>,
  database: string,
  poolSize?: number,
): Promise<string> {
  const { username, password, hostname, port, pathname } = new URL(database);
  const folder = mkdtempSync('/tmp/pocketwatch-bouncer-');
  // PgBouncer gives up root's rights before it reads its settings.
  chmodSync(folder, 0o755);
  const listen = await sparePort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${username}" "${password}"\n`);
  const changes: [line: RegExp, text: string][] = [
    [/^\* = host=postgres port=5432$/m, `* = host=${hostname} port=${port}`],
    [/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1'],
    [/^listen_port = .*$/m, `listen_port = ${listen}`],
    [/^auth_file = .*$/m, `auth_file = ${users}`],
    ...(poolSize
      ? [[/^default_pool_size = .*$/m, `default_pool_size = ${poolSize}`] as [RegExp, string]]
      : []),
  ];
  const text = changes.reduce(
    (ini, [line, by]) => {
      if (!line.test(ini)) throw new Error(`pgbouncer.ini has no line ${line}`);
      return ini.replace(line, by);
    },
    readFileSync(deployed, 'utf8'),
  );
  writeFileSync(settings, text);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const bouncer = spawn('pgbouncer', [...user, settings], { stdio: 'ignore' });
  t.after(async () => {
    const ended = once(bouncer, 'exit');
    bouncer.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgres://${username}:${password}@127.0.0.1:${listen}${pathname}`;
  for (let attempt = 0; ; attempt++) {
    try {
      await serverVersion(url);
      return url;
    } catch (error) {
      if (attempt === 100 || bouncer.exitCode !== null) throw error;
      await sleep(50);
    }
  }
}
