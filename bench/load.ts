// The load generator, in a process of its own: as many requests as the connections carry, for so many seconds.
import autocannon from 'autocannon';

export type Request = Pick<autocannon.Options, 'url' | 'method' | 'headers' | 'body'>;
export interface Shot extends Request {
  seconds: number;
}
export interface Volley {
  requests: number;
  seconds: number;
  failed: number;
}

const CONNECTIONS = 16;

process.on('disconnect', () => process.exit());
process.on('message', async ({ seconds, ...request }: Shot) => {
  const options = { ...request, connections: CONNECTIONS, duration: seconds, sampleInt: 50 };
  const { requests, errors, timeouts, non2xx, start, finish } = await autocannon(options);
  process.send?.({
    requests: requests.total,
    seconds: (finish.getTime() - start.getTime()) / 1000,
    failed: errors + timeouts + non2xx,
  } satisfies Volley);
});
