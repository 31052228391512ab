import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const skip = process.platform === 'linux' ? false : 'a thread has no priority of its own here';

/** The fields of /proc/…/stat after the name: the nineteenth is the priority, the forty-first the policy. */
function readScheduling(thread: string) {
  const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return { priority: Number(fields[16]), policy: Number(fields[38]) };
}
const IDLE = 5;
const mayIdle = availableParallelism() > 1 && spawnSync('chrt', ['--version']).status === 0;
const isLowered = (thread: string): boolean => {
  const { priority, policy } = readScheduling(thread);
  return mayIdle ? policy === IDLE : priority >= constants.priority.PRIORITY_BELOW_NORMAL;
};

test('lowers the priority of its thread and of the V8 helpers, not of the request thread', {
  skip,
}, async () => {
  const before = readScheduling(`${process.pid}`);
  const program = `
    const { parentPort } = require('node:worker_threads');
    parentPort.once('message', () => undefined);
    import(${JSON.stringify(new URL('./lower-priority.ts', import.meta.url).href)}).then(({ lowerPriority }) => {
      lowerPriority();
      lowerPriority();
      parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1));
    });
  `;
  const worker = new Worker(program, { eval: true });
  const [thread] = await once(worker, 'message');
  const helpers = readdirSync('/proc/self/task').filter((other) =>
    readFileSync(`/proc/self/task/${other}/comm`, 'utf8').startsWith('V8Worker'),
  );
  assert.ok(helpers.length > 0);
  for (const lower of [thread, ...helpers])
    assert.ok(isLowered(lower), JSON.stringify(readScheduling(lower)));
  assert.deepEqual(readScheduling(`${process.pid}`), before);
  await worker.terminate();
});
