import { type Bench, startService, startYardstick } from '../support.ts';
import { compareThroughput } from './throughput.ts';

export async function measurePages(bench: Bench) {
  const service = await startService(bench);
  const rows = [];
  for (const [name, path] of [
    ['the network’s page', '/'],
    ['a pocket’s page', '/pocket/tiongbahru'],
  ] as const) {
    const url = service.url + path;
    const bare = await startYardstick(bench, 'bare-page.ts', { text: await (await fetch(url)).text() });
    const contender = { target: service, request: { url } };
    const yardstick = { name: 'bare node:http', target: bare, request: { url: bare.url }, atLeast: 0.6 };
    rows.push(...(await compareThroughput(bench, name, contender, [yardstick])));
  }
  return rows;
}
