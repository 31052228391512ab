import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs a baseline server: the first message from the bench is the reply to give, the answer to it is the port. */
export async function servePayload<T>(createServer: (reply: T) => Server): Promise<void> {
  const [reply] = await once(process, 'message');
  const server = createServer(reply).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
}
