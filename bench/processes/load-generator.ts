// The load generator: sends as many requests as its connections carry, for a time or until there were so many.
import autocannon from 'autocannon';

export type Request = Pick<autocannon.Options, 'url' | 'method' | 'headers' | 'body'> & {
  /** The body is a JSON-RPC message, and every request gets an id that was not sent before. */
  uniqueIds?: boolean;
};
/** How much load: for so many seconds, or so many requests. */
export type Load = { duration: number } | { amount: number };
export interface LoadRun extends Request {
  load: Load;
}
export interface LoadResult {
  requests: number;
  seconds: number;
  failed: number;
}

const CONNECTIONS = 16;

process.on('disconnect', () => process.exit());
process.on('message', async ({ load, uniqueIds, ...request }: LoadRun) => {
  const numbered = uniqueIds ? { requests: [withUniqueIds(String(request.body))] } : {};
  const options = { ...request, ...numbered, ...load, connections: CONNECTIONS, sampleInt: 50 };
  const { requests, errors, timeouts, non2xx, start, finish } = await autocannon(options);
  process.send?.({
    requests: requests.total,
    seconds: (finish.getTime() - start.getTime()) / 1000,
    failed: errors + timeouts + non2xx,
  } satisfies LoadResult);
});

/** Counts on from run to run. */
let lastId = 0;

function withUniqueIds(body: string): autocannon.Request {
  const template = JSON.stringify({ ...(JSON.parse(body) as object), id: 0 });
  const [before, after] = template.split('"id":0') as [string, string];
  return {
    setupRequest: (request) => {
      lastId += 1;
      return { ...request, body: `${before}"id":${lastId}${after}` };
    },
  };
}
