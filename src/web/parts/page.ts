// The layout that every page shares: head, navigation, notice and footer.

import type { Registry } from '../../domain/city/city.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Operation } from '../../operations/core/define.ts';
import { copyScript } from '../share/copyable.ts';
import { alternateLinks, installLinks, previewTags } from '../share/head.ts';
import { assets, type Style, styles } from '../site/assets.ts';
import { type Html, html } from './html.ts';
import { termsNote } from './terms.ts';

/** Refuses inline code, styles but its own, and everything from another origin: text from outside shows as text. */
const policyWith = ({ source }: Style): string =>
  [
    "default-src 'none'",
    `style-src ${source}`,
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Of a page with this style. */
const headersWith = (style: Style) => ({ 'content-security-policy': policyWith(style) });

export const pageHeaders = headersWith(styles.page);
export const docsHeaders = headersWith(styles.docs);

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
  /** Which build answers, and since when this process runs. Absent where heavy answers are rendered. */
  process?: { version: string; started_at: string };
  /** Shown at the top of every page: what is out of order. Null while all is well. */
  readonly notice: string | null;
}

export interface Page {
  title: string;
  /** One sentence, for search engines and link previews. */
  about: string;
  /** Its canonical address; null for an error page, which is shown in place of another page. */
  path: string | null;
  body: Html;
  /**
   * For a page about the present: its script reloads the content when a new reading is due. While there is no answer,
   * what has the attribute data-now is hidden, and data-then is the text in its place (assets/styles/outage.css).
   */
  live?: boolean;
  scripts?: readonly string[];
  /** Where it is not that of most pages. Its headers must allow it. */
  style?: Style;
}

/** For visitors first, then the record, then about the service. */
const headerLinks = [
  ['/', 'Now'],
  ['/compare', 'Compare'],
  ['/outlets', 'Places'],
  ['/accuracy', 'Accuracy'],
  ['/silence', 'Silence'],
  ['/trust', 'Trust'],
  ['/reports', 'Reports'],
  ['/ledger', 'Ledger'],
  ['/docs', 'Developers'],
  ['/about', 'About'],
] as const;

const footerLinks = [
  ['/status', 'Status'],
  ['/glossary', 'Glossary'],
  ['/benchmark', 'Benchmark'],
  ['/mcp', 'Connect over MCP'],
  ['/feeds', 'Feeds'],
  ['/openapi.json', 'OpenAPI'],
  ['/mcp/STATUS.md', 'MCP status'],
  ['/mcp/CHANGELOG.md', 'Changes'],
] as const;

/** Where the data comes from, as the badge and the footer of every page name it. */
const dataNames: Record<string, { name: string; about: string }> = {
  simulated: {
    name: 'Simulated data',
    about: 'There are no sensors in these streets: a model of the city makes the signals.',
  },
  replay: { name: 'Replayed data', about: 'The signals were measured on another day and are played again.' },
  live: { name: 'Live data', about: 'The signals are measured.' },
};

/** Where `substrate` is not one of the known words it is shown as it is. */
const describeData = (substrate: string) =>
  dataNames[substrate] ?? { name: sentenceCase(substrate), about: '' };

/** 'Simulated data', 'Live data' or 'Replayed data'. */
export const dataName = (substrate: string): string => describeData(substrate).name;

/**
 * The first paint waits for the last part of the page, in browsers that know this: a table or list of which only some
 * rows have arrived would change its columns, and move, with the others.
 */
const wholePage = html`<link rel="expect" href="#footer" blocking="render">`;

/** What the layout uses of the site: also known where a page could not be rendered. */
type Shell = Pick<Site, 'baseUrl' | 'substrate' | 'notice' | 'registry' | 'zone'>;

export const renderPage = (site: Shell, page: Page): string =>
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
${wholePage}
${(page.style ?? styles.page).element}
${page.live ? html`<script type="module" src="${assets.liveScript.address}"></script>\n` : null}<script type="module" src="${assets.script.address}"></script>
<script type="module" src="${assets.offlineScript.address}"></script>
${copyScript(page.body)}${(page.scripts ?? []).map((address) => html`<script type="module" src="${address}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site">
<a class="mark" href="/">pocketwatch</a>
${site.substrate === 'live' ? null : html`<a class="badge" href="/about#substrate">${describeData(site.substrate).name}</a>`}
<nav aria-label="Main">${headerLinks.map(([address, words]) => link(address, words, page.path))}</nav>
</header>
<main id="main" tabindex="-1"${page.live ? html` data-live>\n<p class="outage" role="status"></p>` : html`>`}
${site.notice === null ? null : html`<p class="notice" role="status">${sentenceCase(site.notice)}</p>\n`}${page.body}${page.path === '/glossary' ? null : termsNote(page.body)}
</main>
<footer class="site" id="footer">
<p class="substrate"><strong>${describeData(site.substrate).name}.</strong> ${describeData(site.substrate).about}</p>
<nav aria-label="More">${footerLinks.map(([address, words]) => link(address, words, page.path))}</nav>
<p><a rel="license" href="/LICENSE-CONTENT.md">CC BY-NC-ND 4.0</a>, with attribution. Aggregates only: nothing about any person is stored.</p>
${timesNote(site)}
</footer>
</body>
</html>
`.markup;

/**
 * Which zone the times are in. The script adds how far the reader's own clock is from it, by the zone's name. The last
 * line of the page, so that nothing moves then.
 */
function timesNote({ registry, zone }: Shell): Html {
  const name = zone.generalName === 'local time' ? null : ` (${zone.generalName})`;
  return html`<p class="zone" data-zone="${zone.name}">Times are ${registry.city.name} time${name}.</p>`;
}

/** Marks the link to the page itself, or to the section that the page is in. */
function link(address: string, words: string, path: string | null): Html {
  const within = path?.startsWith(address === '/' ? '/pocket/' : `${address}/`);
  const here = path === address ? html` aria-current="page"` : within ? html` aria-current="true"` : null;
  return html`<a href="${address}"${here}>${words}</a>`;
}
