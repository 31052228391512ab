import type { FastifyInstance } from 'fastify';
import { migrationStatus } from '../../store/engine/migrate.ts';
import type { AppContext } from '../core/app-context.ts';

/** The probes of an operator. They are about this process, not about a pocket, and carry no licence. */
export function serveStatus(app: FastifyInstance, { store, build }: AppContext): void {
  // Asked every few seconds by whoever watches the process: not worth a line each.
  app.get('/api/health', { logLevel: 'warn' }, async () => ({ ok: true }));
  app.get('/api/version', async () => build);
  app.get('/api/migration-status', () => migrationStatus(store));
}
