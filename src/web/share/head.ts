// Lines of a page's <head> for link previews, feed readers, calendars and installing. By the page's path alone, so that
// no page needs to know of them.
import { CARD } from '../drawing/link-card.ts';
import { type Html, html } from '../parts/html.ts';

interface Described {
  title: string;
  about: string;
  path: string | null;
}

/** The pocket that a page is about; undefined for other pages. */
const pagePocket = (path: string | null): string | undefined => /^\/pocket\/([^/]+)/.exec(path ?? '')?.[1];

/** The picture of a page, and what it shows. */
function pageImage(path: string, title: string): { image: string; alt: string } {
  const pocket = pagePocket(path);
  if (pocket !== undefined)
    return { image: `/card/pocket/${pocket}.png`, alt: `${title}: its state and calm level now` };
  const outlet = /^\/outlet\/([^/]+)/.exec(path)?.[1];
  return outlet === undefined
    ? { image: '/card.png', alt: 'pocketwatch' }
    : { image: `/card/outlet/${outlet}.png`, alt: `${title}: where it is and when it is open` };
}

/** For programs and language models. */
const machineLinks: Html = html`<link rel="alternate" type="text/plain" title="The site as text" href="/llms.txt">
<link rel="alternate" type="text/plain" title="The documentation as text" href="/llms-full.txt">
<link rel="service-desc" type="application/json" href="/openapi.json">
<link rel="service-doc" type="text/html" href="/docs">`;

/** Feeds: those of the whole site, and on pages about a pocket its own. */
export function alternateLinks({ path, title }: Described): Html {
  const pocket = pagePocket(path);
  const own =
    pocket === undefined
      ? null
      : html`<link rel="alternate" type="application/rss+xml" title="${title}" href="/pocket/${pocket}/stream.rss">
<link rel="alternate" type="application/rss+xml" title="How forecasts turned out: ${title}" href="/pocket/${pocket}/forecasts.rss">
<link rel="alternate" type="text/calendar" title="Calm windows: ${title}" href="/pocket/${pocket}/calm.ics">
`;
  return html`${own}<link rel="alternate" type="application/rss+xml" title="pocketwatch" href="/stream.rss">
<link rel="alternate" type="application/rss+xml" title="pocketwatch: how forecasts turned out" href="/forecasts.rss">
<link rel="alternate" type="application/feed+json" title="pocketwatch" href="/feed.json">
${machineLinks}`;
}

/** Open Graph (https://ogp.me) and the card of X. An error page has none: nobody should share it. */
export function previewTags(baseUrl: string, { title, about, path }: Described): Html | null {
  if (path === null) return null;
  const { image, alt } = pageImage(path, title);
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="pocketwatch">
<meta property="og:title" content="${path === '/' ? 'pocketwatch' : title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${baseUrl}${path}">
<meta property="og:image" content="${baseUrl}${image}">
<meta property="og:image:width" content="${CARD.width}">
<meta property="og:image:height" content="${CARD.height}">
<meta property="og:image:alt" content="${alt}">
<meta name="twitter:card" content="summary_large_image">`;
}

export const installLinks: Html = html`<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png">`;
