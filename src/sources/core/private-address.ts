// Addresses that a city file must not lead to by itself: those of the machine, of its network, of cloud metadata.
import { BlockList, isIP } from 'node:net';

const ipv4: [net: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared address space of providers (RFC 6598).
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata service of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Documentation (192.0.2, 198.51.100, 203.0.113) and benchmarks: nobody's public address.
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
];
const ipv6: [net: string, prefix: number][] = [
  ['::', 127],
  // Deprecated IPv4-compatible addresses.
  ['::', 96],
  // NAT64: an IPv4 address in another form, whatever it may be.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  // 6to4 and Teredo hold an IPv4 address too.
  ['2002::', 16],
  ['2001::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const blocked = new BlockList();
for (const [net, prefix] of ipv4) blocked.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of ipv6) blocked.addSubnet(net, prefix, 'ipv6');

/** True for every address that is not a public one; an IPv4 address inside IPv6 (::ffff:a.b.c.d) counts as what it is. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.replace(/^\[|\]$/g, '').split('%');
  const family = isIP(plain);
  if (family === 0) return true;
  // A BlockList compares IPv4-mapped addresses with its IPv4 networks.
  return blocked.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
