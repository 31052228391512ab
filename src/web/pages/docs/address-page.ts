// The page of one address: what it is for, its parameters, a form to try it, a real answer with its fields, and errors.

import { isTool } from '../../../operations/core/define.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage } from '../../parts/page.ts';
import { copyable } from '../../share/copyable.ts';
import { assets, styles } from '../../site/assets.ts';
import type { DocumentedAddress, DocumentedEndpoint, Parameter } from './api-document.ts';
import { addressFor, curlCommand } from './commands.ts';
import type { DocsSite } from './docs-site.ts';
import { realAnswer, type Sample } from './real-answer.ts';
import { type FieldRow, listFields, typeWords } from './schema-words.ts';
import { tryForm } from './try-form.ts';

/** The request that the page shows, and the answer to it. */
export interface Example {
  values: Readonly<Record<string, unknown>>;
  /** Of a POST. */
  body: unknown;
  /** Null where the address is not asked for the page: it would write, or it sends no text. */
  sample: Sample | null;
}

export function docsAddressPage(
  docs: DocsSite,
  address: DocumentedAddress,
  /** One for each endpoint. */
  examples: readonly Example[],
): string {
  const [first] = address.endpoints;
  const title = first?.summary ?? address.path;
  return renderPage(docs.site, {
    title: `${title} · API docs`,
    about: `${address.path}: ${title}, with its parameters, a real answer and its fields.`,
    path: address.docsPath,
    scripts: [assets.docsScript.address],
    style: styles.docs,
    body: html`
<p class="crumb"><a href="/docs">API docs</a> · ${address.tag}</p>
<h1>${title}</h1>
${address.endpoints.map((endpoint, at) => section(docs, address, endpoint, examples[at] ?? noExample, at > 0))}`,
  });
}

const noExample: Example = { values: {}, body: undefined, sample: null };

function section(
  docs: DocsSite,
  address: DocumentedAddress,
  endpoint: DocumentedEndpoint,
  { values, body, sample }: Example,
  isFurther: boolean,
): Html {
  const { site, document } = docs;
  const { method, operationId, summary, description, parameters = [], requestBody, responses } = endpoint;
  const operation = docs.operationNamed(operationId);
  const taken = requestBody?.content['application/json'];
  const url = site.baseUrl + addressFor(address.path, values);
  const writes = operation?.effect === 'append';
  const suggestions = site.registry.pockets.map(({ id }) => id);
  const json = Object.entries(responses[200]?.content ?? {}).find(([type]) => type.endsWith('json'))?.[1];
  const hasTable = 'text/csv' in (responses[200]?.content ?? {});
  const id = (name: string) => (isFurther ? `${method.toLowerCase()}-${name}` : name);
  return html`
${isFurther ? html`<h2 id="${id('about')}">${summary}</h2>` : null}
<p class="address"><code>${method} ${site.baseUrl}${address.path}</code></p>
${description ? html`<p>${description}</p>` : null}
${operation && isTool(operation) ? html`<p>As a tool: <a href="/docs#${operationId}"><code>${operationId}</code></a></p>` : null}
<h2 id="${id('parameters')}">${taken ? 'Body' : 'Parameters'}</h2>
${parameters.length ? parameterList(parameters) : taken ? null : html`<p class="note">None.</p>`}
${taken ? fieldList(listFields(taken.schema, document), true) : null}
<h2 id="${id('try')}">Try it</h2>
${writes ? html`<p>Not from here: it writes to an append-only ledger, and nothing can be taken back. Use the command.</p>` : tryForm(address, endpoint, { id: id('form'), values, body, suggestions })}
${copyable(curlCommand({ method, url, body }), 'Command', html` data-for="${id('form')}"`)}
${hasTable ? csv(site.baseUrl, address, values) : null}
<h2 id="${id('answer')}">A real answer</h2>
${sample ? realAnswer(sample, addressFor(address.path, values), method === 'GET') : html`<p class="note">${notAsked(writes, values)}</p>`}
${json ? html`<h2 id="${id('fields')}">Fields</h2>${fieldList(listFields(json.schema, document), false)}` : null}
<h2 id="${id('errors')}">Errors</h2>
<dl class="fields">${Object.entries(responses)
    .filter(([status]) => Number(status) >= 300)
    .map(([status, reply]) => html`<div><dt>${status}</dt><dd>${reply.description}</dd></div>\n`)}</dl>
<h2 id="${id('limits')}">Limits</h2>
<p>${limitWords(docs, endpoint)}</p>`;
}

function notAsked(writes: boolean, values: Example['values']): string {
  if (writes) return 'Not asked here, since it would write.';
  return Object.values(values).includes(undefined)
    ? 'Not asked here: nothing was found that it could be asked about.'
    : 'Not shown here: ask it with the command above.';
}

const parameterList = (parameters: readonly Parameter[]): Html => html`
<dl class="fields">${parameters.map(
  ({ name, in: place, required, schema, description, example }) => html`
<div><dt><code>${name}</code> <small>${[
    ...(place === 'query' ? [] : [`in the ${place}`]),
    ...(required ? ['required'] : []),
    typeWords(schema),
  ].join(', ')}</small></dt><dd>${description ?? ''}<small>${
    schema.default === undefined ? null : html`default <code>${valueText(schema.default)}</code> · `
  }example <code>${valueText(example)}</code></small></dd></div>`,
)}</dl>`;

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const fieldList = (rows: readonly FieldRow[], showRequired: boolean): Html => html`
<dl class="fields">${rows.map(
  ({ path, type, description, required }) =>
    html`<div><dt><code>${path}</code> <small>${showRequired && required ? 'required, ' : null}${type}</small></dt><dd>${description}</dd></div>\n`,
)}</dl>`;

const csv = (baseUrl: string, { path }: DocumentedAddress, values: Example['values']): Html => {
  const address = addressFor(path, { ...values, format: 'csv' });
  return html`<h2 id="csv">As a table</h2>
<p>Every row that the question selects, whatever the limit, as CSV; the column <code>substrate</code> says where the signals came from: <a href="${address}" rel="nofollow" download>download</a></p>
${copyable(`${curlCommand({ method: 'GET', url: baseUrl + address })} -o rows.csv`, 'Command for the table')}`;
};

const limitNames = {
  mcp: 'shared with MCP',
  legitimacy: 'for this address only',
  submit: 'shared with the tool of the same answer',
} as const;

function limitWords(
  { limits, operationNamed }: DocsSite,
  { operationId, responses }: DocumentedEndpoint,
): string {
  const limit = operationNamed(operationId)?.rest?.limit ?? (operationId === 'mcp' ? 'mcp' : undefined);
  if (limit)
    return limits[limit]
      ? `${limits[limit]} requests a minute for each client, ${limitNames[limit]}. Beyond that the answer is a 429 with retry_in_seconds.`
      : 'None are set at this service.';
  if (!responses[429] || !limits.read) return 'None are set for this address.';
  return `${limits.read} units of reading a minute for each client: one for each request, one for every 100 rows asked for and one for every 64 KiB answered. Cached answers are free. Beyond that the answer is a 429 with retry_in_seconds.`;
}
