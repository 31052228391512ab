import { type Operation, publishedSchema, toolsOf } from '../../operations/core/define.ts';
import { type Html, html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { table } from '../parts/table.ts';

export const docsPage = (site: Site): string =>
  renderPage(site, {
    title: 'how to ask',
    about: 'every tool and every address, with its arguments.',
    path: '/docs',
    body: body(site),
  });

const body = ({ baseUrl, operations, registry }: Site): Html => html`
<h1>how to ask</h1>
<p class="lead">over <a href="/mcp">MCP</a> at <code>${baseUrl}/api/mcp</code>, or over REST as below. reading needs no key. every answer may be quoted with attribution; times are UTC, clock hours and dates are ${registry.city.name} time.</p>
<h2 id="first">a first question</h2>
<pre tabindex="0">curl -s ${baseUrl}/api/mcp -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pocket_atmosphere","arguments":{"pocket_id":"${registry.pockets[0]?.id ?? ''}"}}}'

curl -s '${baseUrl}/api/atmosphere?pocket=${registry.pockets[0]?.id ?? ''}'</pre>
<h2 id="tools">tools</h2>
<ul class="links">${toolsOf(operations).map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>
${toolsOf(operations).map(toolCard)}
<h2 id="rest">REST</h2>
${table(
  'REST addresses',
  [{ name: 'address' }, { name: 'answers', text: true }],
  [
    ...operations.filter((operation) => operation.rest).map(restRow),
    ...probes.map(([path, about]) => ({
      cells: [html`<a href="${path}"><code>GET ${path}</code></a>`, about],
    })),
  ],
)}
<p>the same, for machines: <a href="/openapi.json">openapi.json</a>, <a href="/.well-known/mcp.json">mcp.json</a>, <a href="/llms.txt">llms.txt</a>, <a href="/sitemap.xml">sitemap.xml</a>. the ids of outlets: <a href="/outlets">outlets</a>, <a href="/api/outlets">api/outlets</a>.</p>
<h2 id="errors">when something is wrong</h2>
<p>a tool that fails answers with <code>isError: true</code> and a text <code>error: …</code> that says what to mend. REST answers <code>{"error": "…"}</code> with 400, 404, 405, 413, 415, 429, 503 or 500. MCP requests are limited for each address; past the limit the answer is 429 with <code>retry_in_seconds</code>.</p>
<h2 id="contact">contact</h2>
<p>the operator of this address answers for it. what is observed, what never is and how content may be reused: <a href="/about">about</a>, <a href="/LICENSE-CONTENT.md">licence</a>, <a href="/mcp/STATUS.md">status</a>, <a href="/mcp/CHANGELOG.md">changes</a>.</p>
`;

const probes = [
  ['/api/health', 'liveness probe'],
  ['/api/ready', 'readiness probe: 503 while the first history is written'],
  ['/api/version', 'build version'],
  ['/api/migration-status', 'migration probe'],
] as const;

function toolCard({ name, title, description, input }: Operation): Html {
  const { properties, required = [] } = publishedSchema(input);
  const rows = Object.entries(properties).map(([argument, schema]) => ({
    cells: [
      html`<code>${argument}</code>`,
      (required as string[]).includes(argument) ? 'required' : '',
      describe(schema),
    ],
  }));
  return html`<article id="${name}"><h3><code>${name}</code></h3><p><strong>${title}.</strong> ${description}</p>${
    rows.length
      ? table(
          `arguments of ${name}`,
          [{ name: 'argument' }, { name: 'required', unseen: true }, { name: 'what', text: true }],
          rows,
        )
      : html`<p class="note">no arguments.</p>`
  }</article>\n`;
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
  return `${description} (${type ?? 'choice'}${range}${byDefault})`;
}

function restRow({ title, input, rest }: Operation) {
  const { path = '', method = 'GET', names = {} } = rest ?? {};
  const query = Object.keys(input.properties).filter((argument) => !path.includes(`:${argument}`));
  const asked = query.map((argument) => `${names[argument] ?? argument}=`).join('&');
  const address = method === 'GET' && asked ? `${path}?${asked}` : path;
  return { cells: [html`<code>${method} ${address}</code>`, title.toLowerCase()] };
}
