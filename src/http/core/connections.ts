// Bounds what connections can hold in memory: how many there are, in all and from one address, and one answer of each.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type IsTrusted, limitKey } from './client-address.ts';

export interface ConnectionLimits {
  total: number;
  perAddress: number;
}

const refusal = [
  'HTTP/1.1 503 Service Unavailable',
  'connection: close',
  'content-type: application/json; charset=utf-8',
  'content-length: 32',
  '',
  '{"error":"too many connections"}',
].join('\r\n');

/** Refuses connections past the limits. Connections of trusted proxies count towards the total alone. */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  isTrusted: IsTrusted,
): void {
  const open = new Map<string, number>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const key = isTrusted(address) ? undefined : limitKey(address);
    const ofKey = key === undefined ? 0 : (open.get(key) ?? 0);
    if (count >= total || (key !== undefined && ofKey >= perAddress)) {
      socket.end(refusal);
      socket.destroySoon();
      return;
    }
    count++;
    if (key !== undefined) open.set(key, ofKey + 1);
    socket.once('close', () => {
      count--;
      if (key === undefined) return;
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}

const active = new WeakMap<Socket, ServerResponse>();

/**
 * Begins a request when the answer before it on the same connection has been sent. Without this, a client that sends
 * requests and reads no answers would fill the memory: Node begins all requests that arrive in one packet.
 */
export function inOrder(response: ServerResponse, begin: () => void): void {
  const { socket } = response.req;
  const before = active.get(socket);
  active.set(socket, response);
  if (!before || before.writableFinished || before.destroyed) begin();
  else before.once('close', begin);
}
