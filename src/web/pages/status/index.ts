// The page for operators: whether the service works now, the last 90 days, gaps, feeds and version. It is also served
// while the store cannot be read, with what was last known.
import { durationText } from '../../../domain/text/duration.ts';
import { MINUTE, SLOT } from '../../../domain/time/slot.ts';
import { count, plural } from '../../parts/format.ts';
import { type Html, html, type Piece } from '../../parts/html.ts';
import type { Outage } from '../../parts/outage.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { clockTime, dateTime } from '../../parts/times.ts';
import { assets } from '../../site/assets.ts';
import { checkList } from './checks.ts';
import { feedHealth } from './feeds.ts';
import { incidentList, observedShare } from './history.ts';
import type { StatusAnswers } from './question.ts';

export const statusPage = (site: Site, answers: StatusAnswers): string =>
  renderStatus(site, html`${banner(site, answers)}${stateBody(site, answers)}`);

export const statusOutagePage = (site: Site, outage: Outage): string =>
  renderStatus(site, html`${outageBanner(site, outage)}${lastKnown(site, outage)}`);

const renderStatus = (site: Site, state: Html): string =>
  renderPage(site, {
    title: 'Status',
    about: 'Whether the service works now, and on which of the last 90 days it did.',
    path: '/status',
    live: true,
    scripts: [assets.statusScript.address],
    body: html`<div class="status"><h1>Status</h1>${state}${versionFacts(site)}${rawData}</div>`,
  });

function banner(site: Site, answers: StatusAnswers): Html {
  const { state, words } = statusHeadline(answers);
  const { newest_reading_at, reading_age_minutes } = answers.history;
  return html`<div class="card banner ${state}" role="status" data-now>
<p class="headline">${words}</p>
<p>${
    newest_reading_at === null
      ? 'There is no reading yet.'
      : html`Newest reading: ${dateTime(newest_reading_at, site.zone)}, ${durationText(reading_age_minutes ?? 0)} old. One is due every quarter hour.`
  }</p></div>`;
}

/** The gravest of what is known, as a sentence. */
function statusHeadline({ now, history }: StatusAnswers): { state: string; words: string } {
  const { history_finished, readings_late, reading_age_minutes } = history;
  const failing = now.checks.filter(({ status }) => status === 'red').length;
  const warning = now.checks.filter(({ status }) => status === 'amber').length;
  if (!history_finished) return { state: 'amber', words: 'The first history is being written.' };
  if (reading_age_minutes === null) return { state: 'amber', words: 'No pocket has a reading yet.' };
  if (readings_late)
    return {
      state: reading_age_minutes * MINUTE >= 4 * SLOT ? 'red' : 'amber',
      words: `Readings have stopped: none for ${durationText(reading_age_minutes)}.`,
    };
  if (failing)
    return {
      state: 'red',
      words: `${failing} of ${now.checks.length} checks ${failing === 1 ? 'fails' : 'fail'}.`,
    };
  return warning
    ? { state: 'amber', words: `Observing on time, with ${plural(warning, 'warning')}.` }
    : { state: 'green', words: 'Everything works.' };
}

const stateBody = (site: Site, answers: StatusAnswers): Html => {
  const { history, feeds } = answers;
  return html`
<div data-now>${facts([
    [
      'Lag',
      history.reading_age_minutes === null ? 'not known' : durationText(history.reading_age_minutes),
      html`age of the newest ${term('reading')}`,
    ],
    ['Quarter hours observed, 90 days', observedShare(history.share), ofDue(history)],
    ['Gaps, 90 days', String(history.incident_count)],
    [
      'Observing since',
      history.observing_since === null ? 'not yet' : dateTime(history.observing_since, site.zone),
    ],
  ])}</div>
<h2 id="checks">Checks, <span data-now>now and </span>over the last 90 days</h2>
<p>A bar is a day in ${site.registry.city.name}. ${term('uptime', 'Uptime')} is the share of recorded results that were not failures; a warning is not a failure.</p>
${checkList(answers)}
<h2 id="incidents">Gaps in the record</h2>
${incidentList(site, history)}
<h2 id="feeds">Feeds</h2>
${
  feeds.feeds.length && feeds.note === null
    ? html`<div data-now><p>${feeds.fresh_count} of ${plural(feeds.feeds.length, 'feed')} were read recently.</p>${feedHealth(site, feeds.feeds)}</div>`
    : html`<p>No feed is polled: this city runs on ${feeds.substrate} data.</p>`
}
<p class="note"><a href="/feeds">Publishers, licences and norms</a></p>`;
};

const ofDue = ({ slots_due, slots_run }: StatusAnswers['history']): Piece =>
  slots_due ? `${count(slots_run)} of ${count(slots_due)} due` : 'none has been due yet';

const versionFacts = (site: Site): Html => html`
<h2 id="version">Version</h2>
${facts([
  ['Build', site.process?.version ?? 'not known'],
  ['First ran on this store', dateTime(site.builtAt, site.zone)],
  ...(site.process
    ? [['This process has been running since', dateTime(site.process.started_at, site.zone)] as const]
    : []),
])}`;

const rawData = html`
<h2 id="raw">Raw data</h2>
<ul class="links">
<li><a href="/api/heartbeat">Checks (JSON)</a></li>
<li><a href="/api/check-history">90 days of each check (JSON)</a></li>
<li><a href="/api/status-history">Observed quarter hours and gaps (JSON)</a></li>
<li><a href="/api/feeds">Feeds (JSON)</a></li>
<li><a href="/api/version">Version (JSON)</a></li>
<li><a href="/api/ready">Readiness (JSON)</a></li>
<li><a href="/api/migration-status">Migrations (JSON)</a></li>
</ul>`;

function outageBanner({ zone }: Site, outage: Outage): Html {
  const { configured, since, as_of, newest_reading_at } = outage;
  if (!configured)
    return html`<div class="card banner red" role="status" data-now><p class="headline">No store is configured.</p>
<p>Nothing is observed or kept. Set <code>DATABASE_URL</code>, or leave it out for the embedded store.</p></div>`;
  return html`<div class="card banner red" role="status" data-now>
<p class="headline">The store cannot be read.</p>
<p>It has been unreadable since ${clockTime(since, zone)} (${durationText(minutesBetween(since, as_of))}). Pages with data show an error until it is back.</p>
${
  newest_reading_at === null
    ? null
    : html`<p class="age late">Newest reading when it was last read: ${dateTime(newest_reading_at, zone)}, ${durationText(minutesBetween(newest_reading_at, as_of))} old now.</p>`
}</div>`;
}

function lastKnown(site: Site, { configured, last_known, as_of }: Outage): Html | null {
  if (!configured) return null;
  if (!last_known)
    return html`<p>This process has no earlier state to show: it started while the store was away, or shortly before.</p>`;
  const { answer, at } = last_known;
  return html`<section class="old" aria-label="Last known state">
<p class="age late">What follows is the last known state, from ${dateTime(at, site.zone)}: ${durationText(minutesBetween(at, as_of))} old.</p>
${stateBody(site, answer as StatusAnswers)}</section>`;
}

const minutesBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / MINUTE;
