import { html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';

const headings: Record<number, string> = {
  400: 'that could not be read',
  404: 'nothing is here',
  429: 'too many requests for now',
  503: 'the store cannot be reached',
};

export function errorPage(
  site: Pick<Site, 'baseUrl' | 'substrate' | 'notice'>,
  { status, message, details }: { status: number; message: string; details: object },
): string {
  const { unknown_pocket, did_you_mean = [] } = details as { unknown_pocket?: true; did_you_mean?: string[] };
  const heading = headings[status] ?? (status < 500 ? 'that could not be answered' : 'something broke here');
  return renderPage(site, {
    title: heading,
    about: heading,
    path: null,
    body: html`
<h1>${heading}</h1>
<p class="lead">${status}: ${message}.</p>
${unknown_pocket && did_you_mean.length ? html`<p>similar: ${did_you_mean.map((id) => html`<a href="/pocket/${id}">${id}</a> `)}</p>` : null}
<ul class="links"><li><a href="/">the network now</a></li><li><a href="/docs">API docs</a></li></ul>`,
  });
}
