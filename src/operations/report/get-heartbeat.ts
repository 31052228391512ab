import Type, { type Static } from 'typebox';
import {
  checkNames,
  checkStatuses,
  checkWords,
  type FeedHealth,
  type HeartbeatInput,
  heartbeatChecks,
  heartbeatOfDamaged,
  worstStatus,
} from '../../domain/report/heartbeat.ts';
import { RUN_GRACE } from '../../domain/report/uptime.ts';
import { plainLine } from '../../domain/text/printable.ts';
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
    'Tells how the service itself is doing. Use it to watch a deployment. Returns {status, checks[] {name, status, value, hint}}: nine checks, each green, amber or red; status is the worst of them, and a hint says what an operator should do.',
  input: {},
  output: Type.Object({ status, checks: Type.Array(check) }),
  cache: false,
  load: async (_input, context) => {
    const { status, substrate } = context;
    const mail = status ? await status.mail() : ('not configured' as const);
    try {
      return { ...(await readStored(context)), mail };
    } catch (error) {
      // The answer to what is wrong must not fail by it.
      if (status?.storeDamage() === undefined) throw error;
      return { substrate, mail };
    }
  },
  shape: (input) => {
    const checks = 'observed' in input ? heartbeatChecks(input) : heartbeatOfDamaged(input);
    return { status: worstStatus(checks), checks };
  },
  speak: ({ status, checks }) => {
    const well = checks.filter((check) => check.status === 'green');
    return [
      `the service is ${status}: ${well.length} of ${checks.length} checks are green.`,
      ...checks.filter((check) => check.status !== 'green').map((check) => `${foundText(check)}.`),
      ...(well.length ? [`green: ${well.map(foundText).join('; ')}.`] : []),
    ].join('\n');
  },
  rest: { path: '/api/heartbeat' },
});

/** All that the checks need but the mail. */
async function readStored(context: OperationContext): Promise<Omit<HeartbeatInput, 'mail'>> {
  const { store, now, zone, status, registry, substrate } = context;
  const [health, jobs, states, key_changed] = await Promise.all([
    readHealth(store, now, zone),
    loadJobs(context),
    registry.feeds ? feedStates(store) : [],
    status ? status.isKeyChanged() : false,
  ]);
  // Asked after reading, which may have found it.
  const damage = status?.storeDamage() ?? null;
  const stateOf = new Map(states.map((state) => [state.feed, state]));
  const feeds = (registry.feeds ?? []).map((feed): FeedHealth => {
    const state = stateOf.get(feed.id);
    return { feed, ...(state && { state }) };
  });
  const pockets = registry.pockets.map(({ id }) => id);
  const upgraded = status?.isUpgraded() ?? false;
  const full_since = status?.fullSince() ?? null;
  const replica = status?.replica?.();
  const process = { now, substrate, damage, full_since, key_changed, upgraded, replica };
  return { ...process, feeds, pockets, ...health, ...jobs };
}

/** A value or hint may name a setting or a file as it is written: it is quoted. */
const foundText = ({ name, status, value, hint }: Static<typeof check>): string => {
  const quotation = (text: string) => `'${plainLine(text).replaceAll("'", '’')}'`;
  const found = `${checkWords(name).toLowerCase()}, ${quotation(value)}`;
  if (status === 'green') return found;
  return `${status}: ${found}${hint === null ? '' : `; what to do: ${quotation(hint)}`}`;
};

async function loadJobs({ store, now, status }: OperationContext) {
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
