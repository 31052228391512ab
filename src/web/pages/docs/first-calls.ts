// The five calls that most people need (docs/questions.md), each with a program in three languages and a real answer.

import type { Registry } from '../../../domain/city/city.ts';
import { type Html, html } from '../../parts/html.ts';
import { copyable } from '../../share/copyable.ts';
import type { Example } from './address-page.ts';
import { addressFor, curlCommand, javascriptProgram, pythonProgram, type Reading } from './commands.ts';
import type { DocsSite } from './docs-site.ts';
import { pick } from './pick.ts';
import { shorten } from './shorten.ts';

export interface FirstCall {
  /** The anchor of its section. */
  id: string;
  title: string;
  about: Html;
  operationId: string;
  /** Parameters of the path and the query; one of the path that is left out is an id that exists. */
  values: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The fields of the answer that are shown: those that answer the question. */
  fields: readonly string[];
  javascript: Reading;
  python: Reading;
}

/** The hour of the day in the question about a time. */
const HOUR = 15;

export function firstCalls({ pockets }: Pick<Registry, 'pockets'>): FirstCall[] {
  const [{ id, name } = { id: '', name: '' }] = pockets;
  return [
    {
      id: 'calm-now',
      title: 'Where is it calm now?',
      about: html`The likeliest first. <code>calm_probability</code> is the chance of a calm state, <code>window.ends_at</code> how long it is likely to last.`,
      operationId: 'list_calm_windows',
      values: { limit: 3 },
      fields: ['captured_at', 'pockets.name', 'pockets.calm_probability', 'pockets.window.ends_at'],
      javascript: {
        lines: [
          'for (const pocket of answer.pockets)',
          '  console.log(pocket.name, pocket.calm_probability);',
        ],
      },
      python: {
        lines: ['for pocket in answer["pockets"]:', '    print(pocket["name"], pocket["calm_probability"])'],
      },
    },
    {
      id: 'calm-at',
      title: `Will ${name} be calm at ${HOUR}:00?`,
      about: html`The next time that hour comes, or on a day within a week with <code>day=YYYY-MM-DD</code>. <code>basis</code> tells a sealed forecast from what is usual; <code>expected</code> is null where neither is known.`,
      operationId: 'list_calm_windows',
      values: { pockets: id, at: HOUR },
      fields: ['at', 'pockets.name', 'pockets.expected', 'pockets.next_window'],
      javascript: {
        lines: ['const [pocket] = answer.pockets;', 'console.log(answer.at, pocket.name, pocket.expected);'],
      },
      python: {
        lines: ['pocket = answer["pockets"][0]', 'print(answer["at"], pocket["name"], pocket["expected"])'],
      },
    },
    {
      id: 'notify',
      title: 'May I notify somebody?',
      about: html`Ask before you send anything. <code>recommendation</code> is about your action, <code>service_would_speak</code> is what the service does itself.`,
      operationId: 'score_legitimacy',
      values: {},
      body: { pocket_id: id, candidate_action: 'offer a free table', channel: 'push' },
      fields: ['recommendation', 'legitimacy_score', 'service_would_speak', 'reasoning'],
      javascript: { lines: ['console.log(answer.recommendation, answer.reasoning);'] },
      python: { lines: ['print(answer["recommendation"], answer["reasoning"])'] },
    },
    {
      id: 'how-right',
      title: 'How right were you?',
      about: html`Of the last seven days: <code>headline</code> counts the confident forecasts, <code>all_forecasts</code> every one, each compared with a naive baseline on the same rows.`,
      operationId: 'get_accuracy_report',
      values: { since: '7d' },
      fields: [
        ...['window', 'headline', 'baseline'],
        ...['all_forecasts.accuracy', 'all_forecasts.baseline', 'all_forecasts.n'],
      ],
      javascript: {
        lines: [
          'const { overall_accuracy, revealed_count } = answer.headline;',
          'console.log(overall_accuracy, revealed_count, answer.baseline.baseline_accuracy);',
        ],
      },
      python: {
        lines: [
          'headline = answer["headline"]',
          'print(headline["overall_accuracy"], headline["revealed_count"], answer["baseline"]["baseline_accuracy"])',
        ],
      },
    },
    {
      id: 'verify',
      title: 'Can I check it without trusting you?',
      about: html`A forecast as it was sealed, with its place in the log. The programs hash its payload again; <code>pocketwatch verify</code> checks the whole log.`,
      operationId: 'ledger_proof',
      values: {},
      fields: ['id', 'payload.forecast.expected_state', 'payload.reveal_at', 'payload_hash', 'written_at'],
      javascript: {
        imports: 'import { createHash } from "node:crypto";',
        lines: [
          'const hash = createHash("sha256").update(JSON.stringify(answer.payload)).digest("hex");',
          'console.log(answer.payload_hash === "sha256:" + hash);',
        ],
      },
      python: {
        imports: 'import hashlib',
        lines: [
          'text = json.dumps(answer["payload"], separators=(",", ":"), ensure_ascii=False)',
          'print(answer["payload_hash"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest())',
        ],
      },
    },
  ];
}

const languages = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
] as const;

/** The language that is chosen is the one of all programs; where the stylesheet cannot hide the others, all are shown. */
export const languageChoice: Html = html`
<fieldset class="languages"><legend>Show them in</legend>${languages.map(
  ([id, name], at) =>
    html`<label><input type="radio" name="language" id="in-${id}"${at ? null : html` checked`}>${name}</label>`,
)}</fieldset>`;

/** Nothing where this service does not have the address. */
export function firstCallSection(docs: DocsSite, call: FirstCall, { values, sample }: Example): Html | null {
  const address = docs.findAddress(call.operationId);
  const endpoint = address?.endpoints.find(({ operationId }) => operationId === call.operationId);
  if (!address || !endpoint) return null;
  const path = addressFor(address.path, values);
  const request = { method: endpoint.method, url: docs.site.baseUrl + path, body: call.body };
  const programs = {
    curl: curlCommand(request),
    javascript: javascriptProgram(request, call.javascript),
    python: pythonProgram(request, call.python),
  };
  return html`
<section class="call" id="${call.id}"><h3>${call.title}</h3><p>${call.about}</p>
${languages.map(([id, name]) => html`<div class="in-${id}">${copyable(programs[id], `${name}: ${call.title}`)}</div>`)}
${sample ? answerPart(sample, call.fields) : null}<p class="note"><a href="${address.docsPath}"><code>${endpoint.method} ${address.path}</code></a> has all parameters and fields.</p></section>`;
}

function answerPart({ status, type, text }: NonNullable<Example['sample']>, fields: readonly string[]): Html {
  const isAnswer = status === 200 && type.endsWith('json') && text !== null;
  const shown = isAnswer
    ? JSON.stringify(shorten(pick(JSON.parse(text), fields)).value, null, 2)
    : (text ?? '');
  return html`<p class="note">Answered <strong>${status}</strong> when this page was made${isAnswer ? '; the fields of the answer that matter here' : null}:</p>
<pre class="reply" tabindex="0">${shown}</pre>
`;
}
