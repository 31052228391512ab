// Shuts the server down without losing a request. A client may send on a connection that it keeps open until a reply
// tells it `connection: close`; so replies say that first, and the connections close afterwards. A load balancer sends
// requests until /api/ready has told it not to; so that turns first, and all else goes on for as long as was asked for.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long new requests are still answered, with `connection: close`, before the listener closes. */
const GRACE_MS = 500;

const openSockets = new WeakMap<Server, Set<Socket>>();
const draining = new WeakSet<Server>();
const endless = new WeakMap<Server, readonly (() => void)[]>();

/** Must be called before the server listens. */
export function trackConnections(server: Server): void {
  const open = new Set<Socket>();
  openSockets.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** How many connections are open; those that were refused are closed at once. */
export const countConnections = (server: Server): number => openSockets.get(server)?.size ?? 0;

/** While it does, every reply says `connection: close`, and the service is not ready. */
export const isShuttingDown = (server: Server): boolean => draining.has(server) || !server.listening;

/** Calls `end` once no new clients are expected, for replies that would never end by themselves. */
export function onDrain(server: Server, end: () => void): void {
  endless.set(server, [...(endless.get(server) ?? []), end]);
}

/**
 * Resolves when every request under way is answered and every connection is closed. For `noticeMs` before that everything
 * is answered: a client whose stream was cut earlier would come back through the load balancer to this very process.
 */
export async function drain(app: FastifyInstance, noticeMs = 0): Promise<void> {
  const { server } = app;
  const open = openSockets.get(server) ?? new Set();
  draining.add(server);
  await delay(noticeMs);
  for (const end of endless.get(server) ?? []) end();
  if (open.size > 0) await delay(GRACE_MS);
  const closed = app.close();
  // Connections that are idle between two requests close with the listener. One that has not sent a byte counts as
  // active, since its first request may be on the way; browsers open such connections in advance and may never use them.
  const closeSilent = setTimeout(() => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }, GRACE_MS);
  await closed;
  clearTimeout(closeSilent);
}
