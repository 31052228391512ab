import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { type Html, html } from './html.ts';
import type { Site } from './page.ts';

export const pocketName = ({ registry }: Pick<Site, 'registry'>, id: string): string =>
  findPocket(registry, id)?.name ?? id;

export const pocketLink = (site: Pick<Site, 'registry'>, id: string): Html =>
  html`<a href="/pocket/${id}">${pocketName(site, id)}</a>`;
