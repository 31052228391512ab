import { isStateless, parseMessages } from '../../src/http/mcp/dispatcher.ts';
import {
  ask,
  askInstrument,
  type Bench,
  start,
  startBaseline,
  startService,
  type Target,
} from '../harness.ts';
import type { LoadResult, LoadRun, Request } from '../processes/load-generator.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';
import { compareThroughput } from './throughput.ts';

const params = { name: 'get_pocket_atmosphere', arguments: { pocket_id: 'tiongbahru', hours: 4 } };
// The official SDK requires both types.
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const bodyOf = (more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...more } });

const legacyCall = { method: 'POST' as const, headers, body: bodyOf(), uniqueIds: true };
const statelessCall = {
  ...legacyCall,
  headers: {
    ...headers,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  },
  body: bodyOf({
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }),
};

/**
 * One tool call with a new id each time, against the same reply from bare node:http and from the official SDK. In the
 * stateless era against bare node:http alone: the SDK that is compared speaks the earlier ones.
 */
export async function measureMcp(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const url = `${service.url}/api/mcp`;
  const resultOf = async ({ uniqueIds: _, ...init }: typeof legacyCall) =>
    ((await (await fetch(url, init)).json()) as { result: object }).result;
  const result = await resultOf(legacyCall);
  const bare = await startBaseline(bench, 'bare-mcp.ts', result);
  const sdk = await startBaseline(bench, 'sdk.ts', result);
  const bareStateless = await startBaseline(bench, 'bare-mcp.ts', await resultOf(statelessCall));
  const subject = (target: Target, address: string, call: Omit<Request, 'url'>) => ({
    target,
    request: { url: address, ...call },
  });
  return [
    ...(await compareThroughput(bench, 'tools/call', subject(service, url, legacyCall), [
      { name: 'bare node:http', ...subject(bare, bare.url, legacyCall), atLeast: 0.75 },
      { name: 'official SDK', ...subject(sdk, sdk.url, legacyCall), atLeast: 8 },
    ])),
    ...(await compareThroughput(bench, 'tools/call of 2026-07-28', subject(service, url, statelessCall), [
      { name: 'bare node:http', ...subject(bareStateless, bareStateless.url, statelessCall), atLeast: 0.75 },
    ])),
    await measureEraDetection(bench, service, subject(service, url, legacyCall).request),
  ];
}

/** What telling the era costs a legacy call, compared with the CPU time that the service spends on the whole call. */
async function measureEraDetection(bench: Bench, service: Target, request: Request): Promise<Row> {
  // Several bodies, so that the result cannot be computed once and used again.
  const bodies = Array.from({ length: 1000 }, () => {
    const parsed = parseMessages(legacyCall.body);
    if ('reply' in parsed) throw new Error('the call is not valid');
    return parsed;
  });
  const repeats = 500;
  const generator = start(bench, 'processes/load-generator.ts');
  const { detection, call } = await runRounds(bench, bench.rounds, {
    detection: async () => {
      const began = performance.now();
      for (let at = 0; at < repeats; at += 1)
        if (bodies.some((body) => isStateless(body, headers))) throw new Error('the call is a legacy one');
      return ((performance.now() - began) * 1000) / (repeats * bodies.length);
    },
    call: async () => {
      const before = await askInstrument(service, 'cpu time');
      const run: LoadRun = { ...request, seconds: bench.quick ? 0.6 : 1.2 };
      const { requests } = await ask<LoadResult>(generator, run);
      return ((await askInstrument(service, 'cpu time')) - before) / requests;
    },
  });
  return compare('tools/call: telling the era / CPU time of the whole call', detection, call, {
    unit: ' µs',
    target: { atMost: 0.03 },
  });
}
