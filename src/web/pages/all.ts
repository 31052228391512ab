import type { Question } from '../../operations/core/define.ts';
import type { Site } from '../parts/page.ts';
import { aboutPage } from './about.ts';
import { accuracyPage, accuracyQuestion } from './accuracy.ts';
import { benchmarkPage, benchmarkQuestion } from './benchmark.ts';
import { docsPage } from './docs.ts';
import { explanationPage, explanationQuestion } from './explanation.ts';
import { intentPage, intentQuestion } from './intent.ts';
import { entryPage, entryQuestion, ledgerPage, ledgerQuestion } from './ledger.ts';
import { mcpPage } from './mcp.ts';
import { networkPage, networkQuestion } from './network.ts';
import { outletPage, outletQuestion } from './outlet.ts';
import { outletsPage, outletsQuestion } from './outlets.ts';
import { pocketPage } from './pocket.ts';
import { pocketQuestion } from './pocket-question.ts';
import { reportsPage, reportsQuestion } from './reports/index.ts';
import { latestMonthQuestion, monthPage, monthQuestion } from './reports/monthly.ts';
import { latestRestraintQuestion, restraintPage, restraintQuestion } from './reports/restraint.ts';
import { latestWeekQuestion, weekPage, weekQuestion } from './reports/weekly.ts';
import { silencePage, silenceQuestion } from './silence.ts';
import { trustPage, trustQuestion } from './trust.ts';

/** A page shows the answer to a question, asked with the parts of its address and with what of its query it knows. */
export interface DynamicPage {
  path: string;
  question: Question;
  /** The structured half of the answer, as a page. */
  render(site: Site, structured: unknown): string;
}

/** A page that is the same for as long as the process runs. */
export interface StaticPage {
  path: string;
  render(site: Site): string;
}

/** Ties a page to its question: it is drawn from the type of that question's answer, and no other. */
const asked = <Input extends Record<string, unknown>, Answer>(
  path: string,
  question: Question<Input, Answer>,
  render: (site: Site, answer: Answer) => string,
): DynamicPage => ({ path, question, render: (site, structured) => render(site, structured as Answer) });

export const dynamicPages: readonly DynamicPage[] = [
  asked('/', networkQuestion, networkPage),
  asked('/pocket/:pocket_id', pocketQuestion, pocketPage),
  asked('/pocket/:pocket_id/intent/:slug', intentQuestion, intentPage),
  asked('/outlet/:outlet_id', outletQuestion, outletPage),
  asked('/accuracy', accuracyQuestion, accuracyPage),
  asked('/silence', silenceQuestion, silencePage),
  asked('/explanations/:id', explanationQuestion, explanationPage),
  asked('/trust', trustQuestion, trustPage),
  asked('/reports', reportsQuestion, reportsPage),
  asked('/reports/weekly/:pocket_id', latestWeekQuestion, weekPage),
  asked('/reports/weekly/:pocket_id/:week_iso', weekQuestion, weekPage),
  asked('/reports/pocket/:pocket_id', latestMonthQuestion, monthPage),
  asked('/reports/pocket/:pocket_id/:month_iso', monthQuestion, monthPage),
  asked('/reports/restraint', latestRestraintQuestion, restraintPage),
  asked('/reports/restraint/:month_iso', restraintQuestion, restraintPage),
  asked('/benchmark', benchmarkQuestion, benchmarkPage),
  asked('/ledger', ledgerQuestion, ledgerPage),
  asked('/ledger/:id', entryQuestion, entryPage),
  asked('/outlets', outletsQuestion, outletsPage),
];

export const staticPages: readonly StaticPage[] = [
  { path: '/about', render: aboutPage },
  { path: '/docs', render: docsPage },
  { path: '/mcp', render: mcpPage },
];
