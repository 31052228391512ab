// The form that asks an address from its page. Without scripts it is an ordinary GET; docs.js shows the answer in the page.
import { type Html, html } from '../../parts/html.ts';
import type { DocumentedAddress, DocumentedEndpoint, Parameter } from './api-document.ts';
import type { Schema } from './schema-references.ts';

/** A longer list of suggestions would be most of the page. */
const MAX_SUGGESTIONS = 60;

interface Values {
  /** The id of the form; the command that shows the same request names it. */
  id: string;
  /** What the fields show at first, by parameter. */
  values: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Ids of pockets. */
  suggestions: readonly string[];
}

export function tryForm(
  { path, docsPath }: DocumentedAddress,
  { method, parameters = [] }: DocumentedEndpoint,
  { id, values, body, suggestions }: Values,
): Html {
  if (method !== 'GET') return bodyForm(id, path, method, body);
  const fields = parameters.filter((parameter) => parameter.in !== 'header');
  const inPath = fields.some((parameter) => parameter.in === 'path');
  return html`
<form class="try" id="${id}" method="get" action="${inPath ? docsPath : path}" data-path="${path}" data-method="GET">
${fields.map((parameter) => field(parameter, values[parameter.name], suggestions))}
<button>Send</button>
</form>
${
  fields.some(({ example }) => suggestions.includes(String(example)))
    ? html`<datalist id="pockets">${suggestions.slice(0, MAX_SUGGESTIONS).map((id) => html`<option value="${id}">`)}</datalist>`
    : null
}`;
}

/** A form cannot send JSON by itself: the button is shown by the script. */
const bodyForm = (id: string, path: string, method: string, example: unknown): Html => html`
<form class="try" id="${id}" data-path="${path}" data-method="${method}">
<label class="wide">Body, as JSON<textarea name="body" rows="8" spellcheck="false">${JSON.stringify(example, null, 2) ?? ''}</textarea></label>
<button hidden>Send</button>
<noscript><p class="note">Without scripts a page cannot send JSON: use the command below.</p></noscript>
</form>`;

function field(parameter: Parameter, value: unknown, suggestions: readonly string[]): Html {
  const { name, required } = parameter;
  return html`<label><span><code>${name}</code>${required ? ' required' : null}</span>${control(parameter, value, suggestions)}</label>\n`;
}

function control(
  { name, schema, required, example }: Parameter,
  value: unknown,
  suggestions: readonly string[],
): Html {
  const choices = schemaChoices(schema);
  const needed = required ? html` required` : null;
  if (choices)
    return html`<select name="${name}"${needed}>${required ? null : html`<option value="">${schema.default === undefined ? 'any' : `default (${schema.default})`}</option>`}${choices.map(
      (choice) =>
        html`<option value="${choice}"${String(value ?? '') === choice ? html` selected` : null}>${choice}</option>`,
    )}</select>`;
  const shown = html` name="${name}" value="${value === undefined ? '' : String(value)}" placeholder="${String(schema.default ?? example ?? '')}"${needed}`;
  if (schema.type === 'integer' || schema.type === 'number')
    return html`<input type="number" step="${schema.type === 'integer' ? '1' : 'any'}"${attribute('min', schema.minimum)}${attribute('max', schema.maximum)}${shown}>`;
  const list = suggestions.includes(String(example)) ? html` list="pockets"` : null;
  return html`<input type="text"${attribute('maxlength', schema.maxLength)}${list}${shown} autocomplete="off" spellcheck="false">`;
}

const attribute = (name: string, value: number | undefined): Html | null =>
  value === undefined ? null : html` ${name}="${value}"`;

function schemaChoices({ enum: values, anyOf, type }: Schema): string[] | undefined {
  if (type === 'boolean') return ['true', 'false'];
  return (values ?? anyOf?.flatMap((choice) => ('const' in choice ? [choice.const] : [])))?.map(String);
}
