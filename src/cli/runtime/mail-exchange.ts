import { resolveMx } from 'node:dns/promises';
import type { MailStatus } from '../../domain/report/heartbeat.ts';
import { MINUTE } from '../../domain/time/slot.ts';

const TIMEOUT_MS = 2_000;
const CACHE_MS = 10 * MINUTE;

/** Whether the domain has an MX record. Cached for ten minutes; a lookup of more than two seconds counts as unknown. */
export function mailExchange(
  domain: string | undefined,
  now: () => number = Date.now,
  resolve: (domain: string) => Promise<unknown[]> = resolveMx,
): () => Promise<MailStatus> {
  let cached: { mail: Promise<MailStatus>; asked: number } | undefined;
  return async () => {
    if (!domain) return 'not configured';
    if (!cached || now() - cached.asked > CACHE_MS) cached = { mail: lookUp(domain, resolve), asked: now() };
    const mail = await cached.mail;
    // An unknown result is not cached.
    if (mail === 'unknown') cached = undefined;
    return mail;
  };
}

async function lookUp(domain: string, resolve: (domain: string) => Promise<unknown[]>): Promise<MailStatus> {
  const { promise: timedOut, resolve: timeOut } = Promise.withResolvers<MailStatus>();
  const timer = setTimeout(() => timeOut('unknown'), TIMEOUT_MS);
  const found = resolve(domain).then(
    (exchangers): MailStatus => (exchangers.length ? 'found' : 'missing'),
    ({ code }): MailStatus => (code === 'ENODATA' || code === 'ENOTFOUND' ? 'missing' : 'unknown'),
  );
  return Promise.race([found, timedOut]).finally(() => clearTimeout(timer));
}
