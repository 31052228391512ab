// A PgBouncer in transaction mode in front of a test's PostgreSQL server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverVersion, sparePort } from './postgres-cluster.ts';

export const noPgBouncer = 'no PgBouncer';

export const hasPgBouncer = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

/** The address of the same database through a pool of two server connections, given up after every transaction. */
export async function startPgBouncer(t: Pick<TestContext, 'after'>, database: string): Promise<string> {
  const { username, password, hostname, port, pathname } = new URL(database);
  const folder = mkdtempSync('/tmp/pocketwatch-bouncer-');
  // PgBouncer gives up root's rights before it reads its settings.
  chmodSync(folder, 0o755);
  const listen = await sparePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
unix_socket_dir =
`,
  );
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
