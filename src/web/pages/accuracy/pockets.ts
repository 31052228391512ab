// The accuracy of each pocket, a hundred at a time: a page of its own, so that the page of accuracy stays light.

import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { getAccuracyReport } from '../../../operations/prediction/get-accuracy-report.ts';
import { html } from '../../parts/html.ts';
import { pocketName } from '../../parts/links.ts';
import { optionLinks } from '../../parts/option-links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { pageOfPockets, pocketPageInput, pocketPager } from '../../parts/pocket-pages.ts';
import { sinceInput, sinceLabels } from './question.ts';
import { groupTable } from './tables.ts';

export const accuracyByPocketQuestion = composeOperations(
  'page_accuracy_pockets',
  { ...sinceInput, ...pocketPageInput },
  ({ since }) => ({ report: bindArguments(getAccuracyReport, { since }) }),
);

const PATH = '/accuracy/pockets';

export function accuracyByPocketPage(
  site: Site,
  { asked, report: { by_pocket } }: AnswerOf<typeof accuracyByPocketQuestion>,
): string {
  const { since } = asked;
  const listed = pageOfPockets(site, by_pocket, ({ pocket_id }) => pocket_id, asked);
  return renderPage(site, {
    title: 'Accuracy by pocket',
    about:
      'How often the sealed forecasts of each pocket came true, compared with simple forecasts of the same outcomes.',
    path: PATH,
    body: html`
<p class="crumb"><a href="/accuracy?since=${since}">Accuracy</a></p>
<h1>Accuracy by pocket</h1>
<p class="lead">Forecasts sealed over ${sinceLabels[since]}. The mark on a bar is the same hour last week.</p>
${optionLinks(PATH, 'since', since, sinceLabels)}
<h2 id="pockets">Pockets</h2>
${pocketPager(site, PATH, 'pockets', asked, listed, { since })}
${groupTable(
  'Accuracy by pocket',
  'Pocket',
  listed.rows.map(({ pocket_id, ...figures }) => [
    html`<a href="/accuracy?pocket_id=${pocket_id}">${pocketName(site, pocket_id)}</a>`,
    figures,
  ]),
)}
<p class="note"><a href="/accuracy#terms">What these figures mean</a> · <a href="/api/accuracy?since=${since}">JSON</a></p>`,
  });
}
