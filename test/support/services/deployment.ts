// The deployment of `ops` as its files describe it, and Caddy with the very Caddyfile.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { sparePort } from '../stores/postgres-cluster.ts';

export const root = join(import.meta.dirname, '../../..');
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface ComposeService {
  image: string;
  build?: string | { context: string; target: string };
  user: string;
  read_only: boolean;
  cap_drop: string[];
  cap_add?: string[];
  security_opt: string[];
  environment?: Record<string, string>;
  stop_grace_period?: string;
  [key: string]: unknown;
}

export const compose: { services: Record<string, ComposeService> } = parse(
  readText('ops/compose/compose.yml'),
  { merge: true },
);

/** The settings of a service of compose.yml, with the values that it has where nothing is set outside. */
export const composeEnvironment = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(compose.services[name]?.environment ?? {}).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]),
  );

/** The instructions of a Dockerfile, each on one line, without comments. */
export const readDockerfile = (path: string): { instruction: string; text: string }[] =>
  readText(path)
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, instruction = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { instruction, text };
    });

export const noCaddy = 'no Caddy';

export const hasCaddy = (): boolean => spawnSync('caddy', ['version']).status === 0;

/** The address of a Caddy in front of `upstreams`, which need not listen yet. */
export async function startCaddy(t: Pick<TestContext, 'after'>, upstreams: string[]): Promise<string> {
  const site = `http://127.0.0.1:${await sparePort()}`;
  const file = join(root, 'ops/compose/Caddyfile');
  const run = ['run', '--config', file, '--adapter', 'caddyfile'];
  return spawnCaddy(t, site, run, { SITE: site, UPSTREAMS: upstreams.join(' ') });
}

/** The address of a Caddy that serves the files of a folder. */
export async function serveFiles(t: Pick<TestContext, 'after'>, folder: string): Promise<string> {
  const address = `127.0.0.1:${await sparePort()}`;
  return spawnCaddy(t, `http://${address}`, ['file-server', '--root', folder, '--listen', address]);
}

async function spawnCaddy(
  t: Pick<TestContext, 'after'>,
  site: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'pocketwatch-caddy-'));
  const caddy = spawn('caddy', args, {
    env: { ...process.env, ...environment, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: 'ignore',
  });
  t.after(async () => {
    const ended = once(caddy, 'exit');
    if (caddy.exitCode === null && caddy.kill('SIGKILL')) await ended;
    rmSync(home, { recursive: true, force: true });
  });
  for (let attempt = 0; ; attempt++) {
    try {
      await fetch(site);
      return site;
    } catch (error) {
      if (attempt === 100 || caddy.exitCode !== null) throw error;
      await delay(50);
    }
  }
}
