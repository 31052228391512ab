import { type Bench, startBaseline, startService } from '../harness.ts';
import { compareThroughput } from './throughput.ts';

const call = {
  method: 'POST' as const,
  // The official SDK requires both types.
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_pocket_atmosphere', arguments: { pocket_id: 'tiongbahru', hours: 4 } },
  }),
  uniqueIds: true,
};

/** One tool call with a new id each time, against the same reply from bare node:http and from the official SDK. */
export async function measureMcp(bench: Bench) {
  const service = await startService(bench);
  const url = `${service.url}/api/mcp`;
  const { uniqueIds: _, ...init } = call;
  const { result } = (await (await fetch(url, init)).json()) as { result: object };
  const bare = await startBaseline(bench, 'bare-mcp.ts', result);
  const sdk = await startBaseline(bench, 'sdk.ts', result);
  return compareThroughput(bench, 'tools/call', { target: service, request: { url, ...call } }, [
    { name: 'bare node:http', target: bare, request: { url: bare.url, ...call }, atLeast: 0.75 },
    { name: 'official SDK', target: sdk, request: { url: sdk.url, ...call }, atLeast: 8 },
  ]);
}
