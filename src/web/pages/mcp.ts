// How to connect an assistant: set-ups to copy, the toolsets with what they cost, and the tools.

import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { approximateTokens } from '../../domain/text/tokens.ts';
import { callableTools, type Operation, publishedTool } from '../../operations/core/define.ts';
import { inToolsets, toolsetNames, toolsets } from '../../operations/core/toolsets.ts';
import { type Html, html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { figureColumns, table } from '../parts/table.ts';
import { copyable } from '../share/copyable.ts';
import { RECOMMENDED_TOOLSET, type Setup, setupsFor } from '../site/mcp-setups.ts';

/** As src/http/mcp serves them; the oldest is offered to clients that ask for one that is not served. */
const OLDEST_VERSION = '2024-11-05';
export const protocolVersions = [OLDEST_VERSION, '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

export function mcpPage(site: Site): string {
  const url = `${site.baseUrl}/api/mcp`;
  const tools = callableTools(site.operations);
  const [one = '', another = one, third = one] = site.registry.pockets.map(({ name }) => name);
  return renderPage(site, {
    title: 'Connect over MCP',
    about: 'How to connect an assistant to pocketwatch over the Model Context Protocol.',
    path: '/mcp',
    body: html`
<h1>Connect an assistant</h1>
<p class="lead">Pocketwatch is an MCP server over HTTP at <code>${url}</code>. There is no key and no session. It has ${tools.length} tools; all but one only read.</p>
<h2 id="clients">Set up a client</h2>
<p>Copy the text for your client. A client that is not listed needs only the address, as a remote server of the type "HTTP" or "streamable HTTP".</p>
<div class="columns">${setupsFor(site.baseUrl).map(setupCard)}</div>
<h2 id="toolsets">List fewer tools</h2>
<p>A client gives the list of tools to its model before anything is asked. Toolsets make that list shorter: add <code>?toolset=${RECOMMENDED_TOOLSET}</code> to the address, which is what most assistants need, or send the header <code>x-pocketwatch-toolsets</code>. Several names are joined by commas. Every tool can still be called.</p>
${toolsetTable(tools)}
<p class="note">Tokens are estimated as the size of the list in bytes, divided by four.</p>
<h2 id="questions">Questions to begin with</h2>
<ul>
<li>Where is it calm now, and for how long?</li>
<li>How is ${one} likely to feel in two hours?</li>
<li>Why is nothing said about ${another}?</li>
<li>Would a lunch nudge be justified in ${third}?</li>
<li>How often do these forecasts come true?</li>
</ul>
<h2 id="tools">The tools</h2>
<ul class="links">${tools.map(({ name }) => html`<li><a href="/docs#${name}"><code>${name}</code></a></li>`)}</ul>
<h2 id="protocol">Protocol versions</h2>
<p>${protocolVersions.join(', ')}, all at the same address. A client that asks for another one is offered ${OLDEST_VERSION}.</p>
<p class="note"><a href="/.well-known/mcp.json">mcp.json</a> · <a href="/server.json">server.json</a> · <a href="/docs">Every tool in full</a> · <a href="/mcp/STATUS.md">MCP status</a> · <a href="/mcp/CHANGELOG.md">Changes</a></p>`,
  });
}

const setupCard = ({ client, where, text }: Setup): Html => html`
<section class="card"><h3>${client}</h3><p>${where}</p>${copyable(text, client)}</section>`;

function toolsetTable(tools: readonly Operation[]): Html {
  const rows: [name: string, about: string, listed: readonly Operation[]][] = [
    ...toolsetNames.map((name): [string, string, readonly Operation[]] => [
      name,
      toolsets[name],
      inToolsets(tools, [name]),
    ]),
    ['None named', 'All tools', tools],
  ];
  return table(
    'Toolsets',
    ['Toolset', { name: 'What it is for', text: true }, ...figureColumns('Tools', 'Tokens, about')],
    rows.map(([name, about, listed]) => ({
      cells: [
        name === 'None named' ? name : html`<code>${name}</code>`,
        sentenceCase(about),
        listed.length,
        toolTokens(listed).toLocaleString('en'),
      ],
    })),
  );
}

const toolTokens = (tools: readonly Operation[]): number =>
  approximateTokens(Buffer.byteLength(JSON.stringify({ tools: tools.map(publishedTool) })));
