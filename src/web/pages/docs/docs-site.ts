// Everything that the pages of /docs are made from: the site, the document and the limits of this service.
import type { Operation } from '../../../operations/core/define.ts';
import type { Site } from '../../parts/page.ts';
import { type ApiDocument, type DocumentedAddress, documentedAddresses } from './api-document.ts';
import { createSearch, type Search } from './search.ts';

/** Requests a minute for each client address, by the name of the limit; 0: none. */
export type RateLimits = Record<'mcp' | 'legitimacy' | 'submit' | 'read', number>;

export interface DocsSite {
  site: Site;
  document: ApiDocument;
  addresses: readonly DocumentedAddress[];
  search: Search;
  limits: RateLimits;
  operationNamed(name: string): Operation | undefined;
  /** The address of an operation, or undefined where it has none. */
  findAddress(operationId: string): DocumentedAddress | undefined;
  /** The group of an operation: also of one without an address. */
  findTag: TagOf;
}

export type TagOf = (operationId: string) => string;

export function createDocsSite(
  site: Site,
  document: ApiDocument,
  limits: RateLimits,
  findTag: TagOf,
): DocsSite {
  const addresses = documentedAddresses(document);
  const byOperation = new Map(
    addresses.flatMap((address) => address.endpoints.map(({ operationId }) => [operationId, address])),
  );
  const operations = new Map(site.operations.map((operation) => [operation.name, operation]));
  let search: Search | undefined;
  return {
    site,
    document,
    addresses,
    limits,
    search: (query) => {
      // The index is made from every field of every answer: only once somebody searches.
      search ??= createSearch(addresses, document);
      return search(query);
    },
    operationNamed: (name) => operations.get(name),
    findAddress: (operationId) => byOperation.get(operationId),
    findTag,
  };
}
