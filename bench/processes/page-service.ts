// The service with weeks of history and a clock that stands still, in a process with nothing else: no pipeline, and
// heavy answers on the request thread, so that the CPU time of the process is that of the answers. `drop` makes the
// service compute every answer again.
import type { TestContext } from 'node:test';
import { startService } from '../../test/support/services/service.ts';

const [days = '1'] = process.argv.slice(2);
const endings: (() => unknown)[] = [];
const after = ((end: () => unknown) => endings.push(end)) as TestContext['after'];
const { url, service } = await startService({ after }, { days: Number(days) });
process.on('message', async (message) => {
  if (message !== 'drop') return;
  await service.dataVersion.invalidate();
  process.send?.({ dropped: true });
});
// The store of this process is removed with it.
process.once('SIGTERM', async () => {
  for (const end of endings) await end();
  process.exit();
});
process.send?.({ url });
