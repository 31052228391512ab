// A calm reader, in a process of its own: GETs at a fixed rate whether or not earlier ones were answered, so that a
// server that stalls is seen by every request that falls into the stall.
import { Agent, get } from 'node:http';

export interface Reading {
  urls: string[];
  /** Requests a second. */
  rate: number;
  seconds: number;
}
export interface Latencies {
  /** Milliseconds from sending to the last byte. */
  all: number[];
  failed: number;
}

const agent = new Agent({ keepAlive: true });
/** Goes on from reading to reading: the first addresses come again when all have been asked. */
let next = 0;

process.on('disconnect', () => process.exit());
process.on('message', async (reading: Reading) => process.send?.(await read(reading)));

async function read({ urls, rate, seconds }: Reading): Promise<Latencies> {
  const total = rate * seconds;
  const began = performance.now();
  const asked: Promise<number | undefined>[] = [];
  while (asked.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * rate));
    while (asked.length < due) asked.push(time(urls[next++ % urls.length] ?? ''));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const timed = await Promise.all(asked);
  const all = timed.filter((ms) => ms !== undefined);
  return { all, failed: timed.length - all.length };
}

function time(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = performance.now();
    const request = get(url, { agent, timeout: 5_000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? performance.now() - sent : undefined));
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined));
  });
}
