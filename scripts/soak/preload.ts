// Preloaded (`node --import`) into every thread of a service under soak. Its clocks run SOAK_SPEED times as fast from
// SOAK_BEGAN on, and each thread reports what its heap holds.
import { writeSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { shiftClocks } from '../../test/support/services/shift-clocks.ts';

const speed = Number(process.env.SOAK_SPEED);
const began = Number(process.env.SOAK_BEGAN);
shiftClocks((now) => (speed - 1) * Math.max(0, now - began));

const REPORT_MS = 5_000;
setInterval(() => {
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  writeSync(2, `soak ${JSON.stringify({ pid: process.pid, threadId, heapUsed, heapTotal, external })}\n`);
}, REPORT_MS).unref();
