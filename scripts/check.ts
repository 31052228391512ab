// Types and lint. Both run, whatever the first one says.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const checks = [
  { name: 'types', tool: 'tsc', args: ['--noEmit'] },
  { name: 'lint', tool: 'biome', args: ['check'] },
];

const failed = checks.filter(({ tool, args }) => {
  const path = join(root, 'node_modules', '.bin', tool);
  return spawnSync(process.execPath, [path, ...args], { cwd: root, stdio: 'inherit' }).status !== 0;
});

for (const check of checks)
  process.stdout.write(`${failed.includes(check) ? '✖' : '✔'} ${check.name} (${check.tool})\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
