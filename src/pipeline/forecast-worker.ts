import { parentPort } from 'node:worker_threads';
import { type CoreCall, type CoreReply, inlineCore } from './forecast-core.ts';

const core = inlineCore();

parentPort?.on('message', async ([name, ...args]: [CoreCall, ...unknown[]]) => {
  let reply: CoreReply;
  try {
    reply = { value: await (core[name] as (...args: unknown[]) => Promise<unknown>)(...args) };
  } catch (error) {
    reply = { error };
  }
  parentPort?.postMessage(reply);
});
