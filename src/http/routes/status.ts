// Probes for operators. They describe this process, not a pocket, so they have no `_meta`.
import type { FastifyInstance } from 'fastify';
import { type HistoryProgress, historyNotBegun } from '../../domain/text/history-progress.ts';
import { migrationStatus } from '../../store/engine/migrate.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { readHistory } from '../../store/runtime/history.ts';
import type { AppContext } from '../answers/app-context.ts';
import { isShuttingDown } from '../core/drain.ts';

export function serveStatus(app: FastifyInstance, { store, build, status }: AppContext): void {
  // Probed every few seconds: not worth a log line each.
  const probe = { logLevel: 'warn' } as const;
  app.get('/api/health', probe, async () => ({ ok: true }));
  app.get('/api/ready', probe, async (_request, reply) => {
    const { finished, done, total, seconds_left } = await readiness(store);
    // Asked after reading, which may have found it. What can be read is still served, but nothing is observed or sealed.
    const isDamaged = status?.storeDamage() !== undefined;
    const reason =
      (isShuttingDown(app.server) && 'the service is stopping') ||
      (isDamaged && 'the store is damaged: restore a backup');
    if (finished && !reason) return { ready: true, history: { done, total } };
    const history = { done, total, seconds_left };
    return reply.code(503).send({ ready: false, ...(reason && { reason }), history });
  });
  app.get('/api/version', async () => build);
  app.get('/api/migration-status', () => migrationStatus(store));
}

/** Without a datastore the service is ready at once. While the datastore cannot be reached it is not ready. */
const readiness = (store: Reader): Promise<HistoryProgress> =>
  readHistory(store).catch((error) => ({
    ...historyNotBegun,
    finished: error instanceof StoreError && error.code === 'not_configured',
  }));
