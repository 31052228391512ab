// "Share": snippets to copy that show a pocket on another site, and the addresses of its feeds.

import { type Html, html } from '../parts/html.ts';
import { pocketName } from '../parts/links.ts';
import type { Site } from '../parts/page.ts';
import { calendarLinks } from './calendar-links.ts';
import { copyButton } from './copyable.ts';
import { EMBED_SIZE } from './embed.ts';

/** For any page about a pocket. */
export function sharePart(site: Pick<Site, 'baseUrl' | 'registry'>, pocket_id: string): Html {
  const { baseUrl } = site;
  const name = pocketName(site, pocket_id);
  const page = `${baseUrl}/pocket/${pocket_id}`;
  const badge = `${baseUrl}/badge/pocket/${pocket_id}.svg`;
  const { width, height } = EMBED_SIZE;
  const card = html`<iframe src="${baseUrl}/embed/pocket/${pocket_id}" title="${name} now, by pocketwatch" width="${width}" height="${height}" loading="lazy" style="border:0"></iframe>`;
  const image = html`<a href="${page}"><img src="${badge}" alt="${name} now, by pocketwatch"></a>`;
  const markdown = `[![${markdownText(name)} now, by pocketwatch](${badge})](${page})`;
  return html`
${snippet('share-card', 'Card, as HTML', card.markup, 'Add ?theme=light or ?theme=dark to the address to fix its colours.')}
${snippet('share-badge', 'Badge, as HTML', image.markup)}
${snippet('share-markdown', 'Badge, as Markdown', markdown)}
${snippet('share-calendar', 'Calendar of calm windows, to subscribe to', `${page}/calm.ics`, 'Forecasts for about three hours, then what is usual; each event says which.')}
<ul class="links">${calendarLinks(baseUrl, pocket_id).map(({ words, address }) => html`<li><a href="${address}">${words}</a></li>`)}<li><a href="/pocket/${pocket_id}/calm.ics">Download the calendar</a></li></ul>
${snippet('share-feed', 'Feed of what is said', `${page}/stream.rss`)}
${snippet('share-forecasts', 'Feed of how forecasts turned out', `${page}/forecasts.rss`)}
<p class="note"><a href="/embed/pocket/${pocket_id}">See the card</a> · <a href="/badge/pocket/${pocket_id}.svg">See the badge</a> · <a href="/pocket/${pocket_id}/stream.rss">What is said (RSS)</a> · <a href="/pocket/${pocket_id}/forecasts.rss">How forecasts turned out (RSS)</a> · <a href="/card/pocket/${pocket_id}.png">Picture for links</a></p>`;
}

const snippet = (id: string, label: string, text: string, note?: string): Html =>
  html`<div class="snippet"><label for="${id}">${label}</label><textarea id="${id}" readonly rows="${text.length > 90 ? 3 : 2}" spellcheck="false">${text}</textarea>${copyButton(label)}${note ? html`<small>${note}</small>` : null}</div>`;

/** Characters that end a link text or start markup in Markdown. */
const markdownText = (text: string): string =>
  text.replaceAll(/[\\[\]`*_<>!]/g, (character) => `\\${character}`);
