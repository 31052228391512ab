import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const only = process.platform === 'linux' ? false : 'a thread has no priority of its own here';

/** Of the calling thread: its priority, and 5 for a policy that takes only what nobody else wants. */
const standing = `() => ({
  priority: require('node:os').getPriority(),
  policy: Number(require('node:fs').readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1].split(' ')[38]),
})`;
const IDLE = 5;
const { PRIORITY_BELOW_NORMAL } = constants.priority;

test('a thread gives way, and the one that answers does not', { skip: only }, async () => {
  const require = createRequire(import.meta.url);
  const here = new Function('require', `return (${standing})()`) as (given: NodeJS.Require) => {
    priority: number;
    policy: number;
  };
  const before = here(require);
  const program = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(new URL('./give-way.ts', import.meta.url).href)}).then(({ giveWay }) => {
      giveWay();
      giveWay();
      parentPort.postMessage((${standing})());
    });
  `;
  const [inThread] = await once(new Worker(program, { eval: true }), 'message');
  assert.ok(inThread.policy === IDLE || inThread.priority >= PRIORITY_BELOW_NORMAL, JSON.stringify(inThread));
  assert.deepEqual(here(require), before);
});
