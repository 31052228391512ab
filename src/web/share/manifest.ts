// Makes the site installable: the web app manifest, its icons, and the service worker that keeps visited pages.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../parts/page.ts';
import { assets, outageWords, styles } from '../site/assets.ts';

const asset = (file: string): Buffer => readFileSync(join(import.meta.dirname, '../assets', file));

/** The mark of assets/icon.svg as pictures; the maskable one may be cut to a circle of 0.8 of its side. */
export const icons = [
  ...['icon-192', 'icon-512', 'maskable-512', 'apple-touch-icon'].map((name) => ({
    path: `/icons/${name}.png`,
    type: 'image/png',
    bytes: asset(`icons/${name}.png`),
  })),
  { path: '/favicon.ico', type: 'image/x-icon', bytes: asset('icons/favicon.ico') },
];

export const manifestText = ({ registry }: Site): string =>
  JSON.stringify({
    id: '/',
    name: `pocketwatch ${registry.city.name}`,
    short_name: 'pocketwatch',
    description: `How small neighbourhoods of ${registry.city.name} feel now, and when they are likely to be calm.`,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f3ec',
    theme_color: '#f6f3ec',
    icons: [
      { src: assets.icon.address, sizes: 'any', type: 'image/svg+xml' },
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });

const worker = asset('service-worker.js').toString();
const addresses = [assets.script, assets.liveScript, assets.offlineScript, assets.icon].map(
  ({ address }) => address,
);
const { element, source } = styles.page;

/** Its text changes with every asset, so that browsers fetch it as a new version. */
export const serviceWorkerText: string = [
  `const VERSION = ${JSON.stringify(hash('sha256', [worker, source, ...addresses].join('\n'), 'hex').slice(0, 12))};`,
  `const ASSETS = ${JSON.stringify(addresses)};`,
  `const STYLE = ${JSON.stringify({ element: element.markup, source })};`,
  outageWords,
  worker,
].join('\n');
