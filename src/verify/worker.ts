import { parentPort, workerData } from 'node:worker_threads';
import { checkBundle, type Part } from './bundle.ts';
import type { Answer } from './checkers.ts';
import { LedgerFault } from './fault.ts';
import type { KnownGenerators } from './figures/generators.ts';

const generators: KnownGenerators = workerData;

/** A Buffer arrives from another thread as a Uint8Array. */
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function answerOf({ bundle, tile, ...part }: Part): Answer {
  try {
    const bytes = bufferOf(bundle.bytes);
    const whole = { ...part, bundle: { ...bundle, bytes }, tile: bufferOf(tile) };
    return { notes: checkBundle(whole, generators) };
  } catch (fault) {
    if (!(fault instanceof LedgerFault)) throw fault;
    return { fault: { code: fault.code, message: fault.message, place: fault.place } };
  }
}

parentPort?.on('message', (part: Part) => {
  parentPort?.postMessage(answerOf(part));
});
