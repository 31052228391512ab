// The load generator, in a process of its own: as many requests as the connections carry, for so many seconds.
import autocannon from 'autocannon';

export type Request = Pick<autocannon.Options, 'url' | 'method' | 'headers' | 'body'> & {
  /** The JSON-RPC ids that go round; 0: no id comes twice. Without it the body is sent as it is. */
  ids?: number;
};
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
process.on('message', async ({ seconds, ids, ...request }: Shot) => {
  const numbered = ids === undefined ? {} : { requests: numberedRequests(String(request.body), ids) };
  const options = { ...request, ...numbered, connections: CONNECTIONS, duration: seconds, sampleInt: 50 };
  const { requests, errors, timeouts, non2xx, start, finish } = await autocannon(options);
  process.send?.({
    requests: requests.total,
    seconds: (finish.getTime() - start.getTime()) / 1000,
    failed: errors + timeouts + non2xx,
  } satisfies Volley);
});

/** Past the ids that clients count up to, whose replies the service keeps. */
let last = 1_000;

function numberedRequests(body: string, ids: number): autocannon.Request[] {
  const message = JSON.parse(body) as object;
  const withId = (id: number) => ({ body: JSON.stringify({ ...message, id }) });
  if (ids > 0) return Array.from({ length: ids }, (_, id) => withId(id));
  const [head, tail] = withId(0).body.split('"id":0') as [string, string];
  const setupRequest = (request: autocannon.Request) => {
    last += 1;
    return { ...request, body: `${head}"id":${last}${tail}` };
  };
  return [{ setupRequest }];
}
