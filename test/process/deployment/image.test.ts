// The image, built and started with a read-only root, where a container engine has the base image. Nothing is pulled:
// TEST_IMAGE_BASE names another base (scripts/base-image.sh makes one), TEST_ENGINE another engine.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { readDockerfile, root } from '../../support/services/deployment.ts';
import { untilReady } from '../../support/services/processes.ts';
import { sparePort } from '../../support/stores/postgres-cluster.ts';

const lines = readDockerfile('Dockerfile');
const pinned = lines.find(({ text }) => text.startsWith('BASE='))?.text.slice('BASE='.length) ?? '';
const base = process.env.TEST_IMAGE_BASE ?? pinned;
const engines = process.env.TEST_ENGINE ? [process.env.TEST_ENGINE] : ['podman', 'docker'];
const engine = engines.find((name) => spawnSync(name, ['image', 'inspect', base]).status === 0);
const skip = engine === undefined && `no container engine that has the image ${base}`;

const run = (...args: string[]): string =>
  execFileSync(engine ?? '', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Starts the image as the deployments do, as process 1 of a container that cannot write to its root. */
async function startContainer(t: TestContext, image: string) {
  const port = await sparePort();
  const locked = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
  const settings = [`--env=PORT=${port}`, '--env=HISTORY_DAYS=1', '--env=HOST=127.0.0.1'];
  const id = run('run', '--detach', '--network=host', ...locked, ...settings, image).trim();
  t.after(() => run('rm', '--force', '--volumes', id));
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/api/health`).catch(() => undefined)) === undefined)
    assert.equal(run('inspect', '--format={{.State.Running}}', id).trim(), 'true', run('logs', id));
  return { id, url };
}

test('the image runs with a read-only root, is healthy and stops when told to', { skip }, async (t) => {
  const image = 'pocketwatch-test';
  const format = engine?.includes('podman') ? ['--format=docker'] : [];
  run('build', ...format, '--network=host', `--build-arg=BASE=${base}`, `--tag=${image}`, '.');
  t.after(() => run('rmi', '--force', image));
  const { id, url } = await startContainer(t, image);
  await untilReady(url);
  const health = lines.find(({ instruction }) => instruction === 'HEALTHCHECK')?.text ?? '';
  run('exec', id, ...JSON.parse(health.slice(health.indexOf('['))));
  const writes = ['/app/x', '/app/compiled/x', '/x'].map(
    (path) => `try { fs.writeFileSync('${path}', ''); console.log('${path}') } catch {}`,
  );
  assert.equal(run('exec', id, 'node', '-e', writes.join(';')), '');
  assert.equal(run('exec', id, 'node', '-p', 'process.getuid()').trim(), '10001');
  assert.notEqual(spawnSync(engine ?? '', ['exec', id, 'npm', '--version']).status, 0);
  run('stop', id);
  assert.equal(run('inspect', '--format={{.State.ExitCode}}', id).trim(), '0');
});
