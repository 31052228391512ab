import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const only = process.platform === 'linux' ? false : 'a thread has no priority of its own here';

test('a thread gives way, and the one that answers does not', { skip: only }, async () => {
  const before = getPriority();
  const program = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(new URL('./give-way.ts', import.meta.url).href)}).then(({ giveWay }) => {
      giveWay();
      giveWay();
      parentPort.postMessage(require('node:os').getPriority());
    });
  `;
  const [inThread] = await once(new Worker(program, { eval: true }), 'message');
  assert.equal(inThread, Math.max(before, constants.priority.PRIORITY_BELOW_NORMAL));
  assert.equal(getPriority(), before);
});
