// Stylesheet, scripts and icon, read from src/web/assets when the process starts.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The address contains a hash of the content, so the file may be cached for ever. */
interface Asset {
  address: string;
  type: string;
  body: string;
}

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const;

/** The parts of the stylesheet, in the order of their rules. */
const styles = [
  'base',
  'frame',
  'text',
  'cards',
  'tables',
  'calm-colours',
  'network',
  'charts',
  'pocket',
  'ledger',
] as const;

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../assets', file), 'utf8');

const assetOf = (name: string, kind: keyof typeof types): Asset =>
  assetFrom(name, kind, read(`${name}.${kind}`));

function assetFrom(name: string, kind: keyof typeof types, body: string): Asset {
  const address = `/assets/${name}.${hash('sha256', body, 'hex').slice(0, 12)}.${kind}`;
  return { address, type: `${types[kind]}; charset=utf-8`, body };
}

/** CSS without comments and line breaks: a page with all it loads stays under 100 KB. */
function minified(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/([{};,:])\s*\n\s*/g, '$1')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

export const assets = {
  style: assetFrom('style', 'css', minified(styles.map((part) => read(`styles/${part}.css`)).join(''))),
  script: assetOf('page', 'js'),
  ledgerScript: assetOf('ledger', 'js'),
  heatMapScript: assetOf('heat-map', 'js'),
  icon: assetOf('icon', 'svg'),
} as const;
