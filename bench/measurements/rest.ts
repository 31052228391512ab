import { type Bench, startService } from '../harness.ts';
import { compareThroughput } from './throughput.ts';

export async function measureRest(bench: Bench) {
  const service = await startService(bench);
  const request = { url: `${service.url}/api/atmosphere?pocket=tiongbahru&hours=4` };
  return compareThroughput(bench, 'REST GET', service, request, [
    { name: 'bare node:http', file: 'bare-get.ts' },
  ]);
}
