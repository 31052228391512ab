// The servers that an address names: libpq's form with several hosts, which the client for Node does not know.

/** `postgres://`, then user and password, the hosts with their ports, and the rest. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s;
/** The client takes all of these for the strictest, and warns that it may not for ever: it is told the strictest. */
const CHECKED_MODES = ['prefer', 'require', 'verify-ca'];

/** One address for each host, in order; undefined if this is no address of PostgreSQL. */
export function splitHosts(given: string): string[] | undefined {
  const [, start, hosts = '', rest = ''] = ADDRESS.exec(given) ?? [];
  if (start === undefined) return undefined;
  const addresses = hosts.split(',').map((host) => `${start}${host}${rest}`);
  return addresses.every((address) => URL.canParse(address)) ? addresses : undefined;
}

/** The same as the client for Node takes them. */
export const serverAddresses = (given: string): string[] | undefined => splitHosts(given)?.map(forClient);

function forClient(given: string): string {
  const address = new URL(given);
  // Which server is asked is decided by its answer (server-pool.ts).
  address.searchParams.delete('target_session_attrs');
  if (CHECKED_MODES.includes(address.searchParams.get('sslmode') ?? ''))
    address.searchParams.set('sslmode', 'verify-full');
  return address.href;
}
