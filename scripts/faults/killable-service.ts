// One life of the real service as a process group of its own: start, watch its jobs, kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const main = join(import.meta.dirname, '../../src/main.ts');
const preload = new URL('./preload.ts', import.meta.url).href;

/** A job that has claimed its slot, as the process that runs it reports. */
export interface Claim {
  /** Of the process that runs the pipeline: the service itself, or with PostgreSQL its child. */
  pid: number;
  job: string;
  slot: number;
}

export interface JobEvents {
  onClaim(claim: Claim): void;
  /** The job of the last claim has ended. */
  onCommit(claim: Claim): void;
}

export const lifeEnvironment = (environment: Record<string, string>, clockShift: number) => ({
  ...process.env,
  DATABASE_URL: '',
  HISTORY_DAYS: '1',
  HOST: '127.0.0.1',
  PORT: '0',
  MCP_RATE_LIMIT: '0',
  SUBMIT_RATE_LIMIT: '0',
  SUBMIT_ROWS_PER_DAY: '0',
  SUBMIT_BYTES_PER_DAY: '0',
  ...environment,
  FAULTS_CLOCK_SHIFT_MS: `${clockShift}`,
  NODE_OPTIONS: `--import=${preload}`,
});

/** Services that may have living processes; also a pipeline process that has outlived its service. */
const alive = new Set<ChildProcess>();
process.on('exit', killAll);

/** Kills whatever a trial has left running. */
export function killAll(): void {
  for (const { pid = 0 } of alive) killGroup(pid);
}

export class KillableService {
  /** Undefined until it listens. */
  url: string | undefined;
  readonly claims: Claim[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #stderr = '';
  #killed = false;
  #listening = Promise.withResolvers<string>();

  constructor(environment: NodeJS.ProcessEnv, { onClaim, onCommit }: JobEvents) {
    const child = spawn(process.execPath, [main, 'serve'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that the service and its children can be killed at once.
      detached: true,
    });
    this.#child = child;
    this.#exited = once(child, 'exit');
    alive.add(child);
    // Closed when no process has its output any more.
    child.on('close', () => alive.delete(child));
    this.#listening.promise.catch(() => undefined);
    child.on('exit', () => this.#listening.reject(new Error(`the service ended: ${this.#stderr}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (url) {
        this.url = url;
        this.#listening.resolve(url);
      }
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, pid, what, job = '', slot] = /^faults (\d+) (\w+) ?(\w*) ?(\d*)$/.exec(line) ?? [];
      // A pipeline process that outlives its service goes on with its job.
      if (this.#killed) return;
      if (what === 'claim') {
        const claim = { pid: Number(pid), job, slot: Number(slot) };
        this.claims.push(claim);
        onClaim(claim);
      } else if (what === 'commit') {
        const claim = this.claims.at(-1);
        if (claim) onCommit(claim);
      } else this.#stderr = `${this.#stderr}${line}\n`.slice(-4000);
    });
  }

  /** Resolves with the address; rejects when the service ends before it listens. */
  get listening(): Promise<string> {
    return this.#listening.promise;
  }

  /** What it wrote to standard error before it ended by itself; undefined while it runs, and after a kill. */
  get fault(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return this.#killed || (exitCode === null && signalCode === null) ? undefined : this.#stderr;
  }

  /**
   * SIGKILL. `group`: every process at once. `service`: the answering process alone; with PostgreSQL the pipeline's
   * process finishes its job beside the next service. `pipeline`: the pipeline's process; the service follows with `group`.
   */
  async kill(target: 'group' | 'service' | 'pipeline'): Promise<void> {
    const { pid = 0 } = this.#child;
    const pipeline = this.claims.at(-1)?.pid;
    if (target === 'pipeline' && pipeline !== undefined) return void process.kill(pipeline, 'SIGKILL');
    this.#killed = true;
    if (target === 'service') this.#child.kill('SIGKILL');
    else killGroup(pid);
    await this.#exited;
  }

  /** Ends it as an operator does. */
  async stop(): Promise<void> {
    this.#killed = true;
    this.#child.kill('SIGTERM');
    await this.#exited;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
