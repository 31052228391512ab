import { calmTurn } from '../../domain/atmosphere/calm-text.ts';
import { dimensions as dimensionNames } from '../../domain/decision/equilibrium.ts';
import { noMomentReason, reasonText } from '../../domain/decision/silence-reason.ts';
import { calmKind } from '../parts/calm-kind.ts';
import { count, ofN, scalar, shareOfN, spacedName, stored } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { forecastText, observedText, verdictMark } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { dayChart } from '../parts/pocket-day-chart.ts';
import { bars, facts, table } from '../parts/table.ts';
import { clockTime, dateTime } from '../parts/times.ts';
import { type PocketAnswers as Answers, HOUR_AHEAD, type Prediction } from './pocket-question.ts';

export function pocketPage(site: Site, answers: Answers): string {
  const { pocket_id } = answers.asked;
  const pocket = site.registry.pockets.find(({ id }) => id === pocket_id);
  const name = pocket?.name ?? pocket_id;
  return renderPage(site, {
    title: name,
    about: `${name} now: how it feels, how calm it is likely to be, and whether anything is said of it.`,
    path: `/pocket/${pocket_id}`,
    live: true,
    body: html`
<p class="crumb"><a href="/">the network</a> / ${pocket?.region ?? ''}</p>
<h1>${name}</h1>
<p class="lead">${pocket?.character.summary ?? ''}.</p>
${pocket?.aliases.length ? html`<p class="note aliases">also ${pocket.aliases.join(', ')}</p>` : null}
<div class="columns">
<section class="card" aria-labelledby="moment"><h2 id="moment">the moment</h2>${momentPart(site, answers)}</section>
<section class="card" aria-labelledby="said"><h2 id="said">${isSpeaking(answers) ? 'what is said' : 'why it is silent'}</h2>${saidPart(site, answers)}</section>
</div>
<h2 id="day">a day of atmosphere, and the hours ahead</h2>
${dayChart(answers.day, site.zone)}
${outlookPart(answers)}
<h2 id="resonance">how far everything agrees</h2>
${resonancePart(answers)}
<h2 id="reveals">what was forecast, and what came</h2>
${revealsPart(site, answers)}
<h2 id="equilibrium">did it do the place good</h2>
${equilibriumPart(site, answers)}
<h2 id="intents">for an intent</h2>
<ul class="links">${site.registry.intents
      .filter(({ public_page }) => public_page)
      .map(
        ({ slug, title }) =>
          html`<li><a href="/pocket/${pocket_id}/intent/${slug}">${title.toLowerCase()}</a></li>`,
      )}</ul>
<p class="note">${outletsPart(answers)}<a href="/reports/pocket/${pocket_id}">monthly reports</a> · <a href="/reports/weekly/${pocket_id}">weekly reports</a> · <a href="/api/pocket-live?pocket=${pocket_id}">for machines</a></p>`,
  });
}

function outletsPart({ readiness: { pocket_id, outlet_count, open_now_count } }: Answers): Html | null {
  if (!outlet_count) return null;
  const counted = `${outlet_count} ${outlet_count === 1 ? 'outlet' : 'outlets'} here`;
  return html`<a href="/outlets#${pocket_id}">${counted}</a>, ${open_now_count ?? 'fewer than five'} open now · `;
}

const isSpeaking = ({ silence }: Answers): boolean =>
  'signal_status_code' in silence && silence.signal_status_code === 'ACTIVE_INTERVENTION';

function momentPart(site: Site, answers: Answers): Html {
  const {
    moment,
    story: { story },
  } = answers;
  if ('available' in moment) return html`<p>no moment now: ${whyNoMoment(site, answers)}.</p>`;
  const words = story
    ? [story.why_now, story.why_this_merchant, story.why_users_care, story.why_pocket_benefits]
    : [];
  const turn = calmTurn(moment);
  return html`
<p class="state-line"><span class="swatch ${calmKind(moment.calm_level)}"></span>${moment.primary_state}</p>
${words.length && story ? html`<p class="words">${words.join(' ')}</p><p class="note">written at ${clockTime(story.composed_at, site.zone)}, good until ${clockTime(story.expires_at, site.zone)}.</p>` : null}
${facts([
  ['calm level', stored(moment.calm_level), 'at the last reading'],
  [
    'calm probability',
    stored(moment.calm_probability),
    turn ?? 'of a calm state through the half hour after it',
  ],
  [
    'may hold for',
    `${moment.half_life_minutes} min`,
    html`half-life from the reading, to ${clockTime(moment.expires_at, site.zone)}`,
  ],
  ['friction', scalar(moment.movement_friction)],
  ['fragility', scalar(moment.fragility)],
  ['attention taken', scalar(moment.signal_saturation)],
])}`;
}

/** Forecasts are current only while the pocket is read. */
function whyNoMoment({ registry }: Site, { asked, day }: Answers): string {
  const { expects = [] } = registry.pockets.find(({ id }) => id === asked.pocket_id) ?? {};
  return reasonText[noMomentReason(expects, day.ahead.length > 0)];
}

function saidPart(site: Site, answers: Answers): Html {
  const { silence } = answers;
  const [latest, ...before] = answers.packages.packages;
  const speaking = isSpeaking(answers);
  const quote = latest
    ? html`<blockquote>${latest.experience.composed_text}</blockquote><p class="note">${speaking ? 'said' : 'last said'} ${dateTime(latest.identity.composed_at, site.zone)} · <a href="/explanations/emit:${latest.identity.id}">why it spoke</a></p>`
    : null;
  const reason =
    'justification' in silence
      ? html`<p class="words">${silence.justification}</p><ul class="outlook">${silence.outlook.map((line) => html`<li>${line}</li>`)}</ul>`
      : html`<p>nothing can be said of it without a moment.</p>`;
  return speaking
    ? html`${quote}${reason}${earlier(site, before)}${weekNote(answers)}`
    : html`${reason}${quote ?? html`<p class="note">nothing was said here so far.</p>`}${weekNote(answers)}`;
}

/** Silences of the last week, and apart from them the quarter hours at which nothing was decided. */
function weekNote({ asked, silences }: Answers): Html | null {
  const own = silences.per_pocket.find(({ pocket_id }) => pocket_id === asked.pocket_id);
  if (!own) return null;
  return html`<p class="note">over the last 7 days: ${count(own.count)} <a href="/silence">silences</a> in waking hours; counted apart, ${count(own.already_speaking_count)} quarter hours with a line still live and ${count(own.quiet_hours_count)} from 23:00 to 07:00.</p>`;
}

const earlier = (site: Site, packages: Answers['packages']['packages']): Html | null =>
  packages.length
    ? html`<details><summary>said before</summary><ul>${packages.map(({ identity, experience }) => html`<li>${experience.composed_text} ${dateTime(identity.composed_at, site.zone)}</li>`)}</ul></details>`
    : null;

function resonancePart({ resonance: { resonance } }: Answers): Html {
  if (!resonance) return html`<p>no moment is composable now.</p>`;
  const { score, should_surface, threshold, decay_reason, layers } = resonance;
  return html`
<p>resonance <b>${stored(score)}</b>, the product of seven layers, ${should_surface ? 'enough to be heard' : 'too little to be heard'}: the threshold is ${threshold}. ${decay_reason}.</p>
${bars(
  'the seven layers of resonance',
  Object.entries(layers).map(([name, layer]) => ({
    label: html`${spacedName(name)} <small>${layer.reasoning}</small>`,
    share: layer.score,
    value: scalar(layer.score),
  })),
)}`;
}

function outlookPart({ futures }: Answers): Html | null {
  const outlook = [...futures.horizons, ...futures.sensitivity_factors];
  return outlook.length
    ? html`<ul class="outlook">${outlook.map(({ summary_line }) => html`<li>${summary_line.replaceAll('_', '-')}</li>`)}</ul>`
    : null;
}

function revealsPart(site: Site, { reveals: { entries, stats } }: Answers): Html {
  const scored = stats.by_generator.find(({ generator }) => generator === HOUR_AHEAD);
  return html`
${
  entries.length
    ? html`<p>an hour ahead, over the last day: ${shareOfN(scored?.accuracy ?? null, scored?.n ?? 0)} came true (${ofN(scored?.n ?? 0)}). each is sealed in the <a href="/ledger">ledger</a>; the newest first.</p>${table(
        'forecasts an hour ahead and what came',
        [
          { name: 'for' },
          { name: 'verdict', unseen: true },
          { name: 'forecast' },
          { name: 'came' },
          { name: 'accuracy', figures: true },
          { name: 'sealed as' },
        ],
        entries.map((entry) => revealRow(site, entry)),
      )}`
    : html`<p>no forecast of the last day has come due yet.</p>`
}`;
}

function revealRow(
  site: Site,
  { id, reveal_at, prediction_payload, actual_observation, accuracy_score }: Prediction,
) {
  return {
    cells: [
      clockTime(reveal_at, site.zone),
      verdictMark(accuracy_score === null ? null : accuracy_score >= 0.5),
      forecastText(prediction_payload.forecast),
      observedText(actual_observation),
      scalar(accuracy_score),
      html`<a href="/ledger/${id}">the seal</a>`,
    ],
  };
}

function equilibriumPart(site: Site, { equilibrium }: Answers): Html {
  const { composite, direction, dimensions, reasons, computed_at } = equilibrium;
  if (!computed_at) return html`<p>no equilibrium is read yet: it is unknown.</p>`;
  return html`
<p>equilibrium <b>${scalar(composite)}</b>, ${direction}, read at ${clockTime(computed_at, site.zone)}. it is the mean of what is known of six sides.</p>
${bars(
  'the six sides of equilibrium',
  dimensionNames.map((name) => ({
    label: html`${spacedName(name)} <small>${reasons[name].replace(/ \([\d.]+\)\.$/, '').replace(/\.$/, '')}</small>`,
    share: dimensions[name],
    value: dimensions[name] === null ? html`<span class="soft">unknown</span>` : scalar(dimensions[name]),
  })),
)}`;
}
