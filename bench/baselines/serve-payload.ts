import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs a baseline server: the first message from the bench is the payload to serve, the reply is the port. */
export async function servePayload(createServer: (payload: unknown) => Server): Promise<void> {
  const [payload] = await once(process, 'message');
  const server = createServer(payload).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
}
