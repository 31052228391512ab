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

function assetOf(name: string, kind: keyof typeof types): Asset {
  const body = readFileSync(join(import.meta.dirname, '../assets', `${name}.${kind}`), 'utf8');
  const address = `/assets/${name}.${hash('sha256', body, 'hex').slice(0, 12)}.${kind}`;
  return { address, type: `${types[kind]}; charset=utf-8`, body };
}

export const assets = {
  style: assetOf('style', 'css'),
  script: assetOf('page', 'js'),
  ledgerScript: assetOf('ledger', 'js'),
  docsScript: assetOf('docs', 'js'),
  icon: assetOf('icon', 'svg'),
} as const;
