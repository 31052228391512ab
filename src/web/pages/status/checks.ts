// The checks of the heartbeat as a list: a plain title beside the name that the API gives each.
import type { CheckStatus } from '../../../domain/report/heartbeat.ts';
import { type Html, html } from '../../parts/html.ts';
import type { StatusAnswers } from './question.ts';

const titles: Record<string, string> = {
  'env_snapshots freshness': 'Newest observation',
  'agent worker': 'Pipeline',
  'gate pass rate': 'Share of decisions to speak',
  'takedown SLA': 'Takedown requests',
  'human reviews backlog': 'Lines that wait for review',
  'inbound MX': 'Mail to the contact address',
  'LTA signals': 'Live feeds',
  'migrations applied': 'Database migrations',
  'stale crons': 'Scheduled jobs',
};

const words: Record<CheckStatus, string> = { green: 'Passing', amber: 'Warning', red: 'Failing' };

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const checkList = (checks: StatusAnswers['now']['checks']): Html => html`
<ul class="checks">${checks.map(
  ({ name, status, value, hint }) => html`<li>
<p class="check"><span class="state ${status}">${words[status]}</span> <b>${titles[name] ?? name}</b> <small>${name}</small></p>
<p>${sentence(value)}.</p>${hint === null ? null : html`<p class="note">What to do: ${hint}.</p>`}
</li>\n`,
)}</ul>`;
