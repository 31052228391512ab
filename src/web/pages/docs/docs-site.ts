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
}

export function createDocsSite(site: Site, document: ApiDocument, limits: RateLimits): DocsSite {
  const addresses = documentedAddresses(document);
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
  };
}
