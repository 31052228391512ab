// The page of the feeds: their health, licences and the norms that rest on them. /status shows the health alone.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { listFeeds } from '../../../operations/observation/list-feeds.ts';
import { count, percent, plural, spacedName } from '../../parts/format.ts';
import { type Html, html, type Piece } from '../../parts/html.ts';
import { learningNote } from '../../parts/learning-note.ts';
import { pocketLink } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { figureColumns, table } from '../../parts/table.ts';
import { dateOnly, dateTime, formatDate } from '../../parts/times.ts';

export const feedsQuestion = composeOperations('page_feeds', {}, () => ({
  health: bindArguments(listFeeds),
}));

type Health = AnswerOf<typeof feedsQuestion>['health'];
type Feed = Health['feeds'][number];

export function feedsPage(site: Site, { health }: AnswerOf<typeof feedsQuestion>): string {
  const { feeds, fresh_count, note, norms, as_of } = health;
  return renderPage(site, {
    title: 'Feeds',
    about: 'Where the signals come from, under which licence, and how each feed is doing.',
    path: '/feeds',
    body: html`
<p class="crumb"><a href="/status">Status</a> / Feeds</p>
<h1>Where the signals come from</h1>
<p class="lead">${note !== null ? sentenceCase(note) : html`${fresh_count} of ${plural(feeds.length, 'feed')} were read recently, as of ${dateTime(as_of, site.zone)}.`}</p>
${learningNote(site, health.learning)}
${feeds.length ? html`<h2 id="health">How each is doing</h2>${feedHealth(site, feeds)}${feedTerms(feeds)}` : null}
${norms.length ? normTable(site, norms) : null}
${feedsToFollow}
<p class="note"><a href="/api/feeds">JSON</a> · <a href="/about#substrate">About the signals</a></p>`,
  });
}

/** Somebody who looks for a feed of this service comes here too. */
const feedsToFollow: Html = html`<h2 id="follow">To follow in a feed reader</h2>
<ul class="links"><li><a href="/stream.rss">What is said (RSS)</a></li><li><a href="/feed.json">What is said (JSON Feed)</a></li><li><a href="/forecasts.rss">How forecasts turned out (RSS)</a></li></ul>
<p class="note">Each pocket has feeds and a calendar of its own: its page links to them.</p>`;

/** Also a part of /status. */
export const feedHealth = (site: Site, feeds: readonly Feed[]): Html => html`
${table(
  'How each feed is doing',
  [
    'Feed',
    'Last read',
    'Newest value',
    ...figureColumns('Places', 'Pockets'),
    { name: 'What is wrong', text: true },
    'Requests used',
  ],
  feeds.map((feed) => ({
    cells: [
      feed.title,
      time(feed.last_success_at, site),
      newest(feed, site),
      count(feed.places),
      html`${count(feed.pockets.length)} <small>${percent(feed.share_of_pockets)}</small>`,
      problems(feed),
      budget(feed),
    ],
  })),
)}
<p class="note">Places are the stations, counters or car parks that are used. The time of the newest value is the one that the feed states. Rows that break a rule are left out and counted.</p>`;

const feedTerms = (feeds: readonly Feed[]): Html => html`
<h2 id="terms">Publishers and licences</h2>
${table(
  'Publishers and licences of the feeds',
  [
    'Feed',
    { name: 'Publisher', text: true },
    { name: 'Licence', text: true },
    { name: 'Attribution', text: true },
  ],
  feeds.map(({ title, publisher, licence, attribution }) => ({
    cells: [title, publisher, licence, attribution],
  })),
)}`;

const time = (at: string | null, { zone }: Site): Piece => (at === null ? 'Never' : dateTime(at, zone));

/** Some feeds give values without a time. */
const newest = ({ newest_observed_at, last_success_at }: Feed, site: Site): Piece =>
  newest_observed_at === null && last_success_at !== null ? 'Not stated' : time(newest_observed_at, site);

function problems({
  fresh,
  consecutive_failures,
  last_error,
  breaker,
  faults,
  excluded_sensors: excluded,
}: Feed): string {
  const left = Object.entries(faults).map(([rule, n]) => `${spacedName(rule)} ${count(n)}`);
  const found = [
    ...(consecutive_failures ? [`${plural(consecutive_failures, 'failure')} in a row`] : []),
    ...(last_error === null ? [] : [last_error]),
    ...(breaker === 'open' ? ['left alone for a while'] : []),
    ...(left.length ? [`rows left out: ${left.join(', ')}`] : []),
    ...(excluded.length
      ? [
          `${plural(excluded.length, 'place')} usually as full at night as by day, and so not a crowd: ${firstFew(excluded)}`,
        ]
      : []),
  ];
  return sentenceCase(found.join('; ')) || (fresh ? 'Nothing' : 'Not read recently');
}

/** The first few of a list. */
const firstFew = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ');

const budget = ({ budget: { limit, per_seconds, used } }: Feed): string =>
  limit === null
    ? `${count(used)} in the last hour`
    : `${count(used)} of ${count(limit)} in ${per_seconds} s`;

const normTable = (site: Site, norms: Health['norms']): Html => html`
<h2 id="norms">When it is known what is usual</h2>
<p>A pocket is compared with its own last two weeks: until then forecasts are wide, and little is said.</p>
${table(
  'The day on which the norms of each pocket are ready',
  ['Pocket', 'First reading', 'Ready on'],
  norms.map(({ pocket_id, first_reading_at, norm_ready_on }) => ({
    cells: [
      pocketLink(site, pocket_id),
      first_reading_at === null ? 'None yet' : dateOnly(first_reading_at, site.zone),
      norm_ready_on === null ? 'Not known' : formatDate(norm_ready_on),
    ],
  })),
)}`;
