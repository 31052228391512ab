import type { FastifyInstance, FastifyReply } from 'fastify';
import { entryBundle, entryLeaf, entryText, isEntryId } from '../../ledger/entry.ts';
import { LedgerError } from '../../ledger/error.ts';
import { consistencyProof, inclusionProof } from '../../ledger/proof.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { tileWidth } from '../../ledger/tiles.ts';
import { entriesOf, entryById, latestCheckpoint, tileReader } from '../../store/ledger/ledger-reads.ts';
import { publishedItems } from '../../store/prediction/submissions.ts';
import { HttpError } from '../core/errors.ts';
import { metaOf, type Service } from '../core/service.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const BRIEFLY = 'public, max-age=5';

/** The transparency log as C2SP tlog-tiles lays it out, with proofs for those who would rather not compute them. */
export function serveLedger(app: FastifyInstance, service: Service): void {
  const { store, ledgerKey } = service;
  const read = tileReader(store);
  const committed = async () => (await latestCheckpoint(store)) ?? missing('the log is empty');

  app.get('/api/ledger/key', (_request, reply) => text(reply, BRIEFLY).send(`${ledgerKey}\n`));

  app.get('/api/ledger/checkpoint', async (_request, reply) =>
    text(reply, BRIEFLY).send((await committed()).note),
  );

  app.get('/api/ledger/tile/*', async (request, reply) => {
    const { level, index, width } = tileOf(request.url);
    const { size } = await committed();
    // A tile is served once the log has committed itself to all of it: then it never changes.
    const whole = level === 'entries' ? tileWidth(size, 0, index) : tileWidth(size, level, index);
    if (width > whole) missing('no such tile yet');
    const bytes =
      level === 'entries'
        ? entryBundle(await entriesOf(store, index, width))
        : await read({ level, index, width });
    return reply.type('application/octet-stream').header('cache-control', FOREVER).send(bytes);
  });

  app.get<{ Params: { hash: string } }>('/api/ledger/detached/:hash', async (request, reply) => {
    const { hash } = request.params;
    const known = /^[0-9a-f]{64}$/.test(hash)
      ? await publishedItems(store, `sha256:${hash}`, service.now())
      : undefined;
    if (known === undefined) return missing('nothing is published under this hash');
    return reply.type('application/json').header('cache-control', FOREVER).send(Buffer.from(known));
  });

  app.get<{ Params: { id: string } }>('/api/ledger/proof/:id', async (request, reply) => {
    const { id: asked } = request.params;
    const entry = isEntryId(asked) ? await entryById(store, asked) : undefined;
    if (!entry) return missing('no such entry');
    const { size, note } = await committed();
    const { leaf, type, id, payload, payload_hash } = entry;
    return reply.header('cache-control', BRIEFLY).send({
      id,
      type,
      leaf_index: leaf,
      leaf_hash: entryLeaf(entryText(type, id, { canonical: payload, payload_hash })),
      payload_hash,
      payload: JSON.parse(payload),
      tree_size: size,
      proof: await inclusionProof(read, leaf, size),
      checkpoint: note,
      _meta: metaOf(service, 'ledger_proof'),
    });
  });

  app.get<{ Querystring: { from?: string; to?: string } }>(
    '/api/ledger/consistency',
    async (request, reply) => {
      const { size } = await committed();
      const from = sizeOf('from', request.query.from, size);
      const to = request.query.to === undefined ? size : sizeOf('to', request.query.to, size);
      if (from > to) throw new HttpError(400, 'from must not be more than to');
      const proof = await consistencyProof(read, from, to);
      return reply
        .header('cache-control', BRIEFLY)
        .send({ from, to, proof, _meta: metaOf(service, 'ledger_consistency') });
    },
  );
}

const text = (reply: FastifyReply, keep: string) =>
  reply.type('text/plain; charset=utf-8').header('cache-control', keep);

function missing(message: string): never {
  throw new HttpError(404, message);
}

function tileOf(url: string) {
  try {
    return parseTilePath(url.slice('/api/ledger/'.length));
  } catch (error) {
    if (error instanceof LedgerError) return missing('no such tile');
    throw error;
  }
}

function sizeOf(name: string, given: string | undefined, size: number): number {
  if (given === undefined || given === '') throw new HttpError(400, `${name} is required`);
  if (!/^\d{1,15}$/.test(given) || Number(given) > size)
    throw new HttpError(400, `${name} must be 0-${size}`);
  return Number(given);
}
