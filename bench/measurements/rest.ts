import { type Bench, startBaseline, startService } from '../harness.ts';
import { compareThroughput } from './throughput.ts';

export async function measureRest(bench: Bench) {
  const service = await startService(bench);
  const url = `${service.url}/api/atmosphere?pocket=tiongbahru&hours=4`;
  const answer = (await (await fetch(url)).json()) as object;
  const bare = await startBaseline(bench, 'bare-get.ts', answer);
  return compareThroughput(bench, 'REST GET', { target: service, request: { url } }, [
    { name: 'bare node:http', target: bare, request: { url: bare.url } },
  ]);
}
