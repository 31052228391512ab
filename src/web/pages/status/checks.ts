// The checks of the heartbeat as a list: a plain title, the name that the API gives it where that says more, what it
// found now, and its last 90 days.
import { type CheckName, type CheckStatus, checkWords } from '../../../domain/report/heartbeat.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { spacedName } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { term } from '../../parts/terms.ts';
import { checkDays, stateKeys } from './check-days.ts';
import type { StatusAnswers } from './question.ts';

/** A plain title, and the term of the glossary that explains it, if there is one. */
const titles: Record<CheckName, readonly [title: string, term?: string]> = {
  'env_snapshots freshness': ['Newest observation', 'snapshot'],
  'agent worker': ['Pipeline'],
  'gate pass rate': ['Share of decisions to speak', 'gate'],
  'takedown SLA': ['Takedown requests', 'takedown'],
  'human reviews backlog': ['Lines that wait for review', 'withheld line'],
  'inbound MX': ['Mail to the contact address'],
  'LTA signals': ['City feeds', 'feed'],
  'migrations applied': ['Database migrations'],
  'stale crons': ['Scheduled jobs'],
};

const words: Record<CheckStatus, string> = { green: 'Passing', amber: 'Warning', red: 'Failing' };

export const checkList = ({ now, checks }: Pick<StatusAnswers, 'now' | 'checks'>): Html => html`
${stateKeys()}
<ul class="checks">${now.checks.map(({ name, status, value, hint }) => {
  const [title, word] = titles[name];
  const history = checks.checks.find((check) => check.name === name);
  return html`<li>
<p class="check"><span class="state ${status}" data-now>${words[status]}</span> <b>${word === undefined ? title : term(word, title)}</b>${sentenceCase(checkWords(name)) === title ? null : html` <small>${checkWords(name)}</small>`}</p>
<p data-now>${sentenceCase(spacedName(value))}.</p>${hint === null ? null : html`<p class="note" data-now>What to do: ${hint}.</p>`}
${history ? checkDays(title, history, checks) : null}
</li>\n`;
})}</ul>`;
