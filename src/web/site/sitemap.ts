// The sitemap: every page that search engines should know.
import type { Registry } from '../../domain/city/city.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getNewestMoment } from '../../operations/pocket/newest-moment.ts';
import { html } from '../parts/html.ts';
import type { Site } from '../parts/page.ts';

type Frequency = 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly';

interface SitemapEntry {
  path: string;
  changefreq: Frequency;
  priority: number;
  /** Its content changes with the readings, not only with a release. */
  live: boolean;
}

const page = (path: string, changefreq: Frequency, priority: number, live = true): SitemapEntry => ({
  ...{ path, changefreq, priority, live },
});

/** The most addresses that a sitemap may have (https://www.sitemaps.org/protocol.html). */
const MOST_ADDRESSES = 50_000;

/**
 * Every page with a permanent subject; single decisions, ledger entries and past reports are left out. In a city of
 * thousands of pockets the last of the list are left out too.
 */
function* listedPages({ pockets, outlets, intents }: Registry): Generator<SitemapEntry> {
  const publicIntents = intents.filter(({ public_page }) => public_page);
  yield* [
    page('/', 'always', 1),
    page('/compare', 'always', 0.5),
    page('/accuracy', 'hourly', 0.8),
    page('/accuracy/pockets', 'hourly', 0.5),
    page('/silence', 'hourly', 0.8),
    page('/trust', 'hourly', 0.8),
    page('/reports', 'weekly', 0.7),
    page('/benchmark', 'hourly', 0.7),
    page('/ledger', 'always', 0.6),
    page('/about', 'monthly', 0.6, false),
    page('/docs', 'monthly', 0.6, false),
    page('/mcp', 'monthly', 0.6, false),
    page('/glossary', 'monthly', 0.5, false),
    page('/outlets', 'monthly', 0.4, false),
    page('/status', 'always', 0.4),
    page('/feeds', 'hourly', 0.4),
  ];
  for (const { id } of pockets) yield page(`/pocket/${id}`, 'always', 0.9);
  for (const { id, active } of outlets) if (active) yield page(`/outlet/${id}`, 'daily', 0.4);
  for (const { id } of pockets)
    for (const { slug } of publicIntents) yield page(`/pocket/${id}/intent/${slug}`, 'hourly', 0.5);
}

const question = composeOperations('sitemap', {}, () => ({ newest: bindArguments(getNewestMoment) }));

export const sitemap = {
  path: '/sitemap.xml',
  question,
  render: (site: Site, { newest: { captured_at } }: AnswerOf<typeof question>): string => {
    const entries = listedPages(site.registry).take(MOST_ADDRESSES);
    const urls = Array.from(
      entries,
      ({ path, changefreq, priority, live }) =>
        html`<url><loc>${site.baseUrl}${path}</loc><lastmod>${(live ? captured_at : null) ?? site.builtAt}</lastmod><changefreq>${changefreq}</changefreq><priority>${priority.toFixed(1)}</priority></url>\n`,
    );
    return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.markup;
  },
};
