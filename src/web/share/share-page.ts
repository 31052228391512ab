import { html } from '../parts/html.ts';
import { pageHeaders, renderPage, type Site } from '../parts/page.ts';
import { badgeSvg } from './badge.ts';
import { EMBED_SIZE } from './embed.ts';
import type { PocketView } from './pocket-view.ts';
import { sharePart } from './share-part.ts';

/** It shows the embedded card in a frame of its own. */
export const shareHeaders = {
  'content-security-policy': `${pageHeaders['content-security-policy']}; frame-src 'self'`,
};

export const sharePage = (site: Site, view: PocketView): string => {
  const { pocket_id, name } = view;
  const { width, height } = EMBED_SIZE;
  return renderPage(site, {
    title: `Share ${name}`,
    about: `Snippets to show ${name} on another site: a card, a badge, a calendar of calm windows and a feed.`,
    path: `/share/${pocket_id}`,
    body: html`
<p class="crumb"><a href="/pocket/${pocket_id}">${name}</a></p>
<h1>Share ${name}</h1>
<p class="lead">Show how this place feels now on your own site, or follow it in your calendar or feed reader. Everything updates by itself every quarter hour.</p>
<div class="previews" data-now><iframe src="/embed/pocket/${pocket_id}" title="Preview of the card" width="${width}" height="${height}" loading="lazy"></iframe><div class="scroll" role="region" aria-label="Preview of the badge" tabindex="0">${badgeSvg(view)}</div></div>
<h2 id="snippets">Snippets to copy</h2>
${sharePart(site, pocket_id)}
<p class="note">Free to use under <a rel="license" href="/LICENSE-CONTENT.md">CC BY-NC-ND 4.0</a>: keep the link to this site.</p>`,
  });
};
