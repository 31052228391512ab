// Settings that are lists, with commas between their items.
import proxyAddress from '@fastify/proxy-addr';

export function list(given: string): string[] {
  return given
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

export function origins(given: string): string[] {
  return list(given).map((item) => {
    const at = URL.parse(item);
    if (!at || !/^https?:$/.test(at.protocol) || at.href !== `${at.origin}/`)
      throw new Error(
        `must be addresses without a path, such as https://lab.example, but '${item}' is not one`,
      );
    return at.origin;
  });
}

export function hosts(given: string): string[] {
  return list(given).map((item) => {
    const at = URL.parse(`http://${item}`);
    if (!at || at.host !== item.toLowerCase())
      throw new Error(`must be host names without a port, such as watch.example, but '${item}' is not one`);
    return at.hostname;
  });
}

export function proxies(given: string): string[] {
  const ranges = list(given);
  for (const range of ranges) {
    try {
      proxyAddress.compile([range]);
    } catch {
      throw new Error(`must be addresses or CIDR ranges, but '${range}' is neither`);
    }
  }
  return ranges;
}

/** As RFC 9116 wants them, as URIs. */
export function contacts(given: string): string[] {
  return list(given).map((item) => {
    const contact = /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(item) ? `mailto:${item}` : item;
    if (!/^(?:mailto:[^\s@]+@|https:\/\/|tel:\+?\d)\S*$/.test(contact))
      throw new Error(
        `must be e-mail or https addresses, such as security@watch.example, but '${item}' is neither`,
      );
    return contact;
  });
}
