import { type Bench, startService, startYardstick } from '../support.ts';
import { compareThroughput } from './throughput.ts';

export async function measureRest(bench: Bench) {
  const service = await startService(bench);
  const url = `${service.url}/api/atmosphere?pocket=tiongbahru&hours=4`;
  const reading = (await (await fetch(url)).json()) as object;
  const bare = await startYardstick(bench, 'bare-get.ts', reading);
  return compareThroughput(bench, 'REST GET', { target: service, request: { url } }, [
    { name: 'bare node:http', target: bare, request: { url: bare.url } },
  ]);
}
