import Type from 'typebox';
import {
  checkNames,
  checkStatuses,
  checkWords,
  type FeedHealth,
  heartbeatOf,
  worstOf,
} from '../../domain/report/heartbeat.ts';
import { RUN_GRACE } from '../../domain/report/uptime.ts';
import { MAX_DIFFERENCE_MS } from '../../store/engine/clock.ts';
import { feedStates } from '../../store/feeds/feed-states.ts';
import { firstRun, lastRuns, readHealth } from '../../store/runtime/health-queries.ts';
import { lastSlots } from '../../store/runtime/job-runs.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';

const status = Type.Enum([...checkStatuses]);
const check = Type.Object({
  name: Type.Enum([...checkNames]),
  status,
  value: Type.String(),
  hint: nullable(Type.String({ description: 'what an operator should do' })),
});

export const getHeartbeat = defineOperation({
  name: 'get_heartbeat',
  title: 'Health scorecard',
  description:
    'Tells how the service itself is doing. Use it to watch a deployment. Returns {status, checks[] {name, status, value, hint}}: nine checks, each green, amber or red; the whole is the worst of them, and a hint says what an operator should do.',
  input: {},
  output: Type.Object({ status, checks: Type.Array(check) }),
  effect: 'read',
  cache: false,
  tool: false,
  load: async (_input, context) => {
    const { store, now, zone, status, registry, substrate } = context;
    const [health, jobs, states, mail, key_changed] = await Promise.all([
      readHealth(store, now, zone),
      jobsOf(context),
      registry.feeds ? feedStates(store) : [],
      status ? status.mail() : ('not configured' as const),
      status ? status.isKeyChanged() : false,
    ]);
    const damage = status?.storeDamage() ?? null;
    const stateOf = new Map(states.map((state) => [state.feed, state]));
    const feeds = (registry.feeds ?? []).map((feed): FeedHealth => {
      const state = stateOf.get(feed.id);
      return { feed, ...(state && { state }) };
    });
    const pockets = registry.pockets.map(({ id }) => id);
    return { now, substrate, feeds, pockets, mail, damage, key_changed, ...health, ...jobs };
  },
  shape: (input) => {
    const checks = heartbeatOf(input);
    return { status: worstOf(checks), checks };
  },
  speak: ({ status, checks }) => {
    const faulty = checks.filter((check) => check.status !== 'green');
    const words = faulty.map(
      ({ name, value }) => `${checkWords(name).toLowerCase()}: ${value.toLowerCase()}`,
    );
    return [`the service is ${status}.`, ...words.map((line) => `${line}.`)].join(' ');
  },
  rest: { path: '/api/heartbeat' },
});

async function jobsOf({ store, now, status }: OperationContext) {
  const due = status?.dueBy(now - RUN_GRACE) ?? [];
  const names = due.map(({ job }) => job);
  const [runs, newest] = await Promise.all([
    lastRuns(store, names, now + MAX_DIFFERENCE_MS),
    lastSlots(store, names),
  ]);
  const newestSlot = Math.max(0, ...[...newest.values()].map((slot) => slot ?? 0));
  const began = (await firstRun(store, 'atmosphere')) ?? now;
  const last = new Map(runs.map(({ job, slot }) => [job, slot]));
  return {
    ran: runs.reduce<number | null>((latest, { ran_at }) => Math.max(latest ?? 0, ran_at), null),
    ran_ahead: newestSlot > now + MAX_DIFFERENCE_MS ? newestSlot : null,
    stale_jobs: due
      .filter(({ job, slot }) => slot >= began && (last.get(job) ?? 0) < slot)
      .map(({ job }) => job),
  };
}
