import { heartbeatOf, worstOf } from '../../domain/report/heartbeat.ts';
import { MINUTE } from '../../domain/time/sgt.ts';
import { firstRun, lastRuns, readHealth } from '../../store/runtime/health-queries.ts';
import { defineUntypedOperation, type OperationContext } from '../core/define.ts';

/** Time for a job to be done with its slot. */
const GRACE = 10 * MINUTE;

export const getHeartbeat = defineUntypedOperation({
  name: 'get_heartbeat',
  title: 'Health scorecard',
  description:
    'Tells how the service itself is doing. Use it to watch a deployment. Returns {status, checks[] {name, status, value, hint}}: nine checks, each green, amber or red; the whole is the worst of them, and a hint says what an operator should do.',
  input: {},
  effect: 'read',
  keep: false,
  tool: false,
  load: async (_input, world) => {
    const { store, now, status } = world;
    const [vitals, jobs, mail] = await Promise.all([
      readHealth(store, now),
      jobsOf(world),
      status ? status.mail() : ('not configured' as const),
    ]);
    return { now, substrate: status?.substrate ?? 'simulated', mail, ...vitals, ...jobs };
  },
  shape: (vitals) => {
    const checks = heartbeatOf(vitals);
    return { status: worstOf(checks), checks };
  },
  speak: ({ status, checks }) => {
    const ailing = checks.filter((check) => check.status !== 'green');
    const words = ailing.map(({ name, value }) => `${name.toLowerCase()}: ${value.toLowerCase()}`);
    return [`the service is ${status}.`, ...words.map((line) => `${line}.`)].join(' ');
  },
  rest: { path: '/api/heartbeat' },
});

async function jobsOf({ store, now, status }: OperationContext) {
  const due = status?.dueBy(now - GRACE) ?? [];
  const names = due.map(({ job }) => job);
  const runs = await lastRuns(store, names);
  const began = (await firstRun(store, 'atmosphere')) ?? now;
  const last = new Map(runs.map(({ job, slot }) => [job, slot]));
  return {
    ran: runs.reduce<number | null>((latest, { ran_at }) => Math.max(latest ?? 0, ran_at), null),
    stale_jobs: due
      .filter(({ job, slot }) => slot >= began && (last.get(job) ?? 0) < slot)
      .map(({ job }) => job),
  };
}
