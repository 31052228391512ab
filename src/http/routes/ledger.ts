// Routes of the transparency log, in the layout of C2SP tlog-tiles, and inclusion and consistency proofs for clients
// that do not compute them from tiles.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isSealedBeforeOutcome, type Sealed } from '../../domain/prediction/written.ts';
import { entryBundle, entryLeaf, entryText, isEntryId } from '../../ledger/entry.ts';
import { LedgerError } from '../../ledger/error.ts';
import { consistencyProof, inclusionProof } from '../../ledger/proof.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { tileWidth } from '../../ledger/tiles.ts';
import { currentKey } from '../../store/ledger/ledger-keys.ts';
import { entriesOfTile, entryById, latestCheckpoint, tileReader } from '../../store/ledger/ledger-reads.ts';
import { publishedSubmissionItems } from '../../store/prediction/submissions.ts';
import { type AppContext, metaOf } from '../core/app-context.ts';
import { HttpError } from '../core/errors.ts';
import { ignoredNames } from '../core/rest-parameters.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const FIVE_SECONDS = 'public, max-age=5';

export function serveLedger(app: FastifyInstance, context: AppContext): void {
  const { store, ledgerKey } = context;
  const read = tileReader(store);
  const checkpoint = async () => (await latestCheckpoint(store)) ?? notFound('the log is empty');

  // The store's key, not that of this process: another process may have changed it.
  app.get('/api/ledger/key', async (_request, reply) => {
    const key = ledgerKey === '' ? '' : ((await currentKey(store))?.verifier_key ?? ledgerKey);
    return text(reply, FIVE_SECONDS).send(`${key}\n`);
  });

  app.get('/api/ledger/checkpoint', async (_request, reply) =>
    text(reply, FIVE_SECONDS).send((await checkpoint()).note),
  );

  app.get<{ Params: { '*': string } }>('/api/ledger/tile/*', async (request, reply) => {
    // As the router decodes it: proxies and generated clients write the slashes of a path parameter as %2F.
    const path = `tile/${request.params['*']}`;
    const { level, index, width } = tileOf(path);
    const { size } = await checkpoint();
    // A tile is served once a signed checkpoint covers all of it: from then on it never changes.
    const available = level === 'entries' ? tileWidth(size, 0, index) : tileWidth(size, level, index);
    if (width > available) notFound('no such tile yet');
    const bytes =
      level === 'entries'
        ? entryBundle(await entriesOfTile(store, index, width))
        : await read({ level, index, width });
    // Other spellings are served too, but do not fill caches.
    const cacheControl = request.url === `/api/ledger/${path}` ? FOREVER : FIVE_SECONDS;
    return reply.type('application/octet-stream').header('cache-control', cacheControl).send(bytes);
  });

  app.get<{ Params: { hash: string } }>('/api/ledger/detached/:hash', async (request, reply) => {
    const { hash } = request.params;
    const items = /^[0-9a-f]{64}$/.test(hash)
      ? await publishedSubmissionItems(store, `sha256:${hash}`, await context.storeNow())
      : undefined;
    if (items === undefined) return notFound('nothing is published under this hash');
    return reply.type('application/json').header('cache-control', FOREVER).send(Buffer.from(items));
  });

  app.get<{ Params: { id: string } }>('/api/ledger/proof/:id', async (request, reply) => {
    const { id: requested } = request.params;
    const entry = isEntryId(requested) ? await entryById(store, requested) : undefined;
    if (!entry) return notFound('no such entry');
    const { size, note } = await checkpoint();
    const { leaf, type, id, payload, payload_hash } = entry;
    const sealed = JSON.parse(payload) as Sealed<object>;
    return reply.header('cache-control', FIVE_SECONDS).send({
      id,
      type,
      leaf_index: leaf,
      leaf_hash: entryLeaf(entryText(type, id, { canonical: payload, payload_hash })),
      payload_hash,
      payload: sealed,
      written_at: sealed.written_at,
      backfilled: sealed.backfilled ?? false,
      sealed_before_outcome: isSealedBeforeOutcome(sealed),
      page_url: `${context.baseUrl}/ledger/${id}`,
      tree_size: size,
      proof: await inclusionProof(read, leaf, size),
      checkpoint: note,
      _meta: metaOf(context, 'ledger_proof', ignoredNames(request.query, [])),
    });
  });

  app.get<{ Querystring: { from?: string; to?: string } }>(
    '/api/ledger/consistency',
    async (request, reply) => {
      const { size } = await checkpoint();
      const from = sizeOf('from', request.query.from, size);
      const to = request.query.to === undefined ? size : sizeOf('to', request.query.to, size);
      if (from > to) throw new HttpError(400, 'from must not be more than to');
      const proof = await consistencyProof(read, from, to);
      return reply.header('cache-control', FIVE_SECONDS).send({
        from,
        to,
        proof,
        _meta: metaOf(context, 'ledger_consistency', ignoredNames(request.query, ['from', 'to'])),
      });
    },
  );
}

const text = (reply: FastifyReply, cacheControl: string) =>
  reply.type('text/plain; charset=utf-8').header('cache-control', cacheControl);

function notFound(message: string): never {
  throw new HttpError(404, message);
}

function tileOf(path: string) {
  try {
    return parseTilePath(path);
  } catch (error) {
    if (error instanceof LedgerError) return notFound('no such tile');
    throw error;
  }
}

function sizeOf(name: string, given: string | undefined, size: number): number {
  if (given === undefined || given === '') throw new HttpError(400, `${name} is required`);
  if (!/^\d{1,15}$/.test(given) || Number(given) > size)
    throw new HttpError(400, `${name} must be 0-${size}`);
  return Number(given);
}
