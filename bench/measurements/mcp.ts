import { type Bench, startService, startYardstick } from '../support.ts';
import { compareThroughput } from './throughput.ts';

const call = {
  method: 'POST' as const,
  // The official SDK insists on both types.
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_pocket_atmosphere', arguments: { pocket_id: 'tiongbahru', hours: 4 } },
  }),
};

/** Requests in a client's session: each counts from the same number. */
const SESSION = 50;

export async function measureMcp(bench: Bench) {
  const service = await startService(bench);
  const url = `${service.url}/api/mcp`;
  const { result } = (await (await fetch(url, call)).json()) as { result: object };
  const bare = await startYardstick(bench, 'bare.ts', result);
  const sdk = await startYardstick(bench, 'sdk.ts', result);
  const round = { ...call, ids: SESSION };
  const rows = await compareThroughput(bench, 'tools/call', { target: service, request: { url, ...round } }, [
    { name: 'bare node:http', target: bare, request: { url: bare.url, ...round }, atLeast: 0.9 },
    { name: 'official SDK', target: sdk, request: { url: sdk.url, ...round }, atLeast: 8 },
  ]);
  const fresh = { ...call, ids: 0 };
  const unrepeated = await compareThroughput(
    bench,
    'tools/call, no id twice',
    { target: service, request: { url, ...fresh } },
    [{ name: 'bare node:http', target: bare, request: { url: bare.url, ...fresh } }],
  );
  return [...rows, ...unrepeated];
}
