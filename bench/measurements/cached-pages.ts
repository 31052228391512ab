// How fast a page from the reply cache is served, against a bare server that sends the same bytes.
import { type Bench, startService } from '../harness.ts';
import type { Row } from '../results.ts';
import { compareThroughput } from './throughput.ts';

const pages = { 'network page': '/', 'pocket page': '/pocket/tiongbahru' };
const bare = { name: 'bare node:http', file: 'bare-page.ts', atLeast: 0.6 };

export async function measureCachedPages(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(pages))
    rows.push(...(await compareThroughput(bench, name, service, { url: service.url + path }, [bare])));
  return rows;
}
