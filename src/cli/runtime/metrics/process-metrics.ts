// The metrics of threads and processes: of the one that answers requests, and of the pipeline where it runs here.
import { byLabel, type Metrics } from '../../../metrics/metrics.ts';
import type { Figures } from './figures.ts';

/** What was measured last. */
export interface Measured {
  requests: Figures;
  pipeline?: Figures | undefined;
  /** The pipeline is a process of its own, not a thread of this one. */
  ownProcess: boolean;
}

export function addProcessMetrics(metrics: Metrics, read: () => Measured): void {
  const ofThreads = (figure: (figures: Figures) => number | undefined) => () => {
    const { requests, pipeline } = read();
    return byLabel('thread', { requests: figure(requests), pipeline: pipeline && figure(pipeline) });
  };
  const ofProcesses = (figure: (figures: Figures) => number) => () => {
    const { requests, pipeline, ownProcess } = read();
    const other = ownProcess && pipeline ? figure(pipeline) : undefined;
    return byLabel('process', { service: figure(requests), pipeline: other });
  };
  metrics.gauge(
    'pocketwatch_process_start_time_seconds',
    'When the process was started, in seconds since 1970.',
    ofProcesses(({ process }) => process.startedAt),
  );
  metrics.readCounter(
    'pocketwatch_process_cpu_seconds_total',
    'CPU time of all threads of the process.',
    ofProcesses(({ process }) => process.cpu),
  );
  metrics.gauge(
    'pocketwatch_process_resident_memory_bytes',
    'Memory of the process that is in RAM.',
    ofProcesses(({ process }) => process.resident),
  );
  metrics.gauge(
    'pocketwatch_heap_used_bytes',
    'Heap in use.',
    ofThreads(({ heap }) => heap.used),
  );
  metrics.gauge(
    'pocketwatch_heap_size_bytes',
    'Heap that is reserved.',
    ofThreads(({ heap }) => heap.size),
  );
  metrics.gauge(
    'pocketwatch_heap_limit_bytes',
    'The heap that a thread may use before it ends.',
    ofThreads(({ heap }) => heap.limit),
  );
  metrics.gauge(
    'pocketwatch_external_memory_bytes',
    'Memory of buffers outside the heap.',
    ofThreads(({ heap }) => heap.external),
  );
  metrics.readCounter(
    'pocketwatch_event_loop_active_seconds_total',
    'Time that the event loop was busy; its rate is the utilisation.',
    ofThreads(({ loop }) => loop.active),
  );
  for (const [quantile, about] of [
    ['p50', 'half of all delays'],
    ['p99', 'all but a hundredth of the delays'],
    ['max', 'every delay'],
  ] as const)
    metrics.gauge(
      `pocketwatch_event_loop_delay_${quantile}_seconds`,
      `How late the event loop was within a minute: ${about} up to this.`,
      ofThreads(({ loop }) => loop.delay?.[quantile]),
    );
}
