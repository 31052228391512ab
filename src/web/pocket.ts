import { type Html, html } from './html.ts';
import { renderPage } from './page.ts';
import { timeOf } from './times.ts';

interface PocketLive {
  pocket: { id: string; name: string; region: string; summary: string };
  atmosphere_latest: null | {
    stress: number;
    calm: number;
    social_energy: number;
    productive: number;
    primary_state: string;
    anomaly_flag: boolean;
    captured_at: string;
  };
  narrations_recent: { timestamp: string; tier: string; body: string }[];
  resonance: null | {
    score: number;
    should_surface: boolean;
    layers: Record<string, { score: number; reasoning: string }>;
  };
}

export const pocketPage = (
  { pocket, atmosphere_latest, narrations_recent, resonance }: PocketLive,
  substrate: string,
): string =>
  renderPage({
    title: pocket.name,
    substrate,
    body: html`
<p>${pocket.summary}, ${pocket.region}.</p>
${atmosphere_latest ? atmosphere(atmosphere_latest) : html`<p>Nothing was observed here in the last day.</p>`}
<h2>Whether to speak</h2>
${resonance ? layers(resonance) : html`<p>No moment is composable now: too little was observed.</p>`}
<h2>What was said lately</h2>
${
  narrations_recent.length
    ? html`<ul>${narrations_recent.map(({ timestamp, body }) => html`<li>${body} ${timeOf(timestamp)}</li>`)}</ul>`
    : html`<p>Nothing.</p>`
}`,
  });

const atmosphere = (read: NonNullable<PocketLive['atmosphere_latest']>): Html => html`
<p><strong>${read.primary_state}</strong> at ${timeOf(read.captured_at)}${read.anomaly_flag ? ', unusual for the hour' : ''}.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">calm</th><th scope="col">stress</th><th scope="col">social energy</th><th scope="col">productive</th></tr></thead>
<tbody><tr><td>${read.calm}</td><td>${read.stress}</td><td>${read.social_energy}</td><td>${read.productive}</td></tr></tbody>
</table></div>`;

const layers = ({ score, should_surface, layers }: NonNullable<PocketLive['resonance']>): Html => html`
<p>Resonance ${score}: ${should_surface ? 'enough to speak' : 'the service stays silent'}.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">layer</th><th scope="col">score</th><th scope="col">because</th></tr></thead>
<tbody>${Object.entries(layers).map(
  ([name, layer]) =>
    html`<tr><td>${name.replaceAll('_', ' ')}</td><td>${layer.score}</td><td>${layer.reasoning}</td></tr>`,
)}</tbody>
</table></div>`;
