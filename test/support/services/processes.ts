// Runs the service and its commands, as separate processes or in this one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { smallRegistry } from '../pipeline/small-registry.ts';
import type { StorePlace } from '../stores/store-places.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');

/** The settings of every command that a test runs, unless it gives others. */
const defaults = { DATABASE_URL: '', READ_DATABASE_URL: '', HISTORY_DAYS: '1', HOST: '127.0.0.1', PORT: '0' };

export function start(args: string[], environment: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...defaults, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command may end without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    output.stdout += data;
  });
  child.stderr.on('data', (data) => {
    output.stderr += data;
  });
  return { child, output, closed: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]> };
}

export async function run(args: string[], environment: Record<string, string> = {}, input = '') {
  const { output, closed } = start(args, environment, input);
  const [status] = await closed;
  return { status, ...output };
}

/** Runs a command in this process, which is faster. */
export async function runHere(t: TestContext, args: string[], environment: Record<string, string> = {}) {
  const { result, ...output } = await captureOutput(t, environment, () => runCommandLine(args));
  return { status: result, ...output };
}

const captured = new AsyncLocalStorage<{ stdout: string; stderr: string }>();

/**
 * Runs `work` with these settings; returns its result and what it wrote. The test reporter writes to the same standard
 * output: what comes from elsewhere than `work` is let through.
 */
export async function captureOutput<T>(
  t: TestContext,
  environment: Record<string, string>,
  work: () => Promise<T>,
): Promise<{ result: T; stdout: string; stderr: string }> {
  const previous = { ...process.env };
  Object.assign(process.env, defaults, environment);
  const output = { stdout: '', stderr: '' };
  const mocks = (['stdout', 'stderr'] as const).map((name) => {
    const write = process[name].write.bind(process[name]) as (...args: unknown[]) => boolean;
    const { mock } = t.mock.method(process[name], 'write', (...args: unknown[]) => {
      const own = captured.getStore();
      if (!own) return write(...args);
      own[name] += String(args[0]);
      return true;
    });
    return mock;
  });
  try {
    const result = await captured.run(output, work);
    return { result, ...output };
  } finally {
    for (const mock of mocks) mock.restore();
    process.env = previous;
  }
}

/** The environment of a service on this store, with a city of few pockets. */
export const serviceEnvironment = ({ databaseUrl, dataDir }: StorePlace) => ({
  DATA_DIR: dataDir,
  CITY_DIR: smallRegistry(dataDir),
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
});

const shiftClocksModule = new URL('./shift-clocks.ts', import.meta.url).href;

/**
 * The NODE_OPTIONS of a process that lives at another time; `shift` is the text of the function that shifts it. Sleeps
 * are cut to `longestSleep` milliseconds, if it is given.
 */
export const shiftedClocks = (shift: string, longestSleep?: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `import { shiftClocks } from ${JSON.stringify(shiftClocksModule)}; shiftClocks(${shift}, ${longestSleep});`,
  )}`;

/** Starts the service and waits until it is ready. */
export async function serve(t: Pick<TestContext, 'after'>, environment: Record<string, string>) {
  const service = await listen(t, environment);
  await untilReady(service.url);
  return service;
}

export interface Readiness {
  ready: boolean;
  reason?: string;
  history: { done: number; total: number; seconds_left?: number | null };
  upgrade?: { key: string; done: number; total: number };
}

export const readiness = async (url: string) => {
  const response = await fetch(`${url}/api/ready`);
  return { status: response.status, ...((await response.json()) as Readiness) };
};

/** Asks until the first history is complete; `onProgress` gets every answer. */
export async function untilReady(
  url: string,
  onProgress: (seen: Awaited<ReturnType<typeof readiness>>) => unknown = () => undefined,
): Promise<void> {
  for (;;) {
    const seen = await readiness(url);
    await onProgress(seen);
    if (seen.ready) return;
    await delay(50);
  }
}

/** Starts the service and waits until it listens. */
export async function listen(t: Pick<TestContext, 'after'>, environment: Record<string, string>) {
  const { child, output, closed } = start(['serve'], environment);
  t.after(() => killChild(child));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(output.stdout)?.[1];
      if (found) resolve(found);
    });
    child.on('exit', () => reject(new Error(`ended: ${output.stderr}`)));
  });
  return { url, child, output, closed };
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}
