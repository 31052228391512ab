// The raw bodies of feeds, by the hash of their bytes. They are of strangers and may be anything: a browser must save
// them and never show them, nor guess their type (every reply says nosniff).
import type { FastifyInstance } from 'fastify';
import { readBody } from '../../store/feeds/archive.ts';
import { feedOfBody } from '../../store/feeds/provenance.ts';
import type { AppContext } from '../answers/app-context.ts';
import { HttpError } from '../core/errors.ts';
import { type ReadClient, unitsOfBytes } from '../heavy/cost.ts';
import { createHeavyQueue } from '../heavy/queue.ts';

const FOREVER = 'public, max-age=31536000, immutable';

export function serveFeedBodies(
  app: FastifyInstance,
  context: AppContext,
  clientFor: (address: string) => ReadClient,
): void {
  // A body may have megabytes: a few are decompressed at a time.
  const queue = createHeavyQueue();
  app.get<{ Params: { hash: string } }>('/api/feeds/bodies/:hash', async (request, reply) => {
    const { hash } = request.params;
    const client = clientFor(request.ip);
    client.take(1);
    const feeds = (context.registry.feeds ?? []).map(({ id }) => id);
    const feed = /^[0-9a-f]{64}$/.test(hash) ? await feedOfBody(context.store, feeds, hash) : undefined;
    const body =
      feed === undefined
        ? undefined
        : await queue.run(client.key, 'data', 'bodies are read one after another', () =>
            readBody(context.store, feed, hash),
          );
    if (!body) throw new HttpError(404, 'no body with this hash is kept');
    client.charge(unitsOfBytes(body.raw.length));
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${hash}"`)
      .header('cache-control', FOREVER)
      .send(Buffer.from(body.raw));
  });
}
