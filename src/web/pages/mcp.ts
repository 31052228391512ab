import { toolsOf } from '../../operations/core/define.ts';
import { type Html, html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';

const pretty = (value: object): string => JSON.stringify(value, null, 2);

export function mcpPage(site: Site): string {
  const url = `${site.baseUrl}/api/mcp`;
  const tools = toolsOf(site.operations);
  const [one = '', another = one, third = one] = site.registry.pockets.map(({ name }) => name.toLowerCase());
  return renderPage(site, {
    title: 'connect over MCP',
    about: 'how to connect an assistant to pocketwatch over the Model Context Protocol.',
    path: '/mcp',
    body: html`
<h1>connect an assistant</h1>
<p class="lead">pocketwatch is an MCP server over HTTP at <code>${url}</code>. there is no key and no session; ${tools.length} tools, of which all but one only read.</p>
<div class="columns">
${client('clients with a JSON configuration', 'Claude Desktop, Cursor, Windsurf and others read a list of servers like this one.', pretty({ mcpServers: { pocketwatch: { type: 'http', url } } }))}
${client('VS Code', 'in .vscode/mcp.json of a workspace:', pretty({ servers: { pocketwatch: { type: 'http', url } } }))}
${client('Claude Code', 'on the command line:', `claude mcp add --transport http pocketwatch ${url}`)}
${client('clients that know stdio only', 'a small bridge speaks HTTP for them:', pretty({ mcpServers: { pocketwatch: { command: 'npx', args: ['-y', 'mcp-remote', url] } } }))}
${client('the official inspector', 'to look around by hand:', `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --method tools/list`)}
${client('nothing but curl', 'a request is one POST:', `curl -s ${url} -H 'content-type: application/json' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_calm_pocket_now","arguments":{}}}'`)}
</div>
<h2 id="questions">what may be asked</h2>
<ul>
<li>where is it calm just now, and for how long?</li>
<li>how is ${one} likely to feel in two hours?</li>
<li>why is nothing said about ${another}?</li>
<li>would a lunch nudge be justified in ${third}?</li>
<li>how often do these forecasts come true?</li>
</ul>
<h2 id="tools">the tools</h2>
<ul class="links">${tools.map(({ name }) => html`<li><a href="/docs#${name}">${name}</a></li>`)}</ul>
<p class="note">protocol 2024-11-05 · <a href="/.well-known/mcp.json">mcp.json</a> · <a href="/docs">every tool in full</a> · <a href="/mcp/STATUS.md">status</a> · <a href="/mcp/CHANGELOG.md">changes</a></p>`,
  });
}

const client = (name: string, about: string, text: string): Html => html`
<section class="card"><h2>${name}</h2><p>${about}</p><pre class="wrap" tabindex="0">${text}</pre></section>`;
