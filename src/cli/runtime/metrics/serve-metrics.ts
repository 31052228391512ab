// Puts the metrics of an answering process together and serves them on a port of their own.
import type { AppContext } from '../../../http/answers/app-context.ts';
import type { Metrics } from '../../../metrics/metrics.ts';
import type { WorkerReport } from '../worker-report.ts';
import { startFigures } from './figures.ts';
import { listenForMetrics } from './listen.ts';
import { addPipelineMetrics } from './pipeline-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { addStoreMetrics } from './store-metrics.ts';

export interface MetricsSettings {
  host: string;
  port: number;
  /** Of the embedded store. */
  dataDir: string;
  /** Null without a datastore. */
  engine: 'sqlite' | 'postgres' | null;
  /** Whether this process hosts the pipeline. */
  hostsPipeline: boolean;
}

export interface MetricsService {
  url: string;
  /** What the hosted pipeline reports. */
  take(report: WorkerReport): void;
  pipelineDied(): void;
  stop(): Promise<void>;
}

/** `metrics` has those of the requests already, or will have. */
export async function serveMetrics(
  context: AppContext,
  metrics: Metrics,
  { host, port, dataDir, engine, hostsPipeline }: MetricsSettings,
): Promise<MetricsService> {
  const { build } = context;
  const own = startFigures();
  let requests = own.read();
  metrics.gauge('pocketwatch_build_info', 'Which build this is; its value is always 1.', () => [
    { labels: { version: build.version, node: process.versions.node, store: engine ?? 'none' }, value: 1 },
  ]);
  const readStore = engine && addStoreMetrics(metrics, context, dataDir);
  const pipeline = hostsPipeline ? addPipelineMetrics(metrics) : undefined;
  addProcessMetrics(metrics, () => ({
    requests,
    pipeline: pipeline?.figures(),
    ownProcess: engine === 'postgres',
  }));
  const scrape = async () => {
    await readStore?.();
    requests = own.read();
    return metrics.text();
  };
  const listener = await listenForMetrics({ host, port }, scrape).catch((error) => {
    own.stop();
    throw error;
  });
  return {
    url: listener.url,
    take: (report) => pipeline?.take(report),
    pipelineDied: () => pipeline?.died(),
    stop: async () => {
      own.stop();
      await listener.close();
    },
  };
}
