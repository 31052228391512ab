// The card of a pocket that other sites show in a frame: one small page without scripts.

import { sentenceCase } from '../../domain/text/sentence-case.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { clockFrom, windowWords } from '../../operations/visit/visit-words.ts';
import { type Html, html } from '../parts/html.ts';
import type { Site } from '../parts/page.ts';
import { styles } from '../site/assets.ts';
import type { CalmCalendar } from './ical.ts';
import type { PocketView } from './pocket-view.ts';

export const embedThemes = ['auto', 'light', 'dark'] as const;
export type EmbedTheme = (typeof embedThemes)[number];

/** The size that the snippets give the frame, in CSS pixels. */
export const EMBED_SIZE = { width: 320, height: 260 } as const;

/** Any site may show this page in a frame; it runs no script and loads nothing. */
export const embedHeaders = {
  'content-security-policy': `default-src 'none'; style-src ${styles.embed.source}; base-uri 'none'; form-action 'none'; frame-ancestors *`,
};

export function embedPage(
  site: Site,
  view: PocketView,
  { windows, as_of }: CalmCalendar,
  theme: EmbedTheme,
): string {
  const { pocket_id, name, state, calm, kind, read, dataLabel } = view;
  const next = nextWords(windows, as_of, site.zone);
  const address = `${site.baseUrl}/pocket/${pocket_id}`;
  return card(
    theme,
    html`<title>${name} now · pocketwatch</title>
<link rel="canonical" href="${address}">`,
    html`
<h1><a href="${address}" target="_blank" rel="noopener">${name}</a></h1>
<p class="state">${state}</p>
${calm ? meter(calm, kind) : null}
${next ? html`<p class="next">${next}</p>` : null}
<p class="from">${read && `Read at ${read.clock}, ${read.day}. `}${dataLabel && `${dataLabel}, `}<a href="${site.baseUrl}/" target="_blank" rel="noopener">pocketwatch</a></p>`,
  );
}

/** In place of the card while it cannot be shown: a page that refuses frames would be an empty box on the other site. */
export const embedErrorPage = ({ baseUrl }: Pick<Site, 'baseUrl'>, heading: string): string =>
  card(
    'auto',
    html`<title>${heading} · pocketwatch</title>`,
    html`
<h1><a href="${baseUrl}/" target="_blank" rel="noopener">pocketwatch</a></h1>
<p class="state">${heading}</p>`,
  );

const card = (theme: EmbedTheme, head: Html, content: Html): string =>
  html`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${head}
${styles.embed.element}
</head>
<body>
<main>${content}
</main>
</body>
</html>
`.markup;

const meter = ({ level, label }: { level: number; label: string }, kind: string): Html =>
  html`<svg class="meter ${kind}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="fill" width="${100 * level}" height="6"/></svg><p class="figure">${sentenceCase(label)}</p>`;

/** Null for the window that is open, whose end stands with the chance; the day of a usual one is named. */
export function nextWords(windows: CalmCalendar['windows'], as_of: string, zone: Zone): string | null {
  const next = windows.find(({ starts_at }) => starts_at > as_of);
  return next ? sentenceCase(windowWords(next, clockFrom(as_of, zone))) : null;
}
