// Compressed forms of bodies, each made once. zlib works on threads of its own, so a long body holds up no request.
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  gzip,
  type InputType,
  type ZlibOptions,
} from 'node:zlib';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Encoding } from '../negotiation/content-encoding.ts';
import { bodyBytes, type Latin1Body } from './latin1-body.ts';

/** A body with the hash of its bytes. */
interface HashedText {
  etag: string;
  body: Latin1Body | Buffer;
}

export type CompressBody = (reply: HashedText, encoding: Encoding) => MaybePromise<Buffer>;

const MAX_BYTES = 8 * 1024 * 1024;

const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify<InputType, BrotliOptions, Buffer>(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // Higher ones are several times slower and win a few percent.
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify<InputType, ZlibOptions, Buffer>(gzip)(bytes, { level: 6 }),
};

/** Bodies are known by their ETag, which is a hash of the bytes. Past `maxBytes` the oldest are evicted first. */
export function createBodyCompressor(maxBytes = MAX_BYTES, compress = compressors): CompressBody {
  const done = new Map<string, Buffer>();
  const pending = new Map<string, Promise<Buffer>>();
  let size = 0;
  const keep = (key: string, compressed: Buffer) => {
    if (compressed.length > maxBytes) return;
    done.set(key, compressed);
    size += compressed.length;
    for (const [oldest, { length }] of done) {
      if (size <= maxBytes) break;
      done.delete(oldest);
      size -= length;
    }
  };
  return ({ etag, body }, encoding) => {
    const key = `${encoding} ${etag}`;
    const known = done.get(key) ?? pending.get(key);
    if (known) return known;
    const compressing = compress[encoding](typeof body === 'string' ? bodyBytes(body) : body)
      .then((compressed) => {
        keep(key, compressed);
        return compressed;
      })
      .finally(() => pending.delete(key));
    pending.set(key, compressing);
    return compressing;
  };
}
