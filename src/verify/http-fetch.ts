import { LedgerFault } from './fault.ts';
import type { FetchBytes } from './source.ts';

const TIMEOUT_MS = 30_000;

/** Reads from the ledger of a service at `base`. How much arrives, and how slowly, is the service's to choose. */
export function httpFetch(base: string): FetchBytes {
  const root = `${base.replace(/\/+$/, '')}/api/ledger/`;
  return async (path, limit) => {
    try {
      const response = await fetch(root + path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      return await bodyOf(response, limit);
    } catch (error) {
      throw new LedgerFault('unavailable', `${root}${path}: ${reasonOf(error)}`);
    }
  };
}

async function bodyOf(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new Error(`more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
