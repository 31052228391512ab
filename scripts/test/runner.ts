// Runs lists of test files, a process for each list, some at a time, and adds up their counts. A list may begin with options
// of its own.
// The output of a process is printed when it has ended, so that lines of two never mix; failed ones come last.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import type { Counts } from './counts.ts';
import { runsAlone } from './plan.ts';

/** Of one test, in milliseconds. */
const TEST_LIMIT = 240_000;
/** Three more than there are cores, since tests of processes wait most of their time. */
const CONCURRENCY = Math.max(2, availableParallelism()) + 3;
/** Room for young objects: tests make many that are soon garbage, and with four times the usual room less is copied meanwhile. */
const YOUNG_MB = 64;
const summaryLine = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n/gm;

export interface Outcome {
  counts: Counts;
  ok: boolean;
}

export class Runner {
  stoppedBy: NodeJS.Signals | undefined;
  readonly #root: string;
  readonly #print: (text: string) => void;
  readonly #children = new Set<ChildProcess>();

  constructor(root: string, print: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.#root = root;
    this.#print = print;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        this.stoppedBy = signal;
        // A terminal sends Ctrl-C to the whole process group: the children have received it already.
        if (signal !== 'SIGINT' || !isatty(0)) this.stop(signal);
      });
    }
  }

  /** Ends the running processes and starts no others. */
  stop(signal: NodeJS.Signals): void {
    this.stoppedBy = signal;
    for (const child of this.#children) child.kill(signal);
  }

  /** Runs a script with our output streams; returns its exit code. */
  run(args: string[]): Promise<number> {
    const child = spawn(process.execPath, args, { cwd: this.#root, stdio: 'inherit' });
    return this.#ended(child);
  }

  async test(groups: readonly string[][], options: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
    const folder = await mkdtemp(join(tmpdir(), 'pocketwatch-counts-'));
    let counts: Counts = { passed: 0, failed: 0, skipped: 0, durations: {} };
    const failures: string[] = [];
    const work = async (queue: Iterable<[number, string[]]>) => {
      for (const [n, files] of queue) {
        if (this.stoppedBy) return;
        const countsFile = join(folder, `${n}.json`);
        const { code, output } = await this.#testGroup(files, options, env, countsFile);
        const groupCounts = readCounts(countsFile);
        counts = add(counts, groupCounts ?? { passed: 0, failed: 1, skipped: 0, durations: {} });
        if (code === 0 && groupCounts) this.#print(output);
        else failures.push(groupCounts ? output : `${output}✖ no result of ${files.join(' ')}\n`);
      }
    };
    try {
      const numbered = [...groups.entries()];
      const together = numbered.filter(([, files]) => !runsAlone(files)).values();
      await Promise.all(Array.from({ length: CONCURRENCY }, () => work(together)));
      await work(numbered.filter(([, files]) => runsAlone(files)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    for (const output of failures) this.#print(output);
    return { counts, ok: failures.length === 0 };
  }

  async #testGroup(files: string[], options: string[], env: NodeJS.ProcessEnv, countsFile: string) {
    const has = (name: string) => options.some((option) => option.split('=')[0] === name);
    const child = spawn(
      process.execPath,
      [
        ...[`--max-semi-space-size=${YOUNG_MB}`, '--test', '--test-isolation=none'],
        ...(has('--test-timeout') ? [] : [`--test-timeout=${TEST_LIMIT}`]),
        ...(has('--test-reporter') ? [] : ['--test-reporter=spec']),
        ...options,
        '--test-reporter-destination=stdout',
        `--test-reporter=${join(import.meta.dirname, 'counts.ts')}`,
        `--test-reporter-destination=${countsFile}`,
        ...files,
      ],
      {
        cwd: this.#root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          NODE_COMPILE_CACHE: join(tmpdir(), 'pocketwatch-compile-cache'),
          ...process.env,
          ...env,
          // Set when a test runs the runner; `node --test` would then refuse to run files.
          NODE_TEST_CONTEXT: undefined,
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    const code = await this.#ended(child);
    return { code, output: output.replace(summaryLine, '') };
  }

  #ended(child: ChildProcess): Promise<number> {
    this.#children.add(child);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#children.delete(child);
        resolve(code ?? 1);
      });
    });
  }
}

/** Undefined for a process that was killed: it writes no counts. */
function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const add = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  durations: { ...one.durations, ...other.durations },
});
