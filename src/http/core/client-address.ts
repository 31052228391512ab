// Client addresses as limits count them.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

/** Whether an address is one of the proxies whose X-Forwarded-For is believed. */
export type IsTrusted = (address: string) => boolean;

export function trustIn(proxies: readonly string[]): IsTrusted {
  if (!proxies.length) return () => false;
  const trust = proxyAddress.compile([...proxies]);
  return (address) => trust(address, 0);
}

/** A client's address: that of the socket, or the one that trusted proxies report in X-Forwarded-For. */
export function addressReader(proxies: readonly string[]): (request: IncomingMessage) => string {
  if (!proxies.length) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyAddress.compile([...proxies]);
  return (request) => proxyAddress(request, trust);
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, since one client usually has all of it. */
export function limitKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const missing = address.includes('::') ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
