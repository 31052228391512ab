// Keeps connections out of private networks: addresses are checked after the name is resolved, and the connection goes
// to what was checked, so that a name that resolves differently a moment later (DNS rebinding) gains nothing.
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { FetchError } from './fetch-error.ts';
import { isPrivateAddress } from './private-address.ts';

/** The addresses of a name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true });

const privateError = (host: string) =>
  new FetchError('forbidden', `${host} is inside a private network; \`allow_private\` would allow it`);

/** A literal address is not looked up, so it is checked before. */
export function checkLiteral(hostname: string, allowPrivate: boolean): void {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) && !allowPrivate && isPrivateAddress(literal)) throw privateError(hostname);
}

/** Resolves once and hands exactly what was checked to the connection. */
export function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (!first) callback(new FetchError('network', `${host} does not resolve`), '');
        else if (!allowPrivate && found.some(({ address }) => isPrivateAddress(address)))
          callback(privateError(host), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}
