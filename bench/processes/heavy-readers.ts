// Clients that each ask for as much as one request gives, again as soon as they are answered; after a refusal they
// wait as long as it says.
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { leaveCores } from './leave-cores.ts';

export interface HeavyRun {
  /** Addresses to read, one after another. */
  urls: string[];
  clients: number;
}
export interface HeavyResult {
  answered: number;
  refused: number;
  failed: number;
}

const agent = new Agent({ keepAlive: true });
let next = 0;
let end: (() => Promise<HeavyResult>) | undefined;

leaveCores();
process.on('disconnect', () => process.exit());
process.on('message', async (message: HeavyRun | 'stop') => {
  if (message === 'stop') process.send?.(await end?.());
  else {
    end = begin(message);
    process.send?.('started');
  }
});

function begin({ urls, clients: count }: HeavyRun): () => Promise<HeavyResult> {
  const stop = new AbortController();
  const result: HeavyResult = { answered: 0, refused: 0, failed: 0 };
  const readOn = async () => {
    while (!stop.signal.aborted) {
      const { status, retryAfter } = await read(urls[next++ % urls.length] ?? '');
      if (status === 200) result.answered += 1;
      else if (status === 503) result.refused += 1;
      else result.failed += 1;
      if (status !== 200)
        await delay(retryAfter * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const clients = Array.from({ length: count }, readOn);
  return async () => {
    stop.abort();
    await Promise.all(clients);
    return result;
  };
}

const read = (url: string): Promise<{ status: number; retryAfter: number }> =>
  new Promise((resolve) => {
    const request = get(url, { agent, timeout: 30_000 }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.resume();
      response.on('close', () => resolve({ status, retryAfter: Number(headers['retry-after'] ?? 1) }));
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve({ status: 0, retryAfter: 1 }));
  });
