// The first page of /docs: the calls that most people need, a search, and the reference.
import { countText } from '../../../domain/text/count-text.ts';
import { callableTools, type Operation } from '../../../operations/core/define.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage } from '../../parts/page.ts';
import { assets, styles } from '../../site/assets.ts';
import type { Example } from './address-page.ts';
import type { DocumentedAddress } from './api-document.ts';
import type { DocsSite } from './docs-site.ts';
import { type FirstCall, firstCallSection, languageChoice } from './first-calls.ts';
import type { Reference } from './reference.ts';
import { type Found, queryWords } from './search.ts';

export const MAX_QUERY_LENGTH = 80;
/** Fields that are named beside an address that was found. */
const MAX_FIELDS = 6;

/** A first call with the request that is shown and the answer to it. */
export interface AskedCall {
  call: FirstCall;
  example: Example;
}

/** The calls and the reference are shown where nothing is searched for. */
export function docsIndexPage(
  docs: DocsSite,
  query: string,
  asked: readonly AskedCall[],
  reference: Reference,
): string {
  const { site } = docs;
  return renderPage(site, {
    title: query ? `${query} · API docs` : 'API docs',
    about: 'Every address and every tool of this service, with parameters, fields and real answers.',
    path: '/docs',
    scripts: [assets.docsScript.address],
    style: styles.docs,
    body: html`
<h1>API docs</h1>
<p class="lead">Ask over <a href="/mcp">MCP</a> at <code>${site.baseUrl}/api/mcp</code>, or over REST. Reading needs no key. Answers may be quoted with attribution. Times are UTC; clock hours and dates are ${site.registry.city.name} time.</p>
<form class="search" role="search" method="get" action="/docs">
<label for="q">Search addresses, parameters and fields</label>
<div><input id="q" type="search" name="q" value="${query}" maxlength="${MAX_QUERY_LENGTH}" placeholder="calm_probability" autocomplete="off"><button>Search</button></div>
</form>
<p id="found" role="status">${query ? foundSentence(docs, query) : null}</p>
<div id="results">${query ? results(docs, query) : overview(docs, asked, reference)}</div>`,
  });
}

const toolsFor = ({ site }: DocsSite, query: string): Operation[] =>
  callableTools(site.operations).filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return queryWords(query).every((word) => text.includes(word));
  });

const foundSentence = (docs: DocsSite, query: string): string =>
  `${countText(docs.search(query).length, 'address', 'addresses')} and ${countText(toolsFor(docs, query).length, 'tool', 'tools')} for “${query}”.`;

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

function overview(docs: DocsSite, asked: readonly AskedCall[], { groups, part }: Reference): Html {
  return html`
<h2 id="first">Five calls to begin with</h2>
${languageChoice}
${asked.map(({ call, example }) => firstCallSection(docs, call, example))}
<h2 id="contents">Contents</h2>
<nav class="contents" aria-label="On this page"><ul class="plain">${[
    ...groups.map(({ id, name }) => [id, name]),
    ...furtherSections,
  ].map(([id = '', words = '']) => html`<li><a href="#${id}">${words}</a></li>`)}</ul></nav>
<h2 id="tools">Every address and tool</h2>
<p>Most questions can be asked both ways: over REST at an address, and over MCP as a tool. The page of an address has its parameters, its fields, a real answer and a form to try it.</p>
${part}
<h2 id="errors">When something is wrong</h2>
<p>REST answers <code>{"error": "…"}</code> with a status of 400 or above; the page of each address lists them. A name that does not exist comes with <code>did_you_mean</code>. A tool that fails answers with <code>isError: true</code> and a text that says what to fix.</p>
<h2 id="files">OpenAPI and other files</h2>
<p><a href="/openapi.json">openapi.json</a> describes the API; feeds are <a href="/stream.rss">stream.rss</a>, <a href="/feed.json">feed.json</a> and <a href="/forecasts.rss">forecasts.rss</a>; other files <a href="/server.json">server.json</a>, <a href="/.well-known/mcp.json">mcp.json</a>, <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>, <a href="/sitemap.xml">sitemap.xml</a>. A typed client is generated from openapi.json with one command: see examples/typed-client in the repository.</p>
<h2 id="contact">Contact</h2>
<p>The operator of this site is responsible for it. What is observed, what never is and how content may be reused: <a href="/about">about</a>, <a href="/LICENSE-CONTENT.md">licence</a>, <a href="/mcp/STATUS.md">status</a>, <a href="/mcp/CHANGELOG.md">changes</a>.</p>`;
}

const furtherSections = [
  ['errors', 'When something is wrong'],
  ['files', 'OpenAPI and other files'],
  ['contact', 'Contact'],
];
