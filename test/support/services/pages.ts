// Requests pages as a browser does, extracts their links, and checks what no page may contain.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { Registry } from '../../../src/domain/city/city.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import { assets } from '../../../src/web/site/assets.ts';
import { smallCity } from '../pipeline/small-city.ts';
import { ask, type Reply } from './http-client.ts';

export const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
export const getPage = (address: string): Promise<Reply> => ask(address, { headers: browserHeaders });

/** Text from outside that would run as markup if it were not escaped. */
export const hostileMarkup = `<img src=x onerror="alert(1)"> & '"><script>alert(2)</script>`;

/** A city of these pockets, with that text in every field that an operator can set. */
export function hostileCity(ids: readonly string[]): Registry {
  const registry = smallCity(ids);
  const [pocket, ...pockets] = registry.pockets;
  const [outlet, ...outlets] = registry.outlets.filter(({ active }) => active);
  assert.ok(pocket && outlet);
  return {
    ...registry,
    pockets: [{ ...pocket, name: `Here ${hostileMarkup}`, aliases: [hostileMarkup] }, ...pockets],
    outlets: [{ ...outlet, name: hostileMarkup, unit: hostileMarkup }, ...outlets],
  };
}

/** Where the coast and the places on the map come from: besides calendars the only other sites that a page leads to. */
const { outline, placesCredit } = loadRegistry(cityDir('singapore'));
const attributions = [outline, placesCredit].flatMap((credit) => [credit?.source.url, credit?.licence.url]);

/** Services that subscribe to a calendar for people who follow the link. */
const calendarServices = [
  'https://calendar.google.com/calendar/render?cid=webcal%3A',
  'https://outlook.live.com/calendar/0/addfromweb?url=http',
];

/** The addresses that a page links to; fails on a link to another site. */
export function pageLinks(text: string, page: string): string[] {
  const base = new URL(page).origin;
  const all = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
  return all.flatMap((link) => {
    if (attributions.includes(link) || calendarServices.some((start) => link.startsWith(start))) return [];
    // The scheme by which calendar programs subscribe to an address of this site.
    const { origin, pathname, search, hash } = new URL(link.replace(/^webcal:/, 'http:'), page);
    assert.equal(origin, base, `a link to another site: ${link}`);
    return [`${pathname}${search}${hash}`];
  });
}

/** Checks any page: no inline code, no style but its own, no unescaped text from outside, and the origin of the data is named. */
export function assertSafePage(path: string, { text, headers }: Reply): void {
  assert.match(String(headers['content-type']), /^text\/html/, path);
  const [style = '', rules = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const policy = String(headers['content-security-policy']).replace(
    `'sha256-${hash('sha256', rules, 'base64')}'`,
    'its own',
  );
  assert.match(
    policy,
    path.startsWith('/embed/')
      ? /^default-src 'none'; style-src its own; base-uri 'none'; form-action 'none'; frame-ancestors \*$/
      : /^default-src 'none'; style-src its own; script-src 'self'; img-src 'self' data:;.* frame-ancestors 'none'/,
    path,
  );
  const bare = text.replace(style, '').replace(/"[^"]*"/g, '""');
  assert.ok(path.startsWith('/embed/') || text.includes('Simulated data'), path);
  const faults: [what: string, pattern: RegExp, where: string][] = [
    ['a missing value', /undefined|\[object|NaN|Invalid Date/, text],
    ['an inline script', /<script(?![^>]* src=)/, bare],
    ['an inline style or handler', /<style|<[^>]+ (?:style|on\w+)=/, bare],
    ['unescaped markup', /<img|<script>/, text],
  ];
  for (const [what, pattern, where] of faults) {
    const found = pattern.exec(where);
    assert.equal(found && where.slice(found.index, found.index + 120), null, `${path}: ${what}`);
  }
  assert.equal(text.match(/<h1[ >]/g)?.length, 1, `${path}: one heading`);
}

/** Of a page with the scripts, styles and pictures that it names. */
export function bytesWithAssets(text: string): number {
  const loaded = Object.values(assets).filter(({ address }) => text.includes(address));
  return loaded.reduce((sum, { body }) => sum + Buffer.byteLength(body), Buffer.byteLength(text));
}

/** The text that markup shows. */
export const decodeMarkup = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
