// The layout that every page shares: head, navigation, notice and footer.

import type { Registry } from '../../domain/city/city.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Operation } from '../../operations/core/define.ts';
import { alternateLinks, installLinks, previewTags } from '../share/head.ts';
import { assets } from '../site/assets.ts';
import { type Html, html } from './html.ts';

/** Refuses inline code and everything from another origin: text from outside could only show as text. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders = {
  'content-security-policy': policy,
};

/** What every page may use of the service that serves it. */
export interface Site {
  baseUrl: string;
  /** Shown on every page. */
  substrate: string;
  registry: Registry;
  /** The city's time zone, which all times are shown in. */
  zone: Zone;
  operations: readonly Operation[];
  /** When the release was built: the date of change of content that does not depend on readings. */
  builtAt: string;
  /** Shown at the top of every page: the progress of writing the first history. Null once it is complete. */
  readonly notice: string | null;
}

export interface Page {
  title: string;
  /** One sentence, for search engines and link previews. */
  about: string;
  /** Its canonical address; null for an error page, which is shown in place of another page. */
  path: string | null;
  body: Html;
  /** For a page about the present: its script reloads the content when a new reading is due. */
  live?: boolean;
  scripts?: readonly string[];
}

const headerLinks = [
  ['/', 'now'],
  ['/accuracy', 'accuracy'],
  ['/silence', 'silence'],
  ['/trust', 'trust'],
  ['/reports', 'reports'],
  ['/benchmark', 'benchmark'],
  ['/ledger', 'ledger'],
  ['/about', 'about'],
] as const;

const footerLinks = [
  ['/docs', 'how to ask'],
  ['/mcp', 'connect over MCP'],
  ['/outlets', 'outlets'],
  ['/feeds', 'feeds'],
  ['/openapi.json', 'openapi'],
  ['/glossary.md', 'glossary'],
  ['/mcp/STATUS.md', 'status'],
  ['/mcp/CHANGELOG.md', 'changes'],
] as const;

const substrates: Record<string, string> = {
  simulated: 'no sensor stands in these streets. a model of the city makes the signals.',
  replay: 'the signals are of another day, played again.',
  live: 'the signals are measured.',
};

export const renderPage = (site: Pick<Site, 'baseUrl' | 'substrate' | 'notice'>, page: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f3ec" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#111716" media="(prefers-color-scheme: dark)">
<meta name="description" content="${page.about}">
<title>${page.path === '/' ? 'pocketwatch' : `${page.title} · pocketwatch`}</title>
${alternateLinks(page)}
${previewTags(site.baseUrl, page)}
${page.path === null ? null : html`<link rel="canonical" href="${site.baseUrl}${page.path}">`}
<link rel="icon" href="${assets.icon.address}">
${installLinks}
<link rel="stylesheet" href="${assets.style.address}">
<script type="module" src="${assets.script.address}"></script>
<script type="module" src="${assets.offlineScript.address}"></script>
${(page.scripts ?? []).map((address) => html`<script type="module" src="${address}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">skip to the content</a>
<header class="site">
<a class="mark" href="/">pocketwatch</a>
${site.substrate === 'live' ? null : html`<a class="badge" href="/about#substrate">${site.substrate} substrate</a>`}
<nav aria-label="the site">${headerLinks.map(([address, words]) => link(address, words, page.path))}</nav>
</header>
<main id="main" tabindex="-1"${page.live ? html` data-live` : null}>
${site.notice === null ? null : html`<p class="notice" role="status">${site.notice}</p>\n`}${page.body}
</main>
<footer class="site">
<p class="substrate"><strong>substrate: ${site.substrate}.</strong> ${substrates[site.substrate] ?? ''}</p>
<nav aria-label="for machines and the curious">${footerLinks.map(([address, words]) => link(address, words, page.path))}</nav>
<p><a rel="license" href="/LICENSE-CONTENT.md">CC BY-NC-ND 4.0</a>, with attribution. aggregates only: no person is stored.</p>
</footer>
</body>
</html>
`.markup;

/** Marks the link to the page itself, or to the section that the page is in. */
function link(address: string, words: string, path: string | null): Html {
  const within = path?.startsWith(address === '/' ? '/pocket/' : `${address}/`);
  const here = path === address ? html` aria-current="page"` : within ? html` aria-current="true"` : null;
  return html`<a href="${address}"${here}>${words}</a>`;
}
