import { resolveMx } from 'node:dns/promises';
import type { MailStatus } from '../../domain/report/heartbeat.ts';
import { MINUTE } from '../../domain/time/sgt.ts';

const LONGEST_MS = 2_000;
const CACHE_MS = 10 * MINUTE;

/** Whether the domain has an MX record. Cached for ten minutes; a lookup of more than two seconds counts as unknown. */
export function mailExchange(
  domain: string | undefined,
  now: () => number = Date.now,
  resolve: (domain: string) => Promise<unknown[]> = resolveMx,
): () => Promise<MailStatus> {
  let known: { mail: Promise<MailStatus>; asked: number } | undefined;
  return async () => {
    if (!domain) return 'not configured';
    if (!known || now() - known.asked > CACHE_MS) known = { mail: lookUp(domain, resolve), asked: now() };
    const mail = await known.mail;
    // An unknown result is not cached.
    if (mail === 'unknown') known = undefined;
    return mail;
  };
}

async function lookUp(domain: string, resolve: (domain: string) => Promise<unknown[]>): Promise<MailStatus> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<MailStatus>();
  const timer = setTimeout(() => giveUp('unknown'), LONGEST_MS);
  const found = resolve(domain).then(
    (exchangers): MailStatus => (exchangers.length ? 'found' : 'missing'),
    ({ code }): MailStatus => (code === 'ENODATA' || code === 'ENOTFOUND' ? 'missing' : 'unknown'),
  );
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}
