import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { LedgerFault } from './fault.ts';
import type { FetchBytes } from './source.ts';

const TIMEOUT_MS = 30_000;

/**
 * Reads from the ledger of a service at `base`, or from another folder of it. The service controls how much it sends and how slowly, so both are
 * limited. Uses `node:http`, since a log takes thousands of reads and `fetch` is noticeably slower for each.
 */
export function httpFetch(base: string, folder = 'api/ledger'): FetchBytes {
  const root = `${base.replace(/\/+$/, '')}/${folder}/`;
  const secure = root.startsWith('https:');
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const get = secure ? httpsGet : httpGet;
  return async (path, limit) => {
    try {
      return await new Promise((resolve, reject) => {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const request = get(root + path, { agent, signal }, (response) => {
          bodyOf(response, limit).then(resolve, (error) => {
            request.destroy();
            reject(error);
          });
        });
        request.on('error', reject);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : 'failed';
      throw new LedgerFault('unavailable', `${root}${path}: ${reason}`);
    }
  };
}

async function bodyOf(response: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  if (response.statusCode === 404) {
    response.resume();
    return undefined;
  }
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) reject(new Error(`more than ${limit} bytes`));
      else chunks.push(chunk);
    });
    response.on('end', () => resolve(Buffer.concat(chunks, length)));
    response.on('error', reject);
  });
}
