// The first page of /docs: every address by what people ask, a search, and the tools.
import { type Operation, publishedSchema, toolsOf } from '../../../operations/core/define.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage } from '../../parts/page.ts';
import { assets } from '../../site/assets.ts';
import { type DocumentedAddress, docsPathOf, type Schema } from './api-document.ts';
import type { DocsSite } from './docs-site.ts';
import { typeWords } from './schema-words.ts';
import { type Found, wordsOf } from './search.ts';

export const MAX_QUERY_LENGTH = 80;
/** Fields that are named beside an address that was found. */
const MAX_FIELDS = 6;

export function docsIndexPage(docs: DocsSite, query: string): string {
  const { site } = docs;
  return renderPage(site, {
    title: query ? `${query} · API docs` : 'API docs',
    about: 'Every address and every tool of this service, with parameters, fields and real answers.',
    path: '/docs',
    scripts: [assets.docsScript.address],
    body: html`
<h1>API docs</h1>
<p class="lead">Ask over <a href="/mcp">MCP</a> at <code>${site.baseUrl}/api/mcp</code>, or over REST. Reading needs no key. Answers may be quoted with attribution. Times are UTC; clock hours and dates are ${site.registry.city.name} time.</p>
<form class="search" role="search" method="get" action="/docs">
<label for="q">Search addresses, parameters and fields</label>
<div><input id="q" type="search" name="q" value="${query}" maxlength="${MAX_QUERY_LENGTH}" placeholder="calm_probability" autocomplete="off"><button>Search</button></div>
</form>
<p id="found" role="status">${query ? foundSentence(docs, query) : null}</p>
<div id="results">${query ? results(docs, query) : overview(docs)}</div>`,
  });
}

const toolsFor = ({ site }: DocsSite, query: string): Operation[] =>
  toolsOf(site.operations).filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return wordsOf(query).every((word) => text.includes(word));
  });

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

const foundSentence = (docs: DocsSite, query: string): string =>
  `${counted(docs.search(query).length, 'address', 'addresses')} and ${counted(toolsFor(docs, query).length, 'tool', 'tools')} for “${query}”.`;

function results(docs: DocsSite, query: string): Html {
  const tools = toolsFor(docs, query);
  return html`
<p><a href="/docs">Show all</a></p>
<ul class="addresses">${docs.search(query).map(foundItem)}</ul>
${tools.length ? html`<h2>Tools</h2><ul class="links">${tools.map(({ name }) => html`<li><a href="/docs#${name}">${name}</a></li>`)}</ul>` : null}`;
}

function foundItem({ address, fields }: Found): Html {
  const rest = fields.length - MAX_FIELDS;
  return addressItem(
    address,
    fields.length
      ? html`<small>${fields.slice(0, MAX_FIELDS).map((name) => html`<code>${name}</code> `)}${rest > 0 ? `and ${rest} more` : null}</small>`
      : null,
  );
}

const addressItem = (
  { path, docsPath, endpoints }: DocumentedAddress,
  more: Html | null = null,
): Html => html`
<li><a href="${docsPath}"><code>${endpoints.map(({ method }) => method).join(', ')} ${path}</code></a> <span>${endpoints[0]?.summary ?? ''}</span>${more}</li>`;

function overview({ site, document, addresses }: DocsSite): Html {
  const pocket = site.registry.pockets[0]?.id ?? '';
  const tools = toolsOf(site.operations);
  return html`
<h2 id="first">A first question</h2>
<div class="command"><pre class="wrap curl" tabindex="0">curl -s '${site.baseUrl}/api/atmosphere?pocket=${pocket}'</pre></div>
${document.tags.map(({ name, description }) => {
  const own = addresses.filter(({ tag }) => tag === name);
  return own.length
    ? html`<h2>${name}</h2><p>${description}</p><ul class="addresses">${own.map((address) => addressItem(address))}</ul>`
    : null;
})}
<h2 id="errors">When something is wrong</h2>
<p>REST answers <code>{"error": "…"}</code> with a status of 400 or above; the page of each address lists them. A name that does not exist comes with <code>did_you_mean</code>. A tool that fails answers with <code>isError: true</code> and a text that says what to mend.</p>
<h2 id="tools">Tools</h2>
<p>The same questions over MCP. Each tool links to the address of the same answer, where it has one.</p>
${tools.map(toolCard)}
<h2 id="files">OpenAPI and other files</h2>
<p><a href="/openapi.json">openapi.json</a>, <a href="/.well-known/mcp.json">mcp.json</a>, <a href="/llms.txt">llms.txt</a>, <a href="/sitemap.xml">sitemap.xml</a>. A typed client is generated from the first with one command: see examples/typed-client in the repository.</p>
<h2 id="contact">Contact</h2>
<p>The operator of this address answers for it. What is observed, what never is and how content may be reused: <a href="/about">about</a>, <a href="/LICENSE-CONTENT.md">licence</a>, <a href="/mcp/STATUS.md">status</a>, <a href="/mcp/CHANGELOG.md">changes</a>.</p>`;
}

function toolCard({ name, title, description, input, rest }: Operation): Html {
  const { properties, required = [] } = publishedSchema(input);
  const given = Object.entries(properties as Record<string, Schema>);
  const path = rest?.path.replaceAll(/:(\w+)/g, '{$1}');
  return html`
<article id="${name}"><h3><code>${name}</code></h3><p><strong>${title}.</strong> ${description}</p>${
    given.length
      ? html`<dl class="fields">${given.map(
          ([argument, schema]) =>
            html`<div><dt><code>${argument}</code> <small>${argumentWords(schema, (required as string[]).includes(argument))}</small></dt><dd>${schema.description ?? ''}</dd></div>`,
        )}</dl>`
      : html`<p class="note">No arguments.</p>`
  }${path ? html`<p class="note">Over REST: <a href="${docsPathOf(path)}"><code>${rest?.method ?? 'GET'} ${path}</code></a></p>` : null}</article>`;
}

const argumentWords = (schema: Schema, required: boolean): string =>
  [
    typeWords(schema),
    ...(required ? ['required'] : []),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ].join(', ');
