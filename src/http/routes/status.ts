// Probes for operators. They describe this process, not a pocket, so they have no `_meta`.
import type { FastifyInstance } from 'fastify';
import { replicaFault } from '../../domain/report/heartbeat.ts';
import { type HistoryProgress, historyNotBegun } from '../../domain/text/history-progress.ts';
import { iso } from '../../domain/time/slot.ts';
import { type Reader, StoreError, storeFaults } from '../../store/engine/store.ts';
import { readHistory } from '../../store/runtime/history.ts';
import { batchUnderWay } from '../../store/schema/batches.ts';
import { migrationStatus } from '../../store/schema/migrate.ts';
import type { AppContext } from '../answers/app-context.ts';
import { isShuttingDown } from '../core/drain.ts';

export function serveStatus(app: FastifyInstance, context: AppContext): void {
  const { store, build } = context;
  // Probed every few seconds: not worth a log line each.
  const probe = { logLevel: 'warn' } as const;
  app.get('/api/health', probe, async () => ({ ok: true }));
  app.get('/api/ready', probe, async (_request, reply) => {
    const { finished, done, total, seconds_left } = await readiness(store);
    // Asked after reading, which may have found it.
    const reason = isShuttingDown(app.server) ? 'the service is stopping' : notReady(context);
    const stopped = writesNothing(context);
    if (finished && !reason)
      return {
        ready: true,
        history: { done, total },
        ...replicaFields(context),
        ...(stopped ? { reason: stopped } : await upgradeUnderWay(store)),
      };
    const history = { done, total, seconds_left };
    const why = reason ?? stopped;
    return reply.code(503).send({ ready: false, ...(why && { reason: why }), history });
  });
  app.get('/api/version', async () => build);
  app.get('/api/migration-status', () => migrationStatus(store));
}

/** Why a service that has its history is not ready. */
function notReady({ status, dataVersion }: AppContext): string | undefined {
  // What can be read is still served, but nothing is observed or sealed.
  if (status?.storeDamage() !== undefined) return 'the store is damaged: restore a backup';
  return dataVersion.upgrade() === 'unreadable' ? storeFaults.unreadable : undefined;
}

/** Why nothing is written by a service that answers all the same. */
function writesNothing({ status, dataVersion }: AppContext): string | undefined {
  if (dataVersion.upgrade()) return storeFaults.upgraded;
  const since = status?.fullSince();
  if (since !== undefined) return `${storeFaults.full}, since ${iso(since)}`;
  const replica = status?.replica?.();
  return replica?.primaryAway ? replicaFault(replica) : undefined;
}

/** Which server answers, where there is a replica, and how far that is behind. */
function replicaFields({ status }: AppContext) {
  const replica = status?.replica?.();
  if (!replica) return undefined;
  const { used, lagMs } = replica;
  const seconds_behind = lagMs === null ? null : Math.round(lagMs / 1000);
  const fault = replicaFault(replica);
  return { replica: { answers: used, seconds_behind }, ...(fault && { reason: fault }) };
}

/** A large change of an upgrade, which leaves the service ready. */
async function upgradeUnderWay(store: Reader) {
  const under_way = await batchUnderWay(store).catch(() => undefined);
  return under_way && { upgrade: under_way };
}

/** Without a datastore the service is ready at once. While the datastore cannot be reached it is not ready. */
const readiness = (store: Reader): Promise<HistoryProgress> =>
  readHistory(store).catch((error) => ({
    ...historyNotBegun,
    finished: error instanceof StoreError && error.code === 'not_configured',
  }));
