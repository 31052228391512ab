import { isStateless, parseMessages } from '../../src/http/mcp/dispatcher.ts';
import { type Bench, startClient, startService, type Target } from '../harness.ts';
import type { Request } from '../processes/load-generator.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';
import { compareThroughput, putLoad } from './throughput.ts';

const params = { name: 'get_pocket_atmosphere', arguments: { pocket_id: 'tiongbahru', hours: 4 } };
// The official SDK requires both types.
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const toolCallBody = (more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...more } });

const legacyCall = { method: 'POST' as const, headers, body: toolCallBody(), uniqueIds: true };
const statelessCall = {
  ...legacyCall,
  headers: {
    ...headers,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  },
  body: toolCallBody({
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
  const bare = { name: 'bare node:http', file: 'bare-mcp.ts', atLeast: 0.75 };
  const sdk = { name: 'official SDK', file: 'sdk.ts', atLeast: 8 };
  const legacy = { url, ...legacyCall };
  const stateless = { url, ...statelessCall };
  return [
    ...(await compareThroughput(bench, 'tools/call', service, legacy, [bare, sdk])),
    ...(await compareThroughput(bench, 'tools/call of 2026-07-28', service, stateless, [bare])),
    await measureEraDetection(bench, service, legacy),
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
  const repeats = bench.size === 'smallest' ? 1 : 500;
  const generator = startClient(bench, 'load-generator.ts');
  const { detection, call } = await runRounds(bench, bench.rounds, {
    detection: async () => {
      const began = performance.now();
      for (let at = 0; at < repeats; at += 1)
        if (bodies.some((body) => isStateless(body, headers))) throw new Error('the call is a legacy one');
      return ((performance.now() - began) * 1000) / (repeats * bodies.length);
    },
    call: async () => (await putLoad(bench, generator, service, request)).cpuTime,
  });
  return compare('tools/call: telling the era / CPU time of the whole call', detection, call, {
    unit: ' µs',
    target: { atMost: 0.03 },
  });
}
