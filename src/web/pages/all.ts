// The list of pages, with the question that each answers. Routes and tests are loops over it.
import type { Question } from '../../operations/core/define.ts';
import type { Outage } from '../parts/outage.ts';
import type { Site } from '../parts/page.ts';
import { accuracyPage } from './accuracy/index.ts';
import { accuracyByPocketPage, accuracyByPocketQuestion } from './accuracy/pockets.ts';
import { accuracyQuestion } from './accuracy/question.ts';
import { benchmarkPage, benchmarkQuestion } from './benchmark.ts';
import { comparePage, compareQuestion } from './compare.ts';
import { explanationPage, explanationQuestion } from './explanation.ts';
import { homePage } from './home/index.ts';
import { homeQuestion } from './home/question.ts';
import { aboutPage, aboutQuestion } from './info/about.ts';
import { glossaryPage } from './info/glossary.ts';
import { intentPage, intentQuestion } from './intent.ts';
import { entryPage, entryQuestion } from './ledger/entry.ts';
import { ledgerPage } from './ledger/index.ts';
import { ledgerQuestion } from './ledger/question.ts';
import { mcpPage } from './mcp.ts';
import { backtestPage, backtestQuestion } from './outlets/backtest.ts';
import { outletsPage, outletsQuestion } from './outlets/directory.ts';
import { outletPage, outletQuestion } from './outlets/outlet.ts';
import { pocketDayPage } from './pocket/day.ts';
import { evidencePage } from './pocket/evidence.ts';
import { pocketPage } from './pocket/pocket.ts';
import { evidenceQuestion, pocketDayQuestion, pocketQuestion } from './pocket/question.ts';
import { reportsPage, reportsQuestion } from './reports/index.ts';
import { latestMonthQuestion, monthPage, monthQuestion } from './reports/monthly.ts';
import { latestRestraintQuestion, restraintPage, restraintQuestion } from './reports/restraint.ts';
import { latestWeekQuestion, weekPage, weekQuestion } from './reports/weekly.ts';
import { silencePage, silenceQuestion } from './silence.ts';
import { feedsPage, feedsQuestion } from './status/feeds.ts';
import { statusOutagePage, statusPage } from './status/index.ts';
import { statusQuestion } from './status/question.ts';
import { trustPage, trustQuestion } from './trust.ts';

/** Shows the answer to a question. The arguments come from the path and the query; unknown query parameters are ignored. */
export interface DynamicPage {
  path: string;
  question: Question;
  /** `structured` is the structured half of the answer. */
  render(site: Site, structured: unknown): string;
  /** Shown while the store cannot be read. A page without it is an error then. */
  withoutStore?(site: Site, outage: Outage): string;
}

/** Does not change while the process runs, apart from the notice. */
interface StaticPage {
  path: string;
  render(site: Site): string;
}

/** Lets the type check compare what a page renders with the answer of its question. */
const dynamic = <Input extends Record<string, unknown>, Answer>(
  path: string,
  question: Question<Input, Answer>,
  render: (site: Site, answer: Answer) => string,
): DynamicPage => ({ path, question, render: (site, structured) => render(site, structured as Answer) });

export const dynamicPages: readonly DynamicPage[] = [
  dynamic('/', homeQuestion, homePage),
  dynamic('/compare', compareQuestion, comparePage),
  dynamic('/pocket/:pocket_id', pocketQuestion, pocketPage),
  dynamic('/pocket/:pocket_id/evidence', evidenceQuestion, evidencePage),
  dynamic('/pocket/:pocket_id/:date', pocketDayQuestion, pocketDayPage),
  dynamic('/pocket/:pocket_id/intent/:slug', intentQuestion, intentPage),
  dynamic('/outlet/:outlet_id', outletQuestion, outletPage),
  dynamic('/outlet/:outlet_id/backtest', backtestQuestion, backtestPage),
  dynamic('/accuracy', accuracyQuestion, accuracyPage),
  dynamic('/accuracy/pockets', accuracyByPocketQuestion, accuracyByPocketPage),
  dynamic('/silence', silenceQuestion, silencePage),
  dynamic('/explanations/:id', explanationQuestion, explanationPage),
  dynamic('/trust', trustQuestion, trustPage),
  dynamic('/reports', reportsQuestion, reportsPage),
  dynamic('/reports/weekly/:pocket_id', latestWeekQuestion, weekPage),
  dynamic('/reports/weekly/:pocket_id/:week_iso', weekQuestion, weekPage),
  dynamic('/reports/pocket/:pocket_id', latestMonthQuestion, monthPage),
  dynamic('/reports/pocket/:pocket_id/:month_iso', monthQuestion, monthPage),
  dynamic('/reports/restraint', latestRestraintQuestion, restraintPage),
  dynamic('/reports/restraint/:month_iso', restraintQuestion, restraintPage),
  dynamic('/benchmark', benchmarkQuestion, benchmarkPage),
  dynamic('/ledger', ledgerQuestion, ledgerPage),
  dynamic('/ledger/:id', entryQuestion, entryPage),
  dynamic('/outlets', outletsQuestion, outletsPage),
  { ...dynamic('/status', statusQuestion, statusPage), withoutStore: statusOutagePage },
  dynamic('/feeds', feedsQuestion, feedsPage),
  dynamic('/about', aboutQuestion, aboutPage),
];

export const staticPages: readonly StaticPage[] = [
  { path: '/glossary', render: glossaryPage },
  { path: '/mcp', render: mcpPage },
];
