// The official MCP programs, each in a process of its own with an empty home folder.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '../../../node_modules');

export interface Output {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function runNode(args: string[], home: string): Promise<Output> {
  const env = { ...process.env, HOME: home, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: home, env });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (text.stdout += data));
  child.stderr.on('data', (data) => (text.stderr += data));
  const [code] = await once(child, 'close');
  return { code, ...text };
}

async function withHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'pocketwatch-clients-'));
  try {
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs the command line of the inspector once for each list of arguments, in one process, and returns what each printed. */
export function inspect(address: string, commands: readonly string[][]): Promise<unknown[]> {
  const cli = join(modules, '@modelcontextprotocol/inspector/clients/cli/build/index.js');
  const code = `
    const { runCli } = await import(${JSON.stringify(cli)});
    for (const command of ${JSON.stringify(commands)}) {
      await runCli(['node', 'inspector', ${JSON.stringify(address)}, '--transport', 'http', ...command]);
      await new Promise((done) => process.stdout.write('\\0', done));
    }
    process.exit(0);`;
  return withHome(async (home) => {
    const { code: exit, stdout, stderr } = await runNode(['--input-type=module', '--eval', code], home);
    assert.deepEqual([exit, stderr], [0, '']);
    return stdout
      .split('\0')
      .slice(0, -1)
      .map((text) => JSON.parse(text));
  });
}

export interface ConformanceCheck {
  scenario: string;
  id: string;
  status: string;
  errorMessage?: string;
}

/** Every check of the conformance suite that there is for a server of this protocol version. */
export function conformanceChecks(address: string, version: string): Promise<ConformanceCheck[]> {
  const program = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
  const args = ['server', '--url', address, '--suite', 'all', '--spec-version', version, '-o', 'results'];
  return withHome(async (home) => {
    await runNode([program, ...args], home);
    // A folder for each scenario: its name between `server-` and the time of the run.
    return globSync('results/*/checks.json', { cwd: home }).flatMap((file) => {
      const scenario = /server-(.+)-\d{4}-\d\d-\d\dT/.exec(file)?.[1] ?? file;
      const checks = JSON.parse(readFileSync(join(home, file), 'utf8')) as Omit<
        ConformanceCheck,
        'scenario'
      >[];
      return checks.map((check) => ({ ...check, scenario }));
    });
  });
}
