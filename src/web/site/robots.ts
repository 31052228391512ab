// Texts for crawlers and language models: robots.txt and llms.txt.
import {
  bindArguments,
  composeOperations,
  nullWithoutStore,
} from '../../operations/core/compose-operations.ts';
import { type AnswerOf, callableTools } from '../../operations/core/define.ts';
import { getLedgerHistory, ledgerSentence } from '../../operations/prediction/get-ledger-history.ts';
import { dataName, type Site } from '../parts/page.ts';
import { RECOMMENDED_TOOLSET } from './mcp-setups.ts';

/**
 * Every page may be crawled without a query: with one it is the same content searched, filtered, sorted or a page further,
 * which has no end. The API may be asked with a query, since assistants do; but lists are not followed page by page,
 * tables are not downloaded whole, and neither a stream nor a backtest is opened. The longest rule that fits decides.
 */
const crawlRules = [
  'Allow: /',
  'Disallow: /*?',
  'Allow: /api/',
  ...['/*cursor=', '/*before=', '/*offset=', '/*format=csv'].map((pattern) => `Disallow: ${pattern}`),
  'Disallow: /api/stream/live',
  'Disallow: /outlet/*/backtest',
];

export const robotsText = ({ baseUrl }: Pick<Site, 'baseUrl'>): string =>
  ['User-agent: *', ...crawlRules, '', `Sitemap: ${baseUrl}/sitemap.xml`, ''].join('\n');

const llmsQuestion = composeOperations(
  'llms_txt',
  {},
  () => ({
    ledger: nullWithoutStore(bindArguments(getLedgerHistory)),
  }),
  { readsLog: true },
);

/** llms.txt: the site described on one page of text. */
export const llmsText = { path: '/llms.txt', question: llmsQuestion, render: renderLlms };

/** The text is meant to be read whole, in a city of any size. */
const MOST_POCKETS = 100;

/** What an assistant has to know before anything else; llms.txt and llms-full.txt begin with it. */
export const introduction = ({ baseUrl, registry, substrate }: Site): string[] => [
  '# pocketwatch',
  '',
  `> How ${registry.pockets.length} small neighbourhoods ("pockets") of ${registry.city.name} feel now, how they are likely to feel, and whether anything about them is worth saying. ${dataName(substrate)}. Aggregates only: nothing about any person is stored. CC BY-NC-ND 4.0, with attribution.`,
  '',
  `Connect an assistant over MCP at ${baseUrl}/api/mcp?toolset=${RECOMMENDED_TOOLSET}, which lists the tools that visitors need; without toolset= those of the interface are listed. No key, no session.`,
  '',
  `An empty answer is normal and says why; for how much of waking time a line was live is at ${baseUrl}/api/silence. Times are UTC; clock hours and dates are ${registry.city.name} time.`,
  '',
];

function renderLlms(site: Site, { ledger }: AnswerOf<typeof llmsQuestion>): string {
  const { baseUrl, registry, zone, operations } = site;
  const link = (path: string, name: string, about: string) => `- [${name}](${baseUrl}${path}): ${about}`;
  return [
    ...introduction(site),
    ...(ledger
      ? [
          `The ledger of forecasts, lines, silences and submissions: ${ledgerSentence(ledger, zone)} Entries written afterwards have backfilled: true and say nothing about foresight (${baseUrl}/api/ledger/history).`,
          '',
        ]
      : []),
    '## API',
    link(
      '/api/mcp',
      'MCP',
      'JSON-RPC over HTTP; tools, resources (pocket://id, pocketwatch://status, trust, days, offers, glossary and formulas), prompts and completion; no key, no session',
    ),
    link(
      '/docs',
      'API docs',
      'every tool and every REST address with its parameters, fields and a real answer',
    ),
    link('/llms-full.txt', 'llms-full.txt', 'this text with every tool, address, term and formula in full'),
    link('/openapi.json', 'OpenAPI', 'the REST addresses as an OpenAPI document'),
    link(
      '/api/outlets',
      'outlets',
      'the id, name, category and hours of every outlet; ?pocket=, ?category=, ?q=',
    ),
    link(
      '/api/stream/live',
      'live',
      'what is said, which forecasts come due and what is saved, as it happens, as server-sent events; ?pocket=',
    ),
    link('/mcp', 'connect', 'how to connect from common MCP clients'),
    '',
    '## Pages',
    link(
      '/',
      'all pockets now',
      'each pocket with its state, its calm and whether anything is said about it',
    ),
    link('/accuracy', 'accuracy', 'how often sealed forecasts came true, compared with a naive baseline'),
    link(
      '/silence',
      'silence',
      'for how much of waking time a line was live, how often nothing was said, and whether that was right',
    ),
    link('/trust', 'trust', 'every way in which it failed'),
    link('/reports', 'reports', 'weekly and monthly'),
    link('/benchmark', 'benchmark', 'forecasters compared with each other'),
    link(
      '/ledger',
      'ledger',
      'every forecast, line, silence, verdict and submission, with the real time of writing, and its proof',
    ),
    link('/about', 'about', 'what is observed and what never is'),
    link('/glossary', 'glossary', 'every term with its definition'),
    '',
    '## Pockets',
    ...registry.pockets
      .slice(0, MOST_POCKETS)
      .map(({ id, name, character }) => link(`/pocket/${id}`, name, character.summary)),
    ...(registry.pockets.length > MOST_POCKETS
      ? [link('/api/pockets', `all ${registry.pockets.length} pockets`, 'the id, name and place of each')]
      : []),
    '',
    '## Tools',
    ...callableTools(operations).map(({ name, title }) => link(`/docs#${name}`, name, title.toLowerCase())),
    '',
  ].join('\n');
}
