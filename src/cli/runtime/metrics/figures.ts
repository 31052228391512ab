// What a thread uses: memory, CPU time and its event loop. Each thread measures itself.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Bytes and seconds. */
export interface Figures {
  /** Of the thread. */
  heap: { used: number; size: number; limit: number; external: number };
  loop: { active: number; delay?: LoopDelay };
  /** Of the whole process. */
  process: { resident: number; cpu: number; startedAt: number };
}

export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

/** A timer is set to this many milliseconds, and what it is late by is the delay. */
const RESOLUTION_MS = 20;
/** Delays are those of a minute: longer than most scrape intervals, so that a spike is seen. */
const WINDOW_MS = 60_000;

export function startFigures(): { read(): Figures; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  let lastMinute: LoopDelay | undefined;
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  const current = (): LoopDelay | undefined =>
    delays.count === 0
      ? undefined
      : { p50: late(delays.percentile(50)), p99: late(delays.percentile(99)), max: late(delays.max) };
  const timer = setInterval(() => {
    lastMinute = current();
    delays.reset();
  }, WINDOW_MS).unref();
  return {
    read: () => {
      const { rss, heapUsed: used, heapTotal: size, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const delay = lastMinute ?? current();
      return {
        heap: { used, size, external, limit: getHeapStatistics().heap_size_limit },
        loop: { active: performance.eventLoopUtilization().active / 1000, ...(delay && { delay }) },
        process: { resident: rss, cpu: (user + system) / 1e6, startedAt },
      };
    },
    stop: () => {
      clearInterval(timer);
      delays.disable();
    },
  };
}
