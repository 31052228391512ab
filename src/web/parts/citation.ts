// How to cite a page of the record: as text and as BibTeX, with the date of the data.
import { copyable } from '../share/copyable.ts';
import { type Html, html } from './html.ts';
import type { Site } from './page.ts';

type CitedSite = Pick<Site, 'baseUrl' | 'substrate'> & { registry: { city: { name: string } } };

interface Cited {
  /** What the page is about, without the city. */
  title: string;
  path: string;
  /** 'YYYY-MM-DD': the day of the newest figure; null where there is none yet. */
  date: string | null;
}

const LICENCE = 'CC BY-NC-ND 4.0';

const citedTitle = ({ registry }: CitedSite, { title }: Cited): string => `${title}, ${registry.city.name}`;

export function citationText(site: CitedSite, cited: Cited): string {
  const { date, path } = cited;
  const year = date === null ? 'no date' : date.slice(0, 4);
  const as = date === null ? '' : ` Data as of ${date}.`;
  return `pocketwatch (${year}). ${citedTitle(site, cited)}. ${dataWords(site)}.${as} ${site.baseUrl}${path}. ${LICENCE}.`;
}

export function citationBibtex(site: CitedSite, cited: Cited): string {
  const { date, path } = cited;
  const key = ['pocketwatch', path.slice(1), date?.replaceAll('-', '')].filter(Boolean).join('-');
  const fields: [name: string, value: string][] = [
    ['author', '{pocketwatch}'],
    ['title', texText(citedTitle(site, cited))],
    ...(date === null ? [] : [['year', date.slice(0, 4)] as [string, string]]),
    ['howpublished', `\\url{${site.baseUrl}${path}}`],
    [
      'note',
      texText([dataWords(site), ...(date === null ? [] : [`data as of ${date}`]), LICENCE].join('; ')),
    ],
  ];
  const lines = fields.map(([name, value]) => `  ${name} = {${value}}`);
  return `@misc{${key},\n${lines.join(',\n')}\n}`;
}

const dataWords = ({ substrate }: CitedSite): string =>
  substrate === 'live' ? 'Measured data' : `${substrate === 'replay' ? 'Replayed' : 'Simulated'} data`;

/** A city's name is the operator's text: what TeX would read as a command is escaped or dropped. */
const texText = (text: string): string =>
  text.replaceAll(/[{}\\~^]/g, '').replaceAll(/[&%$#_]/g, (character) => `\\${character}`);

export const citationPart = (site: CitedSite, cited: Cited): Html => html`
<h2 id="cite">How to cite</h2>
<p>${citationText(site, cited)}</p>
${copyable(citationBibtex(site, cited), 'BibTeX entry')}`;
