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
  return {
    take: (report) => {
      for (const { job, outcome } of report.outcomes ?? []) slots.add(1, job, outcome);
      figures = report.figures ?? figures;
    },
    died: () => {
      deaths.add(1);
      figures = undefined;
    },
    figures: () => figures,
  };
}
