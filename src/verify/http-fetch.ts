import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerFault } from './fault.ts';
import { parseJson, valueAt } from './figures/served.ts';
import { ArchivedPart, type FetchBytes, MAX_NOTE } from './source.ts';

const TIMEOUT_MS = 30_000;
/** A service that cannot answer now may say when to come back. It chooses the time, so it is limited. */
const LONGEST_PAUSE_SECONDS = 60;
const ATTEMPTS = 5;

/**
 * The ledger at an address: that of a service, else the files that one has published there. A bucket answers 403 for what
 * is not there, unless whoever asks may list it. An address that cannot be read is taken for that of a service.
 */
export async function findLedger(base: string): Promise<{ fetch: FetchBytes; isStatic: boolean }> {
  const [service, files] = [SERVICE, ''].map((folder) => httpFetch(base, folder, [404, 403]));
  const has = async (fetch: FetchBytes | undefined) => (await fetch?.('checkpoint', MAX_NOTE)) !== undefined;
  const isStatic = await has(service)
    .then(async (isService) => !isService && (await has(files)))
    .catch(() => false);
  return files && isStatic ? { fetch: files, isStatic } : { fetch: httpFetch(base), isStatic: false };
}

const SERVICE = 'api/ledger';

/**
 * Reads from the ledger of a service at `base`, or from another folder of it. The service controls how much it sends and how slowly, so both are
 * limited. Uses `node:http`, since a log takes thousands of reads and `fetch` is noticeably slower for each.
 */
export function httpFetch(base: string, folder = SERVICE, absent: readonly number[] = [404]): FetchBytes {
  const root = [base.replace(/\/+$/, ''), folder, ''].filter((part, i) => part || i > 1).join('/');
  const secure = root.startsWith('https:');
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const get = secure ? httpsGet : httpGet;
  const once = (path: string, limit: number): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const request = get(root + path, { agent, signal }, (response) => {
        readBody(response, limit, absent).then(resolve, (error) => {
          request.destroy();
          reject(error);
        });
      });
      request.on('error', reject);
    });
  return async (path, limit) => {
    for (let attempt = 1; ; attempt++)
      try {
        return await once(path, limit);
      } catch (error) {
        if (error instanceof AskLater && attempt < ATTEMPTS) {
          await delay(1000 * error.seconds);
          continue;
        }
        if (error instanceof ArchivedPart) throw error;
        const reason = error instanceof Error ? error.message || error.name : 'failed';
        throw new LedgerFault('unavailable', `${root}${path}: ${reason}`);
      }
  };
}

/** The service asks for a pause (429), or cannot read its store at the moment (503). */
class AskLater extends Error {
  readonly seconds: number;
  constructor(status: number, body: Uint8Array | undefined) {
    super(`status ${status}`);
    const { retry_in_seconds: told } = Object(body && parseJson(body)) as { retry_in_seconds?: unknown };
    this.seconds = Math.min(LONGEST_PAUSE_SECONDS, Math.max(0, Number(told ?? 1) || 0));
  }
}

const MAX_REFUSAL = 10_000;

async function readBody(
  response: IncomingMessage,
  limit: number,
  absent: readonly number[],
): Promise<Uint8Array | undefined> {
  if (absent.includes(response.statusCode ?? 0)) {
    response.resume();
    return undefined;
  }
  const { statusCode } = response;
  if (statusCode === 429 || statusCode === 503)
    throw new AskLater(statusCode, await readBytes(response, MAX_REFUSAL).catch(() => undefined));
  if (response.statusCode === 410) throw new ArchivedPart(await readPlace(response));
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return readBytes(response, limit);
}

/** Where the service says that an archive is; it is printed, and nothing is read from there unless the caller asks for it. */
async function readPlace(response: IncomingMessage): Promise<string | null> {
  const body = await readBytes(response, MAX_REFUSAL);
  const place = valueAt(parseJson(body), 'archived.place');
  return typeof place === 'string' && /^https?:\/\/[!-~]{1,500}$/.test(place) ? place : null;
}

function readBytes(response: IncomingMessage, limit: number): Promise<Uint8Array> {
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
