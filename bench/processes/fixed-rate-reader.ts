// Sends GETs at a fixed rate whether or not earlier ones were answered, so that a stall of the server shows in the
// latency of every request that falls into it.
import { Agent, get } from 'node:http';

export interface ReadRun {
  urls: string[];
  /** Requests a second. */
  rate: number;
  seconds: number;
}
export interface ReadResult {
  /** Milliseconds from sending a request to the last byte of its reply. */
  latencies: number[];
  failed: number;
}

const agent = new Agent({ keepAlive: true });
/** Counts on from run to run: a URL is repeated only after all others. */
let next = 0;

process.on('disconnect', () => process.exit());
process.on('message', async (run: ReadRun) => process.send?.(await read(run)));

async function read({ urls, rate, seconds }: ReadRun): Promise<ReadResult> {
  const total = rate * seconds;
  const start = performance.now();
  const requests: Promise<number | undefined>[] = [];
  while (requests.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - start) / 1000) * rate));
    while (requests.length < due) requests.push(timeGet(urls[next++ % urls.length] ?? ''));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const results = await Promise.all(requests);
  const latencies = results.filter((ms) => ms !== undefined);
  return { latencies, failed: results.length - latencies.length };
}

/** Undefined if the request fails. */
function timeGet(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    const request = get(url, { agent, timeout: 5_000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? performance.now() - sentAt : undefined));
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined));
  });
}
