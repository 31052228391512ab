// Routes of the transparency log, in the layout of C2SP tlog-tiles, and inclusion and consistency proofs for clients
// that do not compute them from tiles. What is read as it was stored is sent at the speed of the address
// (heavy/byte-share.ts); what is computed for one client is counted in units, as other reads are (heavy/cost.ts).
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isSealedBeforeOutcome, type Sealed } from '../../domain/prediction/written.ts';
import { entryLeaf, entryText, isEntryId } from '../../ledger/entry.ts';
import { LedgerError } from '../../ledger/error.ts';
import { HASH_BYTES, hashAt } from '../../ledger/merkle.ts';
import { consistencyProof, inclusionProof, type ReadTile } from '../../ledger/proof.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { TILE_WIDTH, tileWidth } from '../../ledger/tiles.ts';
import type { Reader } from '../../store/engine/store.ts';
import { refuseArchivedId } from '../../store/ledger/archived.ts';
import { currentKey } from '../../store/ledger/ledger-keys.ts';
import { entryById, latestCheckpoint, publishedTile, tileReader } from '../../store/ledger/ledger-reads.ts';
import { publishedSubmissionItems } from '../../store/prediction/submissions.ts';
import { type AppContext, answerMeta } from '../answers/app-context.ts';
import { ignoredNames } from '../answers/rest-parameters.ts';
import { computeEtag } from '../cache/latin1-body.ts';
import { etagMatches } from '../cache/reply-cache.ts';
import { HttpError } from '../core/errors.ts';
import { orFromPrimary } from '../core/from-primary.ts';
import { ENTRY_BYTES, LEAF_TILE_BYTES, type PacedRead, REQUEST_BYTES } from '../heavy/byte-share.ts';
import { type ReadClient, unitsOfBytes } from '../heavy/cost.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const FIVE_SECONDS = 'public, max-age=5';

export function serveLedger(
  app: FastifyInstance,
  context: AppContext,
  clientFor: (address: string) => ReadClient,
  paced: PacedRead,
): void {
  const { store, ledgerKey } = context;
  const checkpoint = async (from: Reader) => (await latestCheckpoint(from)) ?? notFound('the log is empty');

  // The store's key, not that of this process: another process may have changed it.
  app.get('/api/ledger/key', async ({ ip }, reply) => {
    const storedKey = async () => (await currentKey(store))?.verifier_key ?? ledgerKey;
    const key = ledgerKey === '' ? '' : await paced(ip, REQUEST_BYTES, storedKey);
    return text(reply, FIVE_SECONDS).send(`${key}\n`);
  });

  app.get('/api/ledger/checkpoint', async ({ ip }, reply) => {
    const note = await paced(ip, REQUEST_BYTES, async () => (await checkpoint(store)).note);
    return text(reply, FIVE_SECONDS).send(note);
  });

  app.get<{ Params: { '*': string } }>('/api/ledger/tile/*', async (request, reply) => {
    // As the router decodes it: proxies and generated clients write the slashes of a path parameter as %2F.
    const path = `tile/${request.params['*']}`;
    const { level, index, width } = parseTile(path);
    // A tile is served once a signed checkpoint covers all of it: from then on it never changes.
    const ifCovered = <T>(answer: (from: Reader) => Promise<T>): Promise<T> =>
      orFromPrimary(store, async (from) => {
        const { size } = await checkpoint(from);
        const available = tileWidth(size, level === 'entries' ? 0 : level, index);
        if (width > available) notFound('no such tile yet');
        return answer(from);
      });
    // Other spellings are served too, but do not fill caches.
    const isCanonical = request.url === `/api/ledger/${path}`;
    const headers = isCanonical
      ? { 'cache-control': FOREVER, etag: computeEtag(Buffer.from(`${ledgerKey} ${path}`)) }
      : { 'cache-control': FIVE_SECONDS };
    // The path names the bytes for good, so for a client that has them nothing is read.
    if (headers.etag && etagMatches(request.headers['if-none-match'], headers.etag)) {
      return ifCovered(async () => reply.code(304).headers(headers).send());
    }
    const expected = width * (level === 'entries' ? ENTRY_BYTES : HASH_BYTES);
    const read = () => ifCovered((from) => publishedTile(from)({ level, index, width }));
    const bytes = await paced(request.ip, expected, read, level === 0 ? LEAF_TILE_BYTES : REQUEST_BYTES);
    return reply.type('application/octet-stream').headers(headers).send(bytes);
  });

  app.get<{ Params: { hash: string } }>('/api/ledger/detached/:hash', async (request, reply) => {
    const { hash } = request.params;
    const read = async (from: Reader) => {
      const published = /^[0-9a-f]{64}$/.test(hash)
        ? await publishedSubmissionItems(from, `sha256:${hash}`, await context.storeNow())
        : undefined;
      return Buffer.from(published ?? notFound('nothing is published under this hash'));
    };
    const items = await paced(request.ip, REQUEST_BYTES, () => orFromPrimary(store, read));
    return reply.type('application/json').header('cache-control', FOREVER).send(items);
  });

  app.get<{ Params: { id: string } }>('/api/ledger/proof/:id', async (request, reply) => {
    const { id: requested } = request.params;
    const client = clientFor(request.ip);
    client.take(1);
    const prove = async (from: Reader) => {
      const entry = isEntryId(requested) ? await entryById(from, requested) : undefined;
      if (!entry) await refuseArchivedId(from, requested);
      if (!entry) return notFound('no such entry');
      const { size, note } = await checkpoint(from);
      const { leaf, type, id, payload, payload_hash } = entry;
      const sealed = JSON.parse(payload) as Sealed<object>;
      return {
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
        proof: await inclusionProof(chargeReads(tileReader(from), client), leaf, size),
        checkpoint: note,
        _meta: answerMeta(context, 'ledger_proof', ignoredNames(request.query, [])),
      };
    };
    return reply.header('cache-control', FIVE_SECONDS).send(await orFromPrimary(store, prove));
  });

  // Also of an entry that has left the store: the tiles stay.
  app.get<{ Params: { leaf: string } }>('/api/ledger/proof/leaf/:leaf', async (request, reply) => {
    const client = clientFor(request.ip);
    client.take(1);
    const prove = async (from: Reader) => {
      const { size, note } = await checkpoint(from);
      const leaf = /^\d{1,15}$/.test(request.params.leaf) ? Number(request.params.leaf) : size;
      if (leaf >= size) return notFound('no such leaf');
      const index = Math.floor(leaf / TILE_WIDTH);
      const charged = chargeReads(tileReader(from), client);
      const tile = await charged({ level: 0, index, width: tileWidth(size, 0, index) });
      return {
        leaf_index: leaf,
        leaf_hash: hashAt(tile, leaf % TILE_WIDTH),
        tree_size: size,
        proof: await inclusionProof(charged, leaf, size),
        checkpoint: note,
        _meta: answerMeta(context, 'ledger_leaf_proof', ignoredNames(request.query, [])),
      };
    };
    return reply.header('cache-control', FIVE_SECONDS).send(await orFromPrimary(store, prove));
  });

  app.get<{ Querystring: { from?: string; to?: string } }>(
    '/api/ledger/consistency',
    async (request, reply) => {
      const client = clientFor(request.ip);
      client.take(1);
      const prove = async (reader: Reader) => {
        const { size } = await checkpoint(reader);
        const from = parseTreeSize('from', request.query.from, size);
        const to = request.query.to === undefined ? size : parseTreeSize('to', request.query.to, size);
        if (from > to) throw new HttpError(400, 'from must not be greater than to');
        const proof = await consistencyProof(chargeReads(tileReader(reader), client), from, to);
        const _meta = answerMeta(context, 'ledger_consistency', ignoredNames(request.query, ['from', 'to']));
        return { from, to, proof, _meta };
      };
      // A size that the log has not reached is refused with a 400; another process may have shown it.
      return reply.header('cache-control', FIVE_SECONDS).send(await orFromPrimary(store, prove, 400));
    },
  );
}

/** The tiles that a proof is computed from cost what as many bytes of an answer cost. */
const chargeReads =
  (read: ReadTile, client: ReadClient): ReadTile =>
  async (tile) => {
    const hashes = await read(tile);
    client.charge(unitsOfBytes(hashes.length));
    return hashes;
  };

const text = (reply: FastifyReply, cacheControl: string) =>
  reply.type('text/plain; charset=utf-8').header('cache-control', cacheControl);

function notFound(message: string): never {
  throw new HttpError(404, message);
}

function parseTile(path: string) {
  try {
    return parseTilePath(path);
  } catch (error) {
    if (error instanceof LedgerError) return notFound('no such tile');
    throw error;
  }
}

function parseTreeSize(name: string, given: string | undefined, size: number): number {
  if (given === undefined || given === '') throw new HttpError(400, `${name} is required`);
  if (!/^\d{1,15}$/.test(given) || Number(given) > size)
    throw new HttpError(400, `${name} must be 0-${size}`);
  return Number(given);
}
