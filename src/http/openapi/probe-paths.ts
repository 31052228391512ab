// Paths of an operator's probes (src/http/routes/status.ts). Their bodies describe the process, so they have no `_meta`.
import Type from 'typebox';
import { count, nullable, timestamp } from '../../operations/core/answer-fields.ts';
import { get, internalError, json, unavailable } from './replies.ts';

/** Days of the simulated history: those written, and all that must be written before the service is ready. */
const days = { done: count, total: count };

export const probePaths = {
  '/api/health': get('health', 'Liveness probe', {
    200: json('the process listens', Type.Object({ ok: Type.Boolean() })),
    ...internalError,
  }),
  '/api/ready': get('ready', 'Readiness probe', {
    200: json(
      'ready',
      Type.Object({
        ready: Type.Literal(true),
        history: Type.Object(days),
        upgrade: Type.Optional(
          Type.Object(
            { key: Type.String(), done: count, total: count },
            { description: 'the change that an upgrade makes to many rows, while one is under way' },
          ),
        ),
        reason: Type.Optional(
          Type.String({
            description:
              'why nothing is written (a newer schema, a full disk, no primary), or why the replica does not answer',
          }),
        ),
        replica: Type.Optional(
          Type.Object(
            {
              answers: Type.Boolean({ description: 'whether answers come from it' }),
              seconds_behind: nullable(Type.Number({ minimum: 0, description: 'how far behind it is' })),
            },
            { description: 'the replica of READ_DATABASE_URL, where one is set' },
          ),
        ),
      }),
    ),
    503: json(
      'the first history is being written, the datastore is away, damaged or of a newer version, or the service is stopping',
      Type.Object({
        ready: Type.Literal(false),
        history: Type.Object({ ...days, seconds_left: nullable(Type.Number({ minimum: 0 })) }),
        reason: Type.Optional(
          Type.String({
            description:
              'of a datastore that is damaged, full or cannot be read, or a service that is stopping',
          }),
        ),
      }),
    ),
    ...internalError,
  }),
  '/api/version': get('version', 'Build version', {
    200: json('the build', Type.Object({ version: Type.String(), deployed_at: timestamp })),
    ...internalError,
  }),
  '/api/migration-status': get('migration_status', 'Migration probe', {
    200: json(
      'which migrations are applied',
      Type.Object({
        all_applied: Type.Boolean(),
        missing_count: count,
        checks: Type.Array(Type.Object({ key: Type.String(), applied: Type.Boolean() })),
      }),
    ),
    ...internalError,
    ...unavailable,
  }),
};
