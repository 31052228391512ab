// Bounds how many connections there are, in all and from one address, and what they hold in memory.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type IsTrusted, limitKey } from '../core/client-address.ts';
import { createBuffers, type SharedLimit } from './buffered-bytes.ts';
import { type AddressUse, openConnection } from './connection.ts';
import { setChunked } from './in-order.ts';

export interface ConnectionLimits extends SharedLimit {
  /** Bytes that they hold together. */
  buffered?: SharedLimit;
}

const refusal = [
  'HTTP/1.1 503 Service Unavailable',
  'connection: close',
  'content-type: application/json; charset=utf-8',
  'content-length: 32',
  '',
  '{"error":"too many connections"}',
].join('\r\n');

/**
 * For so long a connection that was cut still counts: what it sent cost more than to send it, and its client may come
 * back at once.
 */
const PLACE_KEPT_MS = 10_000;

/** Refuses connections past the limits. Connections of trusted proxies count towards the totals alone. */
export function limitConnections(
  server: Server,
  { total, perAddress, buffered }: ConnectionLimits,
  isTrusted: IsTrusted,
): void {
  const buffers = createBuffers(buffered);
  const addresses = new Map<string, AddressUse>();
  let count = 0;
  const addressUse = (key: string): AddressUse => {
    const use = addresses.get(key) ?? { connections: 0, bytes: 0, chunked: 0 };
    addresses.set(key, use);
    return use;
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const key = limitKey(address);
    const use = isTrusted(address) ? undefined : addressUse(key);
    if (count >= total || (use && use.connections >= perAddress)) {
      socket.end(refusal);
      socket.destroySoon();
      return;
    }
    count++;
    if (use) use.connections++;
    const connection = openConnection(socket, use, buffers);
    const leave = () => {
      count--;
      setChunked(connection, false);
      if (use && --use.connections === 0) addresses.delete(key);
    };
    socket.once('close', () => {
      buffers.release(connection);
      if (connection.isCut) setTimeout(leave, PLACE_KEPT_MS).unref();
      else leave();
    });
  });
}
