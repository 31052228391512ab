// Stands between a browser and a service, so that a test can let the service be away without ending it.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `refusing`: nothing listens. `failing`: every reply is a 503. `hanging`: no reply ever comes. */
export type GatewayState = 'passing' | 'refusing' | 'failing' | 'hanging';

export async function startGateway(target: string) {
  let state: GatewayState = 'passing';
  const server = createServer((incoming, outgoing) => {
    if (state === 'hanging') return;
    if (state === 'failing')
      return outgoing.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Away</h1>');
    const { method, url, headers } = incoming;
    const passed = request(target + url, { method, headers: { ...headers, host: new URL(target).host } });
    passed.on('response', (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    /** Connections that are open end with each change. */
    async become(next: GatewayState): Promise<void> {
      if (server.listening) {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }
      state = next;
      if (next !== 'refusing') await listen(port);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
