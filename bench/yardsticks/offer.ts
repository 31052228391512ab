import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves what the bench sends as the first message, on any free port, and tells the port. */
export async function offer(serve: (payload: unknown) => Server): Promise<void> {
  const [payload] = await once(process, 'message');
  const server = serve(payload).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
}
