// Pages that were asked for by another spelling of their address: with slashes at the end, or with capitals in an id.
// Programs ask the API, which never redirects. The address is the visitor's: no part of it may lead to another site.

import type { FastifyReply } from 'fastify';
import type { Registry } from '../../domain/city/city.ts';
import { findOutlet, findPocket } from '../../domain/city/lists/find-entries.ts';
import { readDecisionId } from '../../domain/decision/silence.ts';

/** How long a browser may keep a redirect. */
const CACHE_CONTROL = 'public, max-age=300';

export const redirect = (reply: FastifyReply, address: string) =>
  reply.code(308).headers({ location: address, 'cache-control': CACHE_CONTROL }).send();

/**
 * One slash and then a name: two slashes, or a backslash, would begin the name of another host. So would two slashes with
 * a tab or a line break between them, which browsers leave out.
 */
const isPagePath = (path: string): boolean =>
  /^\/[^/\\]/.test(path) && !/\s/.test(path) && !/^\/(api|\.well-known)(\/|$)/.test(path);

/** The path and query without slashes at the end of the path; undefined if there are none, or if it is no page's. */
export function withoutTrailingSlash(url: string): { path: string; query: string } | undefined {
  const [, path = '', slashes = '', query = ''] = /^([^?]*?)(\/*)(\?.*)?$/s.exec(url) ?? [];
  return slashes !== '' && isPagePath(path) ? { path, query } : undefined;
}

type Parameters = Record<string, string>;

/** The address with each id as it is spelled; undefined if all are. `pattern` is the route's path, such as `/ledger/:id`. */
export function withTrueIds(
  url: string,
  pattern: string,
  given: Parameters,
  registry: Registry,
): string | undefined {
  const spelled = Object.entries(given).map(([name, id]) => [name, trueId(name, id, registry)] as const);
  if (spelled.every(([name, id]) => id === given[name])) return undefined;
  const ids = new Map(spelled);
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids.get(name) ?? ''));
  // A colon of an id may stay as it is in a path.
  return path.replaceAll('%3A', ':') + (/\?.*/s.exec(url)?.[0] ?? '');
}

function trueId(name: string, id: string, registry: Registry): string {
  // All of these ids are in lower case.
  const lower = id.toLowerCase();
  if (name === 'pocket_id') return findPocket(registry, lower)?.id ?? id;
  if (name === 'outlet_id') return findOutlet(registry, lower)?.id ?? id;
  if (name === 'slug') return registry.intents.find(({ slug }) => slug === lower)?.slug ?? id;
  if (name === 'id') return trueEntryId(id);
  return id;
}

/** Ids of entries and decisions are in lower case, but for the time in some of them. */
function trueEntryId(id: string): string {
  const lower = id.toLowerCase().replace(/(-\d{8})t(\d{4})z/, '$1T$2Z');
  const isId = readDecisionId(lower) !== null || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(lower);
  return isId ? lower : id;
}
