// Settings that are one value with a form of its own.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LEAST_KEPT_DAYS } from './domain/signals/retention.ts';
import { serverAddresses } from './store/engine/servers/addresses.ts';

export function databaseUrl(given: string): string {
  if (given !== 'none' && !serverAddresses(given)) throw new Error("must be a postgres:// address or 'none'");
  return given;
}

/** Several replicas lag differently: an answer would be made of rows of several times. */
export function replicaUrl(given: string): string {
  if (serverAddresses(given)?.length !== 1) throw new Error('must be a postgres:// address of one server');
  return given;
}

/** Longer than any city will be watched. */
const MOST_KEPT_DAYS = 36_500;

export function keptDays(given: string): number | 'forever' {
  if (given === 'forever') return given;
  const days = Number(given);
  if (!/^\d+$/.test(given) || days < LEAST_KEPT_DAYS || days > MOST_KEPT_DAYS)
    throw new Error(
      `must be 'forever' or an integer ${LEAST_KEPT_DAYS}-${MOST_KEPT_DAYS}: reports and answers look back that far`,
    );
  return days;
}

export function domain(given: string): string {
  if (!/^([a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i.test(given)) throw new Error('must be a domain name');
  return given;
}

/** Bytes of a public key; of P-384 in its compressed form. */
const registryKeyBytes: Record<string, number> = { ed25519: 32, ecdsap384: 49 };

export function registryProof(given: string): string {
  const [, kind = '', key = ''] = /^v=MCPv1; k=(\w+); p=([A-Za-z\d+/]+={0,2})$/.exec(given) ?? [];
  const bytes = registryKeyBytes[kind];
  if (bytes === undefined)
    throw new Error(
      'must be v=MCPv1; k=ed25519; p=KEY, with the public key in base64 and one space after each semicolon',
    );
  if (Buffer.from(key, 'base64').length !== bytes)
    throw new Error(`must have a public key of ${bytes} bytes in base64 after p=`);
  return given;
}

export function origin(given: string): string {
  if (!/^[^\s+]{1,100}$/u.test(given)) throw new Error('must be a name without spaces or plus signs');
  return given;
}

/** Where the ledger is published besides the database, which always has it. */
export type LedgerPlace =
  | { kind: 'database' }
  | { kind: 'folder'; path: string }
  | { kind: 'bucket'; bucket: string; prefix: string };

export function ledgerPlace(given: string): LedgerPlace {
  if (given === 'database') return { kind: 'database' };
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]+):(.*)$/i.exec(given) ?? [];
  if (scheme === undefined) return { kind: 'folder', path: resolve(given) };
  if (scheme === 'file')
    return { kind: 'folder', path: rest.startsWith('//') ? fileURLToPath(given) : resolve(rest) };
  // A prefix of other characters would be signed in one spelling and sent in another by some clients.
  const [, bucket, prefix = ''] =
    /^\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*)?\/?)?$/.exec(rest) ?? [];
  if (scheme !== 's3' || bucket === undefined || /(^|\/)\.{1,2}(\/|$)/.test(prefix))
    throw new Error('must be database, a folder, file:FOLDER or s3://BUCKET/PREFIX');
  return { kind: 'bucket', bucket, prefix };
}

export function integer(low: number, high: number) {
  return (given: string): number => {
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < low || value > high)
      throw new Error(`must be an integer ${low}-${high}`);
    return value;
  };
}

export function url(given: string): string {
  if (!URL.canParse(given) || !/^https?:/.test(given)) throw new Error('must be an http or https address');
  return given.replace(/\/+$/, '');
}
