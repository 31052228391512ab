// How fast a page from the reply cache is served, against a bare server that sends the same bytes.
import { type Bench, startBaseline, startService } from '../harness.ts';
import { compareThroughput } from './throughput.ts';

const pages = { 'network page': '/', 'pocket page': '/pocket/tiongbahru' };

export async function measureCachedPages(bench: Bench) {
  const service = await startService(bench);
  const rows = [];
  for (const [name, path] of Object.entries(pages)) {
    const url = service.url + path;
    const bare = await startBaseline(bench, 'bare-page.ts', { text: await (await fetch(url)).text() });
    const baseline = { name: 'bare node:http', target: bare, request: { url: bare.url }, atLeast: 0.6 };
    rows.push(...(await compareThroughput(bench, name, { target: service, request: { url } }, [baseline])));
  }
  return rows;
}
