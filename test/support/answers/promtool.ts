// Prometheus' own checker of metrics and rules, and what the files of ops/ name.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** Why its tests are skipped; false where it is installed. */
export const noPromtool = spawnSync('promtool', ['--version']).status === 0 ? false : 'no promtool';

export function promtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: root, input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** The metrics in the expressions of the dashboard, the alerts and their test, each with the file that names it. */
export const namedMetrics = (): Map<string, string> =>
  new Map(
    globSync('ops/{grafana,prometheus}/*.{json,yml}', { cwd: root }).flatMap((file) =>
      Array.from(
        readFileSync(join(root, file), 'utf8').matchAll(/\bpocketwatch_\w+/g),
        ([name]): [string, string] => [name, file],
      ),
    ),
  );

/** Those of the table in docs/operators.md, where `…` stands for the beginning of the name before. */
export const documentedMetrics = (): string[] =>
  Array.from(
    readFileSync(join(root, 'docs/operators.md'), 'utf8')
      .replaceAll('`…_', '`pocketwatch_event_loop_delay_')
      .matchAll(/`(pocketwatch_\w+)[`{]/g),
    ([, name = '']) => name,
  );
