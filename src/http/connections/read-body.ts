// Reads the body of a request, within limits.
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../core/errors.ts';
import { tooManyBytes } from './buffered-bytes.ts';
import { findConnection } from './connection.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Calls one of the two. After `onRefused` the rest of the body is not read. */
export function readBody(
  request: IncomingMessage,
  onBody: (text: string) => void,
  onRefused: (error: HttpError) => void,
): void {
  const connection = findConnection(request.socket);
  const hold = (bytes: number) => connection?.buffers.hold(connection, 'body', bytes);
  let body: Buffer = Buffer.alloc(0);
  let size = 0;
  const onData = (chunk: Buffer) => {
    if (size + chunk.length > MAX_BODY_BYTES) return refuse(tooLarge());
    // Copied together: a client may send it in many small pieces, each an object of hundreds of bytes.
    body = size === 0 ? chunk : append(body, size, chunk);
    size += chunk.length;
    hold(size);
    if (connection?.buffers.isFull(connection)) refuse(tooManyBytes());
  };
  const onEnd = () => {
    hold(0);
    onBody(body.toString('utf8', 0, size));
  };
  const refuse = (error: HttpError) => {
    request.off('data', onData).off('end', onEnd).pause();
    hold(0);
    onRefused(error);
  };
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) refuse(tooLarge());
  else request.on('data', onData).on('end', onEnd);
}

const tooLarge = () => new HttpError(413, 'body too large (max 1 MiB)');

/** Adds a chunk after the first `size` bytes, in place if it fits. */
function append(body: Buffer, size: number, chunk: Buffer): Buffer {
  const needed = size + chunk.length;
  const fits = needed <= body.length;
  const target = fits ? body : Buffer.allocUnsafe(Math.max(needed, 2 * body.length));
  if (!fits) body.copy(target, 0, 0, size);
  chunk.copy(target, size);
  return target;
}
