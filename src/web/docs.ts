import { type Operation, publishedSchema, toolsOf } from '../operations/define.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './page.ts';

export interface Documented {
  baseUrl: string;
  substrate: string;
  operations: readonly Operation[];
}

export const docsPage = (documented: Documented): string =>
  renderPage({ title: 'how to ask', substrate: documented.substrate, body: docsBody(documented) });

const docsBody = ({ baseUrl, operations }: Documented): Html => html`
<p>Ask over MCP at <code>${baseUrl}/api/mcp</code> or over REST below. Reading needs no key. Every answer may be quoted with attribution; times are UTC, clock hours and dates Singapore time.</p>
<h2>A first question</h2>
<pre>curl -s ${baseUrl}/api/mcp -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pocket_atmosphere","arguments":{"pocket_id":"tiongbahru"}}}'</pre>
<h2>From an MCP client</h2>
<pre>${JSON.stringify({ mcpServers: { pocketwatch: { type: 'http', url: `${baseUrl}/api/mcp` } } }, null, 2)}</pre>
<h2>Tools</h2>
${toolsOf(operations).map(toolCard)}
<h2>REST</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">address</th><th scope="col">answers</th></tr></thead>
<tbody>
${operations.filter((operation) => operation.rest).map(restRow)}
${probes.map(([path, about]) => html`<tr><td><a href="${path}"><code>GET ${path}</code></a></td><td>${about}</td></tr>`)}
</tbody>
</table></div>
<p>The same, for machines: <a href="/openapi.json">openapi.json</a>, <a href="/.well-known/mcp.json">mcp.json</a>.</p>
<h2>When something is wrong</h2>
<p>A tool that fails answers with <code>isError: true</code> and a text <code>error: …</code> that says what to mend. REST answers <code>{"error": "…"}</code> with 400, 404, 405, 413, 415, 429, 503 or 500. MCP requests are limited for each address; past the limit the answer is 429 with <code>retry_in_seconds</code>.</p>
<h2 id="contact">Contact</h2>
<p>The operator of this address answers for it. What is observed, what never is and how content may be reused: <a href="/LICENSE-CONTENT.md">licence</a>, <a href="/mcp/STATUS.md">status</a>, <a href="/mcp/CHANGELOG.md">changes</a>.</p>
`;

const probes = [
  ['/api/health', 'liveness probe'],
  ['/api/version', 'build version'],
  ['/api/migration-status', 'migration probe'],
] as const;

function toolCard({ name, title, description, input }: Operation): Html {
  const { properties, required = [] } = publishedSchema(input);
  const rows = Object.entries(properties).map(
    ([argument, schema]) =>
      html`<tr><td><code>${argument}</code></td><td>${(required as string[]).includes(argument) ? 'required' : ''}</td><td>${describe(schema)}</td></tr>`,
  );
  const table = rows.length
    ? html`<div class="scroll"><table><thead><tr><th scope="col">argument</th><th scope="col"></th><th scope="col">what</th></tr></thead><tbody>${rows}</tbody></table></div>`
    : html`<p>No arguments.</p>`;
  return html`<article id="${name}"><h3><code>${name}</code> ${title}</h3><p>${description}</p>${table}</article>`;
}

function describe(schema: object): string {
  const {
    type,
    description,
    minimum,
    maximum,
    default: fallback,
  } = schema as Record<string, string | number>;
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const byDefault = fallback === undefined ? '' : `, default ${fallback}`;
  return `${description} (${type}${range}${byDefault})`;
}

function restRow({ title, input, rest }: Operation): Html {
  const { path = '', method = 'GET', names = {} } = rest ?? {};
  const query = Object.keys(input.properties).filter((argument) => !path.includes(`:${argument}`));
  const asked = query.map((argument) => `${names[argument] ?? argument}=`).join('&');
  const address = method === 'GET' && asked ? `${path}?${asked}` : path;
  return html`<tr><td><code>${method} ${address}</code></td><td>${title}</td></tr>`;
}
