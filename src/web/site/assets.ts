// Stylesheets, scripts and icon, read from src/web/assets when the process starts.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as labelPlacement from '../charts/label-placement.ts';
import { Html } from '../parts/html.ts';

/** The address contains a hash of the content, so the file may be cached for ever. */
interface Asset {
  address: string;
  type: string;
  body: string;
}

const types = { js: 'text/javascript', svg: 'image/svg+xml' } as const;

/** The parts of the stylesheet of pages, in the order of their rules. */
const pageStyles = [
  'base',
  'frame',
  'text',
  'terms',
  'cards',
  'tables',
  'calm-colours',
  'home',
  'map',
  'charts',
  'pocket',
  'heat-map',
  'forms',
  'ledger',
  'record',
  'status',
  'outlets',
  'share',
  'widths',
  'outage',
] as const;

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../assets', file), 'utf8');

const readAsset = (name: string, kind: keyof typeof types): Asset =>
  assetFrom(name, kind, read(`${name}.${kind}`));

function assetFrom(name: string, kind: keyof typeof types, body: string): Asset {
  const address = `/assets/${name}.${hash('sha256', body, 'hex').slice(0, 12)}.${kind}`;
  return { address, type: `${types[kind]}; charset=utf-8`, body };
}

/** Without indentation and comments of one line, which are a third of what every visitor loads. No string spans lines. */
const lean = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|\/\*.*\*\/$)/.test(line))
    .join('\n');

/**
 * Several scripts as one, which run in this order at each event of the map; names of one do not reach another. No string
 * of theirs has spaces beside the marks whose spaces are left out.
 */
const inBlocks = (...names: string[]): string =>
  names
    .map((name) => `{\n${lean(read(`${name}.js`)).replaceAll(/\s*([=<>&|?:,;])\s*/g, '$1')}\n}`)
    .join('\n');

/**
 * What a module exports, as a script: the functions that run here, without the spaces that stand for their types and
 * those that JavaScript does not need. No string of such a module has such marks.
 */
export const moduleScript = (module: object): string =>
  lean(
    Object.entries(module)
      .map(
        ([name, value]) => `const ${name} = ${typeof value === 'function' ? value : JSON.stringify(value)};`,
      )
      .join('\n'),
  )
    .replaceAll(/\s*([=<>&|?:,;{}()*%])\s*/g, '$1')
    .replaceAll(/ {2,}/g, ' ');

/** The same of rules, on one line and without the spaces that CSS does not need. No string of a style has such marks. */
export const leanRules = (text: string): string =>
  lean(text)
    .replaceAll(/\s*([{};,])\s*/g, '$1')
    .replaceAll(/:\s+/g, ':')
    .replaceAll(';}', '}')
    .replaceAll('\n', ' ');

const leanScript = (name: string): Asset => assetFrom(name, 'js', lean(read(`${name}.js`)));

/** Also before the service worker, which tells of an outage in the same words. */
export const outageWords: string = lean(read('outage-words.js'));

export const assets = {
  script: leanScript('page'),
  liveScript: assetFrom('live', 'js', [outageWords, lean(read('live.js'))].join('\n')),
  homeScript: leanScript('home'),
  mapScript: leanScript('map'),
  mapLabelsScript: assetFrom(
    'map-labels',
    'js',
    [moduleScript(labelPlacement), inBlocks('map-marks', 'map-labels', 'map-places')].join('\n'),
  ),
  ledgerScript: readAsset('ledger', 'js'),
  docsScript: leanScript('docs'),
  heatMapScript: leanScript('heat-map'),
  statusScript: leanScript('status'),
  offlineScript: readAsset('offline', 'js'),
  copyScript: leanScript('copy'),
  icon: readAsset('icon', 'svg'),
} as const;

/**
 * A stylesheet within its page, so that the first paint waits for one reply and not for two. The content security
 * policy allows it by its hash, and no other.
 */
export interface Style {
  element: Html;
  source: string;
}

function styleFrom(parts: readonly string[]): Style {
  const rules = leanRules(parts.map((part) => read(`styles/${part}.css`)).join(''));
  return {
    element: new Html(`<style>${rules}</style>`),
    source: `'sha256-${hash('sha256', rules, 'base64')}'`,
  };
}

/** /docs has no charts and no map, and lists so much that their rules would be too much for it. */
const docsStyles = [
  'base',
  'frame',
  'text',
  'terms',
  'cards',
  'forms',
  'docs',
  'share',
  'widths',
  'outage',
] as const;

export const styles = {
  page: styleFrom(pageStyles),
  docs: styleFrom(docsStyles),
  embed: styleFrom(['base', 'embed']),
} as const;
