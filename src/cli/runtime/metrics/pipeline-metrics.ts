// What the pipeline that this process hosts has reported: its slots, its deaths and what it uses.
import type { Metrics } from '../../../metrics/metrics.ts';
import { schedule } from '../../../pipeline/schedule/schedule.ts';
import type { WorkerReport } from '../worker-report.ts';
import type { Figures } from './figures.ts';

export interface PipelineMetrics {
  take(report: WorkerReport): void;
  /** The worker has ended: what it used is no longer known. */
  died(): void;
  figures(): Figures | undefined;
}

export function addPipelineMetrics(metrics: Metrics): PipelineMetrics {
  const slots = metrics.counter(
    'pocketwatch_slots_total',
    'Slots of jobs that were due here: run, left to another worker that had claimed them, or failed. The job_name "all": the clock of this machine is wrong.',
    // Prometheus calls what it scrapes a job, and would rename a label of that name.
    ['job_name', 'outcome'],
  );
  for (const { name } of schedule)
    for (const outcome of ['ran', 'elsewhere', 'failed']) slots.declare(name, outcome);
  slots.declare('all', 'failed');
  const deaths = metrics.counter(
    'pocketwatch_pipeline_deaths_total',
    'How often the pipeline ended and was started again.',
  );
  let figures: Figures | undefined;
  let published: WorkerReport['published'];
  metrics.gauge(
    'pocketwatch_published_log_entries',
    'Rows of the log that the published checkpoint covers, where LEDGER_STORAGE names a place.',
    () => published?.entries,
  );
  metrics.gauge(
    'pocketwatch_publishing_lag_seconds',
    'How long the oldest checkpoint that is not published there has been signed; 0 if all are published.',
    () => published && lagSeconds(published.unpublished_since),
  );
  return {
    take: (report) => {
      for (const { job, outcome } of report.outcomes ?? []) slots.add(1, job, outcome);
      figures = report.figures ?? figures;
      published = report.published ?? published;
    },
    died: () => {
      deaths.add(1);
      figures = undefined;
    },
    figures: () => figures,
  };
}

const lagSeconds = (since: number | null): number =>
  since === null ? 0 : Math.max(0, Date.now() - since) / 1000;
